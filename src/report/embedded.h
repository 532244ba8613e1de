#ifndef GPAI_EMBEDDED_H
#define GPAI_EMBEDDED_H

/* The files of these names, squeezed and made C by tools/embed.py while building. */
extern const char gpai_picture_css[];    /* draw/: all pictures */
extern const char gpai_look_css[];       /* html/: all pages, served ones too */
extern const char gpai_page_css[];       /* html/: all pages */
extern const char gpai_comparison_css[]; /* html/: more for pages of comparisons */
extern const char gpai_page_js[];        /* html/: sorts and folds many cases */

#endif

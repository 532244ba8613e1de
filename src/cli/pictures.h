#ifndef GPA_CLI_PICTURES_H
#define GPA_CLI_PICTURES_H
#include "console/out.h"
#include <gpa/plot.h>
#include <gpa/report.h>

/* Pictures on their way into a folder, each a file that is complete or not there. Names
 * are safe whatever the rows are called, and no two are the same. */
enum { PICTURES = 4 }; /* kinds for an explanation */

struct pictures {
    const char *folder;  /* NULL: no pictures are wanted, and all calls do nothing */
    struct outputs *all; /* what else the command writes, and reads */
    gpa_text *text;
    bool made; /* the folder was made here */
    size_t written;
    char **names; /* of rows, as used so far */
    size_t n_names;
    size_t without[PICTURES]; /* how many explanations lack each kind */
    bool without_scores;
};

gpa_status pictures_open(struct pictures *p, struct outputs *all, const char *folder,
                         gpa_error *err);

/* row-ID-distributions.svg, -forest.svg, and -scatter.svg and -profile.svg where there
 * is what they need. */
gpa_status pictures_explanation(struct pictures *p, const gpa_report_info *info,
                                const gpa_explanation *e, gpa_error *err);
/* scores.svg, of all rows. */
gpa_status pictures_scores(struct pictures *p, const gpa_report_info *info,
                           gpa_error *err);
/* row-ID-litmus.svg of every row. */
gpa_status pictures_comparison(struct pictures *p, const gpa_report_info *info,
                               const gpa_comparison *c, gpa_error *err);

/* Names what could not be drawn. `saved`: the result comes from a file. */
void pictures_say(const struct pictures *p, const gpa_report_info *info, bool saved);

/* A folder that was made for nothing goes again. */
void pictures_close(struct pictures *p);

#endif

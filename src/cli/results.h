#ifndef GPA_CLI_RESULTS_H
#define GPA_CLI_RESULTS_H
#include "console/out.h"
#include "console/pictures.h"
#include <gpa/report.h>
#include <gpa/saved.h>

/* A report on its way. */
struct report {
    gpa_format format;
    struct out *out; /* where each piece goes; NULL: it stays in the text */
    bool begun;
};

/* Pictures on their way into a folder, each a file that is complete or not there. Names
 * are safe whatever the rows are called, and no two are the same. */

struct pictures {
    const char *folder;
    bool png;            /* SVG otherwise */
    struct outputs *all; /* what else the command writes, and reads */
    gpa_text *text;
    bool made;        /* the folder was made here */
    bool committed;   /* the pictures are in it */
    struct out *outs; /* finished, to appear with the rest of the results */
    size_t n_outs, outs_room;
    char **names; /* of rows, as used so far */
    size_t n_names, room;
    size_t without[PICTURES]; /* how many explanations lack each kind */
    bool without_scores;
};

/* Where a command's results go: --out, --html, --svg and --png. */
struct results {
    struct outputs all;
    gpa_format format; /* of the main one */
    struct out main, page;
    bool has_main, has_page;
    struct report reports[2];
    size_t n_reports;
    struct pictures pictures[2];
    size_t n_pictures;
    gpa_report_info info;
    gpa_text *text; /* reports are written here */
    size_t count;   /* explanations so far */
    bool saved;     /* they come from a file */
};

/* Opens them; `main`: also without --out there are results beside a page. */
gpa_status results_open(struct results *r, const gpai_options *a, bool main,
                        gpa_error *err);
/* What they are about, on this terminal. */
void results_about(struct results *r, const gpa_report_info *info,
                   const gpai_options *a);

/* Explanations, one after the other, and the end of them; or a comparison. The last
 * two make the results final. */
gpa_status results_add(struct results *r, const gpa_explanation *e, gpa_error *err);
gpa_status results_end(struct results *r, gpa_error *err);
gpa_status results_comparison(struct results *r, const gpa_comparison *c,
                              gpa_error *err);

/* A saved result, explanations or a comparison, written again as the command that made
 * it would. */
gpa_status results_saved(struct results *r, const gpa_saved *from, gpa_error *err);

/* Makes them final. */
gpa_status results_commit(struct results *r, gpa_error *err);
/* Forgets what is not. */
void results_close(struct results *r);

#endif

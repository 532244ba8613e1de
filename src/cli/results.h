#ifndef GPA_CLI_RESULTS_H
#define GPA_CLI_RESULTS_H
#include "cli/pictures.h"
#include "console/out.h"

/* Where a command's results go: --out, --html and --svg. */
struct results {
    struct outputs all;
    gpa_format format; /* of the main one */
    struct out main, page;
    bool has_main, has_page, has_pictures;
    struct pictures pictures;
    gpa_text *text;
};

/* Opens them; `main`: also without --out there are results beside a page. */
gpa_status results_open(struct results *r, const gpai_options *a, bool main,
                        gpa_error *err);
/* Makes them final. */
gpa_status results_commit(struct results *r, gpa_error *err);
/* Forgets what is not. */
void results_close(struct results *r);

#endif

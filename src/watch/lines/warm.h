#ifndef GPA_WATCH_LINES_WARM_H
#define GPA_WATCH_LINES_WARM_H
#include "study/options.h"
#include "watch/lines/seen.h"

/* The first lines, where there is no reference: what is normal is taken from them, and
 * then they are scored like the others. */

struct warm {
    uint64_t wanted, good; /* lines that are rows of a table; with --wait: whole rows */
    bool no_header;
    const char *id, *target;  /* NULL: not given */
    struct seen has_x, has_y; /* with --wait: rows of which a half came */
    bool wait;
    gpa_text *header, *rows; /* those, as a file has them */
    gpa_text *raw;           /* all lines, one after the other */
};

gpa_status warm_open(struct warm *w, const gpai_options *a, gpa_error *err);
void warm_close(struct warm *w);

/* Another line. GPA_DATA when they are too long to be kept. */
gpa_status warm_add(struct warm *w, const struct line *line, gpa_error *err);
bool warm_enough(const struct warm *w);

/* The table of them, to be freed; with --wait, of halves that were joined. Rows with a
 * word where the others have numbers are no part of it. */
gpa_status warm_table(struct warm *w, gpa_table **out, gpa_error *err);

#endif

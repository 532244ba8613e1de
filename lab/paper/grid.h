#ifndef GPA_LAB_PAPER_GRID_H
#define GPA_LAB_PAPER_GRID_H
#include <gpa/report.h>
#include <stdbool.h>
#include <stddef.h>

/* A table that is written in several ways: for a terminal, a page and a program. Cells
 * are added row by row; the first row is the heads. */
struct cell {
    char *text;
    double value; /* NaN: only text */
};

struct grid {
    const char *name;  /* for programs: "consistency" */
    const char *title; /* for people */
    size_t columns;
    struct cell *cells;
    size_t n, room;
    bool failed; /* out of memory: checked once, at the end */
};

void grid_text(struct grid *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* One cell each. */
void grid_texts(struct grid *g, const char *const *texts, size_t n);
/* A number with so many decimals, or as a power of ten. */
enum { GRID_POWER = -1 };
void grid_number(struct grid *g, int decimals, double value);
void grid_free(struct grid *g);

void grid_print(const struct grid *g, gpa_text *t);
void grid_html(const struct grid *g, gpa_text *t);
void grid_json(const struct grid *g, gpa_text *t);

#endif

#ifndef GPA_LAB_PAPER_PAPER_H
#define GPA_LAB_PAPER_PAPER_H
#include "lab/scripts.h"
#include "study/options.h"
#include <gpa/gpa.h>
#include <gpa/plot.h>

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

/* The paper's experiments, run one after the other: tables for the terminal, figures
 * into files, all of it onto one page. */
struct paper {
    const gpai_options *a;
    struct scripts scripts; /* models, and results where the user names no place */
    char figures[4200];     /* a folder for them */
    gpa_text *out;          /* tables for the terminal, or JSON */
    gpa_text *page;
    gpa_text *svg; /* the next figure */
    size_t tables, drawn;
    uint64_t seed;
};

/* Runs `gpa paper`, whose words have been read, for a program started by this name; the
 * exit code. */
int paper_run(const gpai_options *a, const char *program);

/* The page (page.c). A heading and a paragraph; each on the terminal and on the page.
 */
void paper_page_begin(struct paper *p);
void paper_page_end(struct paper *p);
void paper_heading(struct paper *p, const char *text);
void paper_say(struct paper *p, const char *text);

/* Shows a table, then frees it; only frees it when something failed before (`st`). */
gpa_status paper_table(struct paper *p, struct grid *g, gpa_status st, gpa_error *err);

/* The width that pictures are drawn for; the page shows all of them as wide. */
enum { PAPER_WIDTH = 860 };

/* Puts the picture in p->svg onto the page and into a file of this name, unless
 * something failed before (`st`). */
gpa_status paper_figure(struct paper *p, const char *name, const char *caption,
                        gpa_status st, gpa_error *err);

/* The experiments. */
gpa_status paper_sinusoid(struct paper *p, gpa_error *err);
gpa_status paper_diabetes(struct paper *p, gpa_error *err);
gpa_status paper_boston(struct paper *p, gpa_error *err);
gpa_status paper_california(struct paper *p, gpa_error *err);
gpa_status paper_consistency(struct paper *p, gpa_error *err);
gpa_status paper_oracle(struct paper *p, const char *folder, gpa_error *err);

/* Whether the California data is at hand: --data FILE, or a model trained before. */
bool paper_has_california(const struct paper *p);

#endif

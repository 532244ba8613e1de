#ifndef GPA_LAB_PAPER_H
#define GPA_LAB_PAPER_H
#include "console/args.h"
#include "lab/paper/grid.h"
#include <gpa/gpa.h>
#include <gpa/plot.h>

/* The paper's experiments, run one after the other: tables for the terminal, figures
 * into files, all of it onto one page. */
struct paper {
    const gpai_options *a;
    char *tools; /* folder with paper/prepare.sh */
    char *work;  /* models, and results where the user names no place */
    char *figures;
    FILE *out; /* tables for the terminal, or JSON */
    FILE *page;
    gpa_text *svg; /* the next figure */
    size_t tables, drawn;
    uint64_t seed;
    size_t threads;
};

/* A heading and a paragraph; each on the terminal and on the page. */
void paper_heading(struct paper *p, const char *text);
void paper_say(struct paper *p, const char *text);

/* Shows a table, then frees it. */
gpa_status paper_table(struct paper *p, struct grid *g, gpa_error *err);

/* Puts the picture in p->svg onto the page and into a file of this name. */
gpa_status paper_figure(struct paper *p, const char *name, const char *caption,
                        gpa_error *err);

/* The beginning and end of the page. */
void paper_page_begin(struct paper *p);
void paper_page_end(struct paper *p);

/* Runs `gpa paper`, whose words have been read, for a program started by this name; the
 * exit code. */
int paper_run(const gpai_options *a, const char *program);

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

#ifndef GPAI_READ_JSON_H
#define GPAI_READ_JSON_H
#include "base/text/show.h"
#include "report/kinds.h"
#include "report/saved/value.h"
#include <gpa/saved.h>

/* A digest that a page shows, and the rows it is of. */
typedef struct gpai_page_result {
    gpai_slice rows, digest;
} gpai_page_result;

/* A saved result. What holds for all of it is read at once, its explanations or rows
 * one by one when they are asked for. */
struct gpa_saved {
    gpa_saved_kind kind;
    gpai_shown name;
    char *bytes; /* the file, zero-terminated */
    size_t size;
    char *receipt;     /* of a page: its JSON */
    gpai_value *head;  /* the members but for the long list */
    gpai_slice *items; /* n_items: explanations, or rows of a comparison */
    size_t n_items;
    size_t d;
    gpa_solver solver;
    gpa_marginals marginals;
    gpa_report_info info; /* points into what follows, and the head */
    const char **inputs;
    const char **units; /* d, or NULL */
    char *options;
    double *scale;  /* centre, then unit; d each */
    size_t *marked; /* the explained rows, as they stand in the file */
    size_t *id_rows;
    const char **ids;
    gpai_value **kept; /* parts of items, whose texts are used */
    size_t n_kept;
    const char **notes; /* about the whole table */
    bool kinds_known;   /* what each input is: */
    gpa_input *column_kinds;
    unsigned char *column_known; /* d: while they are read */
    struct gpai_saved_levels *levels;
    gpai_kinds kinds; /* as they are seen, also without that */
    gpa_background reference;
    size_t *reference_rows;
    double *reference_numbers;
    char **words;
    size_t n_words;
    gpai_page_result *results; /* of a page: n_items of them */
};

/* The file behind its byte order mark, if it has one. */
gpai_slice gpai_saved_text(const gpa_saved *s);

/* Parts of reading; each fills what its name says. */
void gpai_saved_members(gpai_reader *r, gpa_saved *s, gpai_slice text);
void gpai_saved_head(gpai_reader *r, gpa_saved *s);
void gpai_saved_reference(gpai_reader *r, gpa_saved *s);
void gpai_saved_command(gpai_reader *r, gpa_saved *s);

/* What each input is: from the first explanation, which is like all others. */
void gpai_saved_kinds(gpai_reader *r, gpa_saved *s);
void gpai_saved_kinds_free(gpa_saved *s);

/* Keeps a value until the end; it is freed at once, having failed, without memory. */
bool gpai_saved_keep(gpai_reader *r, gpa_saved *s, gpai_value *v);

/* A value of column k: a number, the name of a level, or a date; NaN for null. A row of
 * them. And a level of an input as it is seen; `hint` is where the next may stand. */
double gpai_saved_value(gpai_reader *r, const gpa_saved *s, const gpai_value *value,
                        size_t k, const char *key);
void gpai_saved_row(gpai_reader *r, const gpa_saved *s, const gpai_value *list,
                    const char *key, double *out);
double gpai_saved_level(gpai_reader *r, const gpa_saved *s, const gpai_value *value,
                        size_t k, size_t *hint);

/* The i-th item as a tree, with "FILE, WHAT i" in `name`, and so in the reader. */
gpai_value *gpai_saved_item(gpai_reader *r, const gpa_saved *s, size_t i,
                            gpai_shown *name);

#endif

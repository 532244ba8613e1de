#ifndef GPAI_READ_JSON_H
#define GPAI_READ_JSON_H
#include "base/text/show.h"
#include "report/saved/slice.h"
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
    json_t *head;      /* the members but for the long list */
    gpai_slice *items; /* n_items: explanations, or rows of a comparison */
    size_t n_items;
    size_t d;
    gpa_solver solver;
    gpa_marginals marginals;
    gpa_report_info info; /* points into what follows, and the head */
    const char **inputs;
    char *options;
    double *scale;  /* centre, then unit; d each */
    size_t *marked; /* the explained rows, as they stand in the file */
    size_t *id_rows;
    const char **ids;
    json_t *id_trees; /* owns the texts of ids */
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
gpa_status gpai_saved_members(gpa_saved *s, gpai_slice text, gpa_error *err);
gpa_status gpai_saved_head(gpa_saved *s, gpa_error *err);
gpa_status gpai_saved_ids(gpa_saved *s, gpa_error *err);
gpa_status gpai_saved_reference(gpa_saved *s, gpa_error *err);
gpa_status gpai_saved_command(gpa_saved *s, gpa_error *err);
gpa_status gpai_saved_page(gpa_saved *s, gpa_error *err);

/* The i-th item as a tree, with "FILE, WHAT i" in `name` for messages. */
gpa_status gpai_saved_item(json_t **out, const gpa_saved *s, size_t i, gpai_shown *name,
                           gpa_error *err);

/* Curves of an explanation: distributions, and f along the inputs where it was saved.
 */
void gpai_read_curves(gpai_reader *r, const json_t *o, gpa_explanation *e,
                      const gpa_saved *s);

#endif

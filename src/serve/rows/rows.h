#ifndef GPA_SERVE_ROWS_ROWS_H
#define GPA_SERVE_ROWS_ROWS_H
#include "serve/exchange.h"

/* The rows of the table, filtered and sorted. Each order is found once, and so is what
 * a filter lets through, for a while: a million rows answer in milliseconds. */
struct rows;

gpa_status rows_new(struct rows **out, struct serving *v, gpa_error *err);
void rows_free(struct rows *r);

/* Rows that pass the filter of a request: a byte for each row, how many there are, and
 * how many could be looked at. Between lock and unlock. */
struct passed {
    const unsigned char *mask;
    size_t n, known;
};
void rows_lock(struct rows *r);
void rows_unlock(struct rows *r);
gpa_status rows_filter(struct rows *r, const struct request *ask, struct passed *out,
                       gpa_error *err);

/* All rows in the order that a request wants, smallest or largest first; NULL as they
 * stand. `name` receives what that is called. */
gpa_status rows_order(struct rows *r, const struct request *ask, const uint32_t **order,
                      char name[240], gpa_error *err);

/* Finds the order in which rows are shown first. */
void rows_prepare(struct rows *r);

/* The worst rows that pass, at most `most`, worst first; how many. */
size_t rows_worst(struct rows *r, const struct passed *p, size_t most, uint32_t *out);

answer_fn answer_rows, answer_map;

#endif

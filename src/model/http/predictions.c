#include "model/http/answer.h"

/* Lists around a single number at most. */
enum { NESTED = 8 };

static gpa_status read_one(gpai_reader *r, const gpai_token *first, size_t row,
                           int depth, double *y);

/* [1.5], [[1.5]] */
static gpa_status read_list(gpai_reader *r, size_t row, int depth, double *y)
{
    gpai_token token;
    gpa_status st = gpai_reader_item(r, true, &token);
    if (st == GPA_OK && token.kind == ']')
        return gpai_reader_fail_row(r, row, "an empty list, expected one number", NULL);
    if (st == GPA_OK)
        st = read_one(r, &token, row, depth + 1, y);
    if (st == GPA_OK)
        st = gpai_reader_item(r, false, &token);
    if (st == GPA_OK && token.kind != ']')
        st = gpai_reader_fail_row(r, row, "several numbers, expected one", NULL);
    return st;
}

/* One of several outputs, or the only one. */
struct choice {
    size_t row, found;
    int depth;
    double *y;
};

static gpa_status read_choice(gpai_reader *r, const gpai_token *key,
                              const gpai_token *value, void *ctx)
{
    struct choice *c = ctx;
    const char *wanted = r->answer->output;
    if (wanted != NULL && !gpai_token_is(key, wanted))
        return gpai_reader_skip(r, value);
    c->found++;
    return read_one(r, value, c->row, c->depth + 1, c->y);
}

/* {"price": 1.5}, or the wanted one of several */
static gpa_status read_object(gpai_reader *r, size_t row, int depth, double *y)
{
    struct choice c = {row, 0, depth, y};
    gpa_status st = gpai_reader_members(r, read_choice, &c);
    if (st != GPA_OK || c.found == 1)
        return st;
    return gpai_reader_fail_row(r, row,
                                c.found == 0 ? "no such output"
                                             : "several outputs; say which with "
                                               "--model-config output=NAME",
                                NULL);
}

static gpa_status read_one(gpai_reader *r, const gpai_token *first, size_t row,
                           int depth, double *y)
{
    if (gpai_token_number(first, y))
        return GPA_OK;
    if (depth < NESTED && first->kind == '[')
        return read_list(r, row, depth, y);
    if (depth < NESTED && first->kind == '{')
        return read_object(r, row, depth, y);
    return gpai_reader_fail_row(r, row, "expected a number, not ", first);
}

static gpa_status read_rows(gpai_reader *r, const gpai_token *first, size_t n,
                            double *y)
{
    size_t rows = 0;
    if (first->kind != '[')
        return gpai_reader_fail(r, "predictions: expected a list of %zu numbers", n);
    for (gpai_token token;; rows++) {
        gpa_status st = gpai_reader_item(r, rows == 0, &token);
        if (st == GPA_OK && token.kind == ']')
            break;
        if (st == GPA_OK)
            st = rows < n ? read_one(r, &token, rows, 0, &y[rows])
                          : gpai_reader_skip(r, &token);
        if (st != GPA_OK)
            return st;
    }
    return rows == n ? GPA_OK
                     : gpai_reader_fail(r, "%zu predictions, expected %zu", rows, n);
}

/* What is asked of an answer, and whether it was there. */
struct wish {
    size_t n;
    double *y;
    bool found;
};

static gpa_status read_member(gpai_reader *r, const gpai_token *key,
                              const gpai_token *value, void *ctx)
{
    struct wish *w = ctx;
    if (!gpai_token_is(key, "predictions"))
        return gpai_reader_skip(r, value);
    w->found = true;
    return read_rows(r, value, w->n, w->y);
}

gpa_status gpai_predictions_read(const gpai_answer *a, size_t n, double *y,
                                 gpa_error *err)
{
    gpai_reader r;
    struct wish w = {n, y, false};
    gpai_reader_start(&r, a, err);
    gpa_status st = gpai_reader_whole(&r, "predictions", read_member, &w);
    return st == GPA_OK && !w.found ? gpai_reader_lacks(&r, "predictions") : st;
}

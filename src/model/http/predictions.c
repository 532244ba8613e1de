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

/* {"price": 1.5}, or the wanted one of several */
static gpa_status read_object(gpai_reader *r, size_t row, int depth, double *y)
{
    const char *wanted = r->answer->output;
    gpai_token key, value;
    size_t found = 0;
    for (bool first = true;; first = false) {
        gpa_status st = gpai_reader_key(r, first, &key);
        if (st != GPA_OK || key.kind == '}')
            return st != GPA_OK ? st
                   : found == 1 ? GPA_OK
                   : found == 0 ? gpai_reader_fail_row(r, row, "no such output", NULL)
                                : gpai_reader_fail_row(
                                      r, row,
                                      "several outputs; say which with --model-config "
                                      "output=NAME",
                                      NULL);
        st = gpai_reader_next(r, &value);
        if (st == GPA_OK && (wanted == NULL || gpai_token_is(&key, wanted))) {
            found++;
            st = read_one(r, &value, row, depth + 1, y);
        } else if (st == GPA_OK) {
            st = gpai_reader_skip(r, &value);
        }
        if (st != GPA_OK)
            return st;
    }
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

gpa_status gpai_predictions_read(const gpai_answer *a, size_t n, double *y,
                                 gpa_error *err)
{
    gpai_reader r;
    gpai_token token;
    bool found = false;
    gpai_reader_start(&r, a, err);
    gpa_status st = gpai_reader_next(&r, &token);
    if (st == GPA_OK && token.kind != '{')
        return gpai_reader_lacks(&r, "predictions");
    for (bool first = true; st == GPA_OK; first = false) {
        gpai_token key;
        st = gpai_reader_key(&r, first, &key);
        if (st != GPA_OK || key.kind == '}')
            break;
        st = gpai_reader_next(&r, &token);
        if (st == GPA_OK && gpai_token_is(&key, "predictions")) {
            found = true;
            st = read_rows(&r, &token, n, y);
        } else if (st == GPA_OK) {
            st = gpai_reader_skip(&r, &token);
        }
    }
    if (st == GPA_OK)
        st = gpai_reader_end(&r);
    return st == GPA_OK && !found ? gpai_reader_lacks(&r, "predictions") : st;
}

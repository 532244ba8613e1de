#include "report/saved/saved.h"

/* The reference rows that were saved, to see the explained ones against. */

static void check_rows(gpai_reader *r, const gpa_saved *s, size_t n, size_t total)
{
    if (n > total)
        gpai_read_fail(r, "background", "%zu rows of %zu", n, total);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        if (s->reference_rows[i] >= total ||
            (i > 0 && s->reference_rows[i] <= s->reference_rows[i - 1]))
            gpai_read_fail(r, "background", "rows are not ascending below %zu", total);
}

static void take_x(gpai_reader *r, const json_t *o, size_t n, size_t d, double *x)
{
    const json_t *list = gpai_read_list(r, o, "x", false);
    if (r->status == GPA_OK && json_array_size(list) != n)
        gpai_read_fail(r, "background", "x has %zu rows, expected %zu",
                       json_array_size(list), n);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        gpai_read_numbers(r, json_array_get(list, i), "x", d, GPAI_HOLES, x + i * d);
}

/* Room for n rows; their x is checked first, so that no file asks for more than it
 * holds. */
static bool take_room(gpai_reader *r, gpa_saved *s, const json_t *o, size_t n)
{
    const json_t *x = gpai_read_list(r, o, "x", false);
    size_t first = json_array_size(json_array_get(x, 0));
    if (r->status == GPA_OK && n > 0 && first != s->d)
        gpai_read_fail(r, "background", "x has %zu inputs, expected %zu", first, s->d);
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        if (json_array_size(json_array_get(x, i)) != s->d)
            gpai_read_fail(r, "background", "row %zu of x is too short or long", i + 1);
    s->reference_rows = gpai_read_room(r, n, sizeof *s->reference_rows);
    s->reference_numbers =
        gpai_read_room(r, n, (s->d + 3) * sizeof *s->reference_numbers);
    return r->status == GPA_OK;
}

void gpai_saved_reference(gpai_reader *r, gpa_saved *s)
{
    const json_t *o = gpai_read_object(r, s->head, "background", true);
    if (o == NULL)
        return;
    const json_t *rows = gpai_read_list(r, o, "rows", false);
    size_t n = json_array_size(rows), d = s->d;
    size_t total = (size_t)gpai_read_count(r, o, "total");
    if (!take_room(r, s, o, n))
        return;
    double *x = s->reference_numbers, *y = x + n * d, *f = y + n, *score = f + n;
    gpai_read_counts(r, rows, "rows", n, s->reference_rows);
    check_rows(r, s, n, total);
    take_x(r, o, n, d, x);
    gpai_read_number_list(r, o, "y", n, GPAI_HOLES, y);
    gpai_read_number_list(r, o, "f", n, GPAI_HOLES, f);
    gpai_read_number_list(r, o, "score", n, GPAI_HOLES, score);
    s->reference = (gpa_background){.struct_size = sizeof(gpa_background),
                                    .n = n,
                                    .d = d,
                                    .total = total,
                                    .rows = s->reference_rows,
                                    .x = x,
                                    .y = y,
                                    .f = f,
                                    .score = score};
    s->info.background = r->status == GPA_OK ? &s->reference : NULL;
}

#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/text.h"
#include "study/study.h"
#include <string.h>

/* The rows that the chosen ones are seen against in pictures: all of them, or, of more
 * than SHOWN_ROWS, evenly spaced ones and the chosen. Chosen: a scatter plot of 2000
 * points is full, and a saved result of 2 million numbers large. */
enum { SHOWN_ROWS = 2000, SHOWN_NUMBERS = 2000000 };

/* How many evenly spaced rows there may be. */
static size_t most_rows(size_t d)
{
    size_t most = d > 0 ? SHOWN_NUMBERS / d : SHOWN_ROWS;
    return most > SHOWN_ROWS ? SHOWN_ROWS : most > 0 ? most : 1;
}

/* Evenly spaced rows and the chosen ones that can be used, ascending; how many. */
static size_t list_shown(size_t *rows, const gpa_study *s, size_t most)
{
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < most; i++) /* i n / most, without overflow */
        rows[n++] = i * (s->n / most) + i * (s->n % most) / most;
    for (size_t i = 0; i < s->chosen.n; i++)
        rows[n++] = s->chosen.rows[i];
    gpai_sort_indices(rows, n);
    for (size_t i = 0; i < n; i++)
        if (s->unfit[rows[i]] == 0 && (kept == 0 || rows[kept - 1] != rows[i]))
            rows[kept++] = rows[i];
    return kept;
}

static void copy(gpa_study *s, size_t n)
{
    size_t d = s->d;
    double *x = s->shown_numbers, *y = x + n * d, *f = y + n, *score = f + n;
    for (size_t at = 0; at < n; at++) {
        size_t i = s->shown_rows[at];
        memcpy(x + at * d, s->x + i * d, d * sizeof *x);
        y[at] = s->y[i];
        f[at] = s->f[i];
        score[at] = s->score[i];
    }
    s->shown = (gpa_background){.struct_size = sizeof(gpa_background),
                                .n = n,
                                .d = d,
                                .total = s->n - s->n_unfit,
                                .rows = s->shown_rows,
                                .x = x,
                                .y = y,
                                .f = f,
                                .score = score};
}

static gpa_status choose_shown(gpa_study *s, gpa_error *err)
{
    size_t most = most_rows(s->d);
    s->all = (gpa_background){.struct_size = sizeof(gpa_background),
                              .n = s->n,
                              .d = s->d,
                              .total = s->n,
                              .x = s->x,
                              .y = s->y,
                              .f = s->f,
                              .score = s->score};
    s->shown = s->all;
    if (s->n_unfit == 0 && (s->n <= most || s->given.bit != IN_EXPLAIN))
        return GPA_OK;
    most = s->n < most ? s->n : most;
    s->shown_rows = gpai_calloc(most + s->chosen.n, sizeof *s->shown_rows);
    if (s->shown_rows == NULL)
        return gpai_nomem(err, "study");
    size_t n = list_shown(s->shown_rows, s, most);
    /* no more than the table took */
    s->shown_numbers = gpai_calloc(n * (s->d + 3), sizeof *s->shown_numbers);
    if (s->shown_numbers == NULL)
        return gpai_nomem(err, "study");
    copy(s, n);
    return GPA_OK;
}

gpa_status gpai_study_describe(gpa_study *s, gpa_error *err)
{
    gpa_report_info *info = &s->info;
    gpa_status st = choose_shown(s, err);
    if (st == GPA_OK)
        st = gpa_text_new(&s->record, err);
    if (st != GPA_OK)
        return st;
    gpai_options_record(s->record, &s->given,
                        s->chosen.text != NULL ? gpa_text_data(s->chosen.text) : NULL);
    st = gpai_text_seal(s->record, 0, err);
    gpa_report_info_init(info);
    bool named = s->given.given[OPT_MODEL] &&
                 (s->own_model == NULL || s->function.predict != NULL);
    info->model_spec = named ? s->given.text[OPT_MODEL] : gpa_model_spec(s->model);
    info->target = s->target_called;
    info->features = s->called;
    info->target_unit = s->target_measure;
    for (size_t k = 0; k < s->d; k++)
        info->units = s->measure[k] != NULL ? s->measure : info->units;
    info->ids = s->ids;
    info->center = s->center;
    info->input_digest = s->own_rows ? s->own_digest : gpa_table_digest(s->table);
    info->model_digest = s->model_digest;
    info->options_json = gpa_text_data(s->record);
    info->seed = gpai_options_count(&s->given, OPT_SEED, info->seed);
    info->inputs = s->kinds;
    info->notes = s->tell;
    info->n_notes = s->n_tell;
    info->full = s->given.given[OPT_JSON_FULL];
    info->background = &s->shown;
    if (s->given.bit == IN_EXPLAIN) {
        info->explanations = s->given.given[OPT_COLLECTIVE] ? 1 : s->chosen.n;
        info->marked = s->chosen.rows;
        info->n_marked = s->chosen.n;
    }
    return st;
}

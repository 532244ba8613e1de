#include "report/explain_plot.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/write.h"

static void choose(gpai_sketch *s)
{
    const gpai_view *v = &s->view;
    for (size_t i = 0; i < v->d; i++)
        if (!gpai_view_held(v, v->order[i]))
            s->inputs[s->n++] = v->order[i];
    for (size_t i = 0; s->n == 0 && i < v->d; i++)
        s->inputs[i] = v->order[i];
    s->n = s->n > 0 ? s->n : v->d;
}

gpa_status gpai_sketch_make(gpai_sketch *s, const gpa_text *t,
                            const gpa_report_info *info, const gpa_explanation *e,
                            size_t numbers, gpa_error *err)
{
    *s = (gpai_sketch){.info = gpai_report_info(info)};
    if (t == NULL || e == NULL)
        return gpai_fail(err, GPA_INVALID, "plot: no text or no explanation");
    s->info.ascii = s->info.colour = false;
    gpa_status st = gpai_view_make(&s->view, &s->info, e, err);
    if (st != GPA_OK)
        return st;
    size_t d = s->view.d;
    s->inputs = gpai_calloc(d, sizeof *s->inputs);
    s->names = gpai_calloc(d, sizeof *s->names);
    s->rooms = gpai_calloc(d, GPAI_NAME_SIZE);
    s->numbers = gpai_calloc(numbers, sizeof *s->numbers);
    if (s->inputs == NULL || s->names == NULL || s->rooms == NULL ||
        s->numbers == NULL) {
        gpai_sketch_free(s);
        return gpai_nomem(err, "plot");
    }
    for (size_t k = 0; k < d; k++)
        s->names[k] = gpai_name_feature(&s->info, k, s->rooms + k * GPAI_NAME_SIZE);
    choose(s);
    return GPA_OK;
}

void gpai_sketch_free(gpai_sketch *s)
{
    gpai_free(s->numbers);
    gpai_free(s->rooms);
    gpai_free(s->names);
    gpai_free(s->inputs);
    gpai_view_free(&s->view);
}

size_t gpai_background_place(const gpa_background *b, size_t row)
{
    if (b->rows == NULL)
        return row < b->n ? row : b->n;
    size_t low = 0, high = b->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->n && b->rows[low] == row ? low : b->n;
}

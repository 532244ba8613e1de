#include "base/alloc.h"
#include "base/status.h"
#include "report/explain_plot.h"
#include "report/write.h"
#include <gpa/plot.h>
#include <stdio.h>

/* The scores of all rows, with the explained ones marked. */

struct marks {
    size_t *places;
    const char **labels;
    char *rooms;
    size_t n;
};

static gpa_status find(struct marks *m, const gpa_report_info *info, gpa_error *err)
{
    size_t most = info->marked != NULL ? info->n_marked : 0;
    m->places = gpai_calloc(most, sizeof *m->places);
    m->labels = gpai_calloc(most, sizeof *m->labels);
    m->rooms = gpai_calloc(most, GPAI_NAME_SIZE);
    if (m->places == NULL || m->labels == NULL || m->rooms == NULL)
        return gpai_nomem(err, "score plot");
    for (size_t i = 0; i < most; i++) {
        size_t place = gpai_background_place(info->background, info->marked[i]);
        if (place == info->background->n)
            continue;
        m->places[m->n] = place;
        m->labels[m->n] =
            gpai_name_row(info, info->marked[i], m->rooms + m->n * GPAI_NAME_SIZE);
        m->n++;
    }
    return GPA_OK;
}

gpa_status gpa_plot_background_scores(gpa_text *t, const gpa_report_info *info,
                                      double threshold, gpa_error *err)
{
    struct marks m = {NULL, NULL, NULL, 0};
    const gpa_report_info full = gpai_report_info(info);
    const gpa_background *b = full.background;
    char note[120] = "";
    if (b == NULL || b->n == 0 || b->score == NULL)
        return gpai_fail(err, GPA_INVALID, "score plot: no rows with scores");
    gpa_status st = find(&m, &full, err);
    gpa_score_plot p;
    gpa_score_plot_init(&p);
    if (b->n < b->total)
        snprintf(note, sizeof note, "%zu of %zu rows", b->n, b->total);
    p.note = note[0] != '\0' ? note : NULL;
    p.n = b->n;
    p.score = b->score;
    p.rows = b->rows;
    p.marked = m.places;
    p.n_marked = m.n;
    p.labels = m.labels;
    p.threshold = threshold;
    if (st == GPA_OK)
        st = gpa_plot_scores(t, &p, err);
    gpai_free(m.rooms);
    gpai_free(m.labels);
    gpai_free(m.places);
    return st;
}

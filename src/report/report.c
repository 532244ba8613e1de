#include <gpa/report.h>

#include "base/sized.h"
#include "base/status.h"
#include "report/page.h"
#include "report/write.h"
#include <math.h>

/* What writes each format; NULL: there is nothing to write. */
static const struct writer {
    gpai_begin_fn *begin;
    gpai_explanation_fn *explanation;
    gpai_end_fn *end;
    gpai_scores_fn *scores;
    gpai_comparison_fn *comparison;
} WRITERS[] = {
    [GPA_FORMAT_TABLE] = {gpai_table_begin, gpai_table_explanation, NULL,
                          gpai_table_scores, gpai_table_comparison},
    [GPA_FORMAT_JSON] = {gpai_json_begin, gpai_json_explanation, gpai_json_end,
                         gpai_json_scores, gpai_json_comparison},
    [GPA_FORMAT_CSV] = {gpai_csv_begin, gpai_csv_explanation, NULL, gpai_csv_scores,
                        gpai_csv_comparison},
    [GPA_FORMAT_HTML] = {gpai_html_begin, gpai_html_explanation, gpai_html_end, NULL,
                         gpai_html_comparison},
};

static const gpa_report_info INFO = {.seed = 1};
static const gpa_background NO_ROWS = {0};
static const gpa_score_list NO_SCORES = {.collective = (double)NAN};

void gpa_report_info_init_sized(gpa_report_info *info, size_t size)
{
    gpai_sized_init(info, size, &INFO, sizeof INFO);
}

void gpa_background_init_sized(gpa_background *b, size_t size)
{
    gpai_sized_init(b, size, &NO_ROWS, sizeof NO_ROWS);
}

void gpa_score_list_init_sized(gpa_score_list *list, size_t size)
{
    gpai_sized_init(list, size, &NO_SCORES, sizeof NO_SCORES);
}

gpa_status gpai_report_take(gpai_report *r, const gpa_text *t,
                            const gpa_report_info *info, gpa_error *err)
{
    *r = (gpai_report){INFO, NO_ROWS};
    if (t == NULL)
        return gpai_fail(err, GPA_INVALID, "report: no text to write into");
    (void)gpai_sized_take(&r->info, sizeof r->info, info); /* none: the defaults */
    if (r->info.notes == NULL)
        r->info.n_notes = 0;
    if (r->info.background == NULL)
        return GPA_OK;
    if (!gpai_sized_take(&r->background, sizeof r->background, r->info.background))
        return gpai_fail(err, GPA_INVALID,
                         "report: reference rows without gpa_background_init");
    r->info.background = &r->background;
    return GPA_OK;
}

/* A piece of a report that is being written. */
struct piece {
    gpai_report r;
    const struct writer *by;
    size_t start;
};

static gpa_status start(struct piece *p, const gpa_text *t, gpa_format format,
                        const gpa_report_info *info, gpa_error *err)
{
    gpa_status st = gpai_report_take(&p->r, t, info, err);
    if (st != GPA_OK)
        return st;
    if ((int)format < GPA_FORMAT_TABLE || format > GPA_FORMAT_HTML)
        return gpai_fail(err, GPA_INVALID, "report: no format %d", (int)format);
    if (format != GPA_FORMAT_TABLE) /* the same bytes in every locale */
        p->r.info.ascii = p->r.info.colour = false;
    p->by = &WRITERS[format];
    p->start = t->length;
    return GPA_OK;
}

/* Nothing half-written stays. */
static gpa_status finish(const struct piece *p, gpa_text *t, gpa_status st,
                         gpa_error *err)
{
    t->failed = t->failed || st != GPA_OK;
    gpa_status sealed = gpai_text_seal(t, p->start, st == GPA_OK ? err : NULL);
    return st != GPA_OK ? st : sealed;
}

gpa_status gpa_report_begin(gpa_text *t, gpa_format format, const gpa_report_info *info,
                            const gpa_explanation *first, gpa_error *err)
{
    struct piece p;
    gpa_status st = start(&p, t, format, info, err);
    if (st != GPA_OK)
        return st;
    if (p.by->begin != NULL)
        p.by->begin(t, &p.r.info, first);
    return finish(&p, t, GPA_OK, err);
}

gpa_status gpa_report_explanation(gpa_text *t, gpa_format format,
                                  const gpa_report_info *info, const gpa_explanation *e,
                                  size_t index, gpa_error *err)
{
    struct piece p;
    gpai_view v;
    gpa_status st = start(&p, t, format, info, err);
    if (st == GPA_OK && e == NULL)
        st = gpai_fail(err, GPA_INVALID, "report: no explanation");
    if (st == GPA_OK)
        st = gpai_view_make(&v, &p.r.info, e, err);
    if (st != GPA_OK)
        return st;
    st = p.by->explanation(t, &v, index, err);
    gpai_view_free(&v);
    return finish(&p, t, st, err);
}

gpa_status gpa_report_answer(gpa_text *t, const gpa_report_info *info,
                             const gpa_explanation *e, gpa_error *err)
{
    struct piece p;
    gpai_view v;
    gpa_status st = start(&p, t, GPA_FORMAT_JSON, info, err);
    if (st == GPA_OK)
        st = gpai_view_make(&v, &p.r.info, e, err);
    if (st != GPA_OK)
        return st;
    gpai_json_answer(t, &v);
    gpai_view_free(&v);
    return finish(&p, t, GPA_OK, err);
}

gpa_status gpa_report_end(gpa_text *t, gpa_format format, const gpa_report_info *info,
                          gpa_error *err)
{
    struct piece p;
    gpa_status st = start(&p, t, format, info, err);
    if (st != GPA_OK)
        return st;
    if (p.by->end != NULL)
        st = p.by->end(t, &p.r.info, err);
    return finish(&p, t, st, err);
}

gpa_status gpa_report_comparison(gpa_text *t, gpa_format format,
                                 const gpa_report_info *info, const gpa_comparison *c,
                                 gpa_error *err)
{
    struct piece p;
    gpa_status st = start(&p, t, format, info, err);
    if (st == GPA_OK && c == NULL)
        st = gpai_fail(err, GPA_INVALID, "report: no comparison");
    if (st != GPA_OK)
        return st;
    return finish(&p, t, p.by->comparison(t, &p.r.info, c, err), err);
}

static gpa_status take_list(gpa_score_list *full, const gpa_score_list *given,
                            gpa_error *err)
{
    *full = NO_SCORES;
    if (!gpai_sized_take(full, sizeof *full, given))
        return gpai_fail(err, GPA_INVALID,
                         "report: scores without gpa_score_list_init");
    const gpa_sample *s = full->sample;
    if (s == NULL || s->y == NULL || s->f == NULL || full->score == NULL ||
        (full->order == NULL && full->n_shown > 0))
        return gpai_fail(err, GPA_INVALID, "report: scores need y, f, score and order");
    for (size_t i = 0; i < full->n_shown; i++)
        if (full->order[i] >= s->n)
            return gpai_fail(err, GPA_INVALID, "report: row %zu of %zu rows",
                             full->order[i], s->n);
    return GPA_OK;
}

gpa_status gpa_report_scores(gpa_text *t, gpa_format format,
                             const gpa_report_info *info, const gpa_score_list *list,
                             gpa_error *err)
{
    struct piece p;
    gpa_score_list full;
    gpa_status st = start(&p, t, format, info, err);
    if (st == GPA_OK)
        st = take_list(&full, list, err);
    if (st == GPA_OK && p.by->scores == NULL)
        st = gpai_fail(err, GPA_UNSUPPORTED, "report: no page for scores");
    if (st != GPA_OK)
        return st;
    p.by->scores(t, &p.r.info, &full);
    return finish(&p, t, GPA_OK, err);
}

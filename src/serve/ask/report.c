#include "base/status.h"
#include "base/text/json.h"
#include "console/pictures.h"
#include "console/png.h"
#include "serve/answers.h"
#include "serve/ask/asked.h"
#include <gpa/plot.h>
#include <stdio.h>
#include <string.h>

/* What can be taken away: the bytes that the command writes. */

/* Formats: how they are called, what they are, and the option that asks for them. */
static const struct shape {
    const char *name, *type, *ending, *option;
    gpa_format format;
} SHAPES[] = {
    {"json", TYPE_JSON, "json", " --json", GPA_FORMAT_JSON},
    {"json-full", TYPE_JSON, "json", " --json-full", GPA_FORMAT_JSON},
    {"csv", "text/csv; charset=utf-8", "csv", " --csv", GPA_FORMAT_CSV},
    {"html", "text/html; charset=utf-8", "html", " --html report.html",
     GPA_FORMAT_HTML},
    {"svg", "image/svg+xml", "svg", " --svg pictures", GPA_FORMAT_TABLE},
    {"png", "image/png", "png", " --png pictures", GPA_FORMAT_TABLE},
};

struct making {
    struct exchange *x;
    struct asked a;
    const struct shape *shape;
    gpa_report_info info;
    gpa_text *text;
    bool compares;
    size_t count;
    uint64_t model_rows;
};

static const struct shape *shape_of(const char *name)
{
    for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; i++)
        if (name != NULL && strcmp(SHAPES[i].name, name) == 0)
            return &SHAPES[i];
    return NULL;
}

static bool is_picture(const struct shape *s)
{
    return s->format == GPA_FORMAT_TABLE;
}

/* The picture of an explanation; the scores come at the end. */
static gpa_status draw(struct making *w, const gpa_explanation *e, gpa_error *err)
{
    const char *wanted = w->a.question.picture;
    for (size_t i = 0; i < PICTURES; i++)
        if (strcmp(PICTURE_KINDS[i].name, wanted) == 0 && w->count == 0)
            return PICTURE_KINDS[i].draw(w->text, &w->info, e, err);
    return GPA_OK;
}

static gpa_status take(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    struct making *w = ctx;
    gpa_status st = GPA_OK;
    w->model_rows += gpa_explanation_summary(e)->model_rows;
    atomic_fetch_add(&w->x->on->metrics.explanations, 1);
    if (is_picture(w->shape)) {
        st = draw(w, e, err);
    } else {
        if (w->count == 0)
            st = gpa_report_begin(w->text, w->shape->format, &w->info, e, err);
        if (st == GPA_OK)
            st = gpa_report_explanation(w->text, w->shape->format, &w->info, e, index,
                                        err);
    }
    w->count++;
    return st;
}

static bool is_kind(const char *picture)
{
    for (size_t i = 0; i < PICTURES; i++)
        if (strcmp(PICTURE_KINDS[i].name, picture) == 0)
            return true;
    return strcmp(picture, "scores") == 0;
}

static gpa_status make_explanations(struct making *w, gpa_error *err)
{
    gpa_study *s = w->a.study;
    const char *picture = w->a.question.picture;
    gpa_status st = GPA_OK;
    if (is_picture(w->shape) && (picture == NULL || !is_kind(picture)))
        return gpai_fail(err, GPA_INVALID,
                         "picture: distributions, forest, scatter, profile or scores");
    gpa_study_set_progress(s, exchange_ends, w->x);
    bool scores = is_picture(w->shape) && strcmp(picture, "scores") == 0;
    if (scores)
        return gpa_plot_background_scores(w->text, &w->info, err);
    st = gpa_study_explain(s, NULL, 0, false, take, w, err);
    return st == GPA_OK && !is_picture(w->shape)
               ? gpa_report_end(w->text, w->shape->format, &w->info, err)
               : st;
}

static gpa_status make_comparison(struct making *w, gpa_error *err)
{
    gpa_comparison *c = NULL;
    gpa_study *s = w->a.study;
    gpa_study_set_progress(s, exchange_ends, w->x);
    gpa_status st = gpa_study_compare(s, NULL, 0, &c, err);
    if (st == GPA_OK && is_picture(w->shape))
        st = gpa_plot_comparison(w->text, &w->info, c, 0, err);
    else if (st == GPA_OK)
        st = gpa_report_comparison(w->text, w->shape->format, &w->info, c, err);
    for (size_t i = 0; st == GPA_OK && i < gpa_comparison_rows(c); i++)
        for (size_t j = 0; j < gpa_comparison_methods(c); j++)
            if (gpa_comparison_at(c, i, j) != NULL)
                w->model_rows += gpa_attribution_model_rows(gpa_comparison_at(c, i, j));
    atomic_fetch_add(&w->x->on->metrics.comparisons, s->chosen.n);
    gpa_comparison_free(c);
    return st;
}

/* The name of the file, without anything that came with the request. */
static void name_file(struct making *w)
{
    const char *picture = w->a.question.picture;
    const char *kind = w->compares                       ? "-comparison"
                       : !is_picture(w->shape)           ? ""
                       : picture[0] == 'd'               ? "-distributions"
                       : picture[0] == 'f'               ? "-forest"
                       : picture[0] == 'p'               ? "-profile"
                       : strcmp(picture, "scatter") == 0 ? "-scatter"
                                                         : "-scores";
    size_t n = w->a.study->chosen.n;
    char more[40] = "";
    if (n > 1)
        snprintf(more, sizeof more, "-and-%zu-more", n - 1);
    snprintf(w->x->reply.name, sizeof w->x->reply.name, "gpa-row-%zu%s%s.%s",
             n > 0 ? w->a.study->chosen.rows[0] : 0, more, kind, w->shape->ending);
}

static gpa_status make(struct making *w, gpa_error *err)
{
    struct exchange *x = w->x;
    const char *download = request_param(&x->ask, "download");
    w->info = *gpa_study_info(w->a.study);
    w->info.full = strcmp(w->shape->name, "json-full") == 0;
    w->text = reply_text(&x->reply, w->shape->type);
    if (w->text == NULL)
        return gpai_nomem(err, "serve");
    gpa_status st = w->compares ? make_comparison(w, err) : make_explanations(w, err);
    if (st == GPA_OK && is_picture(w->shape) && gpa_text_length(w->text) == 0)
        return gpai_fail(err, GPA_UNSUPPORTED, "%.40s: there is nothing to show",
                         w->a.question.picture != NULL ? w->a.question.picture : "");
    if (st == GPA_OK && strcmp(w->shape->name, "png") == 0)
        st = png_ready(err) == GPA_OK ? png_from(w->text, err) : GPA_UNSUPPORTED;
    x->reply.document = !w->compares || w->shape->format != GPA_FORMAT_JSON;
    if (st == GPA_OK && download != NULL && strcmp(download, "0") != 0)
        name_file(w);
    return st;
}

static gpa_status open_making(struct making *w, gpa_model *model, gpa_error *err)
{
    gpa_status st = asked_open(&w->a, w->x, model, w->compares ? "compare" : NULL, err);
    w->compares = st == GPA_OK && w->a.study->given.bit == IN_COMPARE;
    if (st == GPA_OK && w->shape == NULL)
        w->shape = shape_of(w->a.question.format);
    if (st == GPA_OK && w->shape == NULL)
        st = gpai_fail(err, GPA_INVALID,
                       "format: html, json, json-full, csv, svg or png");
    return st;
}

void answer_report(struct exchange *x, gpa_model *model)
{
    struct making w = {.x = x};
    gpa_error err = {0};
    gpa_status st = open_making(&w, model, &err);
    if (st == GPA_OK)
        st = make(&w, &err);
    asked_close(&w.a, st, w.model_rows, &err);
}

void answer_compare(struct exchange *x, gpa_model *model)
{
    struct making w = {.x = x, .compares = true, .shape = &SHAPES[0]};
    gpa_error err = {0};
    x->ask.events = false;
    gpa_status st = open_making(&w, model, &err);
    if (st == GPA_OK)
        st = make(&w, &err);
    asked_close(&w.a, st, w.model_rows, &err);
}

void answer_command(struct exchange *x, gpa_model *model)
{
    struct making w = {.x = x};
    gpa_error err = {0};
    gpa_status st = asked_open(&w.a, x, model, NULL, &err);
    const struct shape *shape = shape_of(w.a.question.format);
    gpa_text *t = st == GPA_OK ? reply_text(&x->reply, TYPE_JSON) : NULL;
    if (t != NULL) {
        gpai_text_add(t, "{\"command\":");
        asked_command(t, &w.a, shape != NULL ? shape->option : "");
        gpai_text_add(t, "}\n");
    }
    asked_close(&w.a, st, 0, &err);
}

#include "cli/again.h"
#include "cli/background.h"
#include "cli/commands.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/out.h"
#include "cli/pictures.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/select.h"
#include "cli/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One report on its way to one place. */
struct stream {
    struct out out;
    gpa_format format;
    bool begun, used;
};

struct run {
    const struct args *a;
    struct load load;
    struct selection chosen;
    struct settings settings;
    struct background background;
    struct pictures pictures;
    gpa_report_info info;
    char *options; /* as JSON */
    gpa_text *text;
    struct stream main, page;
    struct progress progress;
    size_t total;
    bool weak; /* something did not converge or hit its budget */
};

static gpa_status open_outputs(struct run *r, gpa_error *err)
{
    const char *out = r->a->text[OPT_OUT], *page = r->a->text[OPT_HTML];
    r->main.used = true;
    if (r->a->again != NULL) {
        again_open(r->a->again, &r->main.out, &r->main.format);
        return gpa_text_new(&r->text, err);
    }
    gpa_status st = chosen_format(r->a, &r->main.format, err);
    if (st == GPA_OK && page != NULL && strcmp(page, out != NULL ? out : "-") == 0)
        st = fail(err, GPA_INVALID, "--html and the results would both go to %.200s",
                  page);
    if (st == GPA_OK && strcmp(r->a->file, "-") != 0 &&
        ((out != NULL && strcmp(out, r->a->file) == 0) ||
         (page != NULL && strcmp(page, r->a->file) == 0)))
        st = fail(err, GPA_INVALID, "the results would overwrite the data, %.200s",
                  r->a->file);
    if (st == GPA_OK)
        st = out_open(&r->main.out, out, err);
    if (st == GPA_OK)
        st = pictures_open(&r->pictures, r->a->text[OPT_PICTURES], err);
    if (st == GPA_OK && page != NULL) {
        r->page.format = GPA_FORMAT_HTML;
        r->page.used = true;
        st = out_open(&r->page.out, page, err);
    }
    return st != GPA_OK ? st : gpa_text_new(&r->text, err);
}

/* Writes out what the report has added to the text. */
static gpa_status flush(struct run *r, struct stream *s, gpa_error *err)
{
    gpa_status st =
        out_write(&s->out, gpa_text_data(r->text), gpa_text_length(r->text), err);
    gpa_text_clear(r->text);
    return st;
}

static gpa_status begin(struct run *r, struct stream *s, const gpa_explanation *first,
                        gpa_error *err)
{
    if (!s->used || s->begun)
        return GPA_OK;
    s->begun = true;
    return gpa_report_begin(r->text, s->format, &r->info, first, err);
}

static gpa_status add(struct run *r, struct stream *s, const gpa_explanation *e,
                      size_t index, gpa_error *err)
{
    if (!s->used)
        return GPA_OK;
    gpa_status st = begin(r, s, e, err);
    if (st == GPA_OK)
        st = gpa_report_explanation(r->text, s->format, &r->info, e, index, err);
    return st != GPA_OK ? st : flush(r, s, err);
}

static gpa_status end(struct run *r, struct stream *s, gpa_error *err)
{
    if (!s->used)
        return GPA_OK;
    gpa_status st = begin(r, s, NULL, err);
    if (st == GPA_OK)
        st = gpa_report_end(r->text, s->format, &r->info, err);
    return st != GPA_OK ? st : flush(r, s, err);
}

static gpa_status take_explanation(void *ctx, size_t index, const gpa_explanation *e,
                                   gpa_error *err)
{
    struct run *r = ctx;
    gpa_error own = {0}; /* the caller may not care */
    err = err != NULL ? err : &own;
    const gpa_summary *s = gpa_explanation_summary(e);
    r->weak = r->weak || !s->converged || s->budget_hit;
    progress_hide(&r->progress);
    gpa_status st = add(r, &r->main, e, index, err);
    if (st == GPA_OK)
        st = add(r, &r->page, e, index, err);
    if (st == GPA_OK)
        st = pictures_explanation(&r->pictures, &r->info, e, err);
    if (st == GPA_OK)
        progress_show(&r->progress, index + 1, r->total);
    return st;
}

/* All chosen rows as one explanation: their own sample, with FILE as the context. */
static gpa_status explain_together(struct run *r, gpa_error *err)
{
    const struct load *l = &r->load;
    size_t n = r->chosen.n, d = l->d;
    double *block = room(n * (d + 2), sizeof *block); /* no more than the table took */
    gpa_explanation *e = NULL;
    if (block == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    double *x = block, *y = x + n * d, *f = y + n;
    for (size_t i = 0; i < n; i++) {
        size_t row = r->chosen.rows[i];
        memcpy(x + i * d, l->x + row * d, d * sizeof *x);
        y[i] = l->y[row];
        f[i] = l->f[row];
    }
    const gpa_sample s = {.x = x, .y = y, .f = f, .n = n, .d = d};
    r->settings.opt.context = &l->sample;
    r->settings.opt.context_rows = r->chosen.rows;
    gpa_status st = gpa_explain(&e, r->load.model, &s, &r->settings.opt, err);
    if (st == GPA_OK)
        st = take_explanation(r, 0, e, err);
    gpa_explanation_free(e);
    free(block);
    return st;
}

static gpa_status explain_rows(struct run *r, gpa_error *err)
{
    bool together = r->a->given[OPT_COLLECTIVE];
    if (r->chosen.n == 0) {
        say("no row has a score above %s", r->a->text[OPT_THRESHOLD]);
        return GPA_OK;
    }
    r->total = together ? 1 : r->chosen.n;
    progress_start(&r->progress, r->a->text[OPT_PROGRESS], "explaining");
    progress_show(&r->progress, 0, r->total);
    if (together)
        return explain_together(r, err);
    return gpa_explain_many(r->load.model, &r->load.sample, r->chosen.rows, r->chosen.n,
                            settings_threads(r->a, r->chosen.n), &r->settings.opt,
                            take_explanation, r, err);
}

static gpa_status prepare(struct run *r, gpa_error *err)
{
    const struct args *a = r->a;
    gpa_status st = open_outputs(r, err);
    if (st == GPA_OK)
        st = settings_prepare(&r->settings, &r->load, &r->chosen, a, err);
    if (st == GPA_OK)
        st = background_make(&r->background, &r->load, &r->chosen, err);
    if (st == GPA_OK)
        st = settings_describe(&r->info, &r->options, &r->load, &r->chosen, a, err);
    if (st != GPA_OK)
        return st;
    r->info.background = &r->background.view;
    r->info.explanations = a->given[OPT_COLLECTIVE] ? 1 : r->chosen.n;
    r->info.marked = r->chosen.rows;
    r->info.n_marked = r->chosen.n;
    return GPA_OK;
}

static gpa_status finish(struct run *r, gpa_error *err)
{
    gpa_status st = end(r, &r->main, err);
    if (st == GPA_OK)
        st = end(r, &r->page, err);
    if (st == GPA_OK && r->chosen.n > 0)
        st = pictures_scores(&r->pictures, &r->info, err);
    if (st == GPA_OK)
        pictures_say(&r->pictures, &r->info, false);
    if (st == GPA_OK)
        st = out_commit(&r->main.out, err);
    if (st == GPA_OK && r->page.used)
        st = out_commit(&r->page.out, err);
    return st;
}

static bool exceeds(const struct run *r)
{
    for (size_t i = 0; r->a->given[OPT_FAIL_ABOVE] && i < r->chosen.n; i++)
        if (r->load.score[r->chosen.rows[i]] > r->a->real[OPT_FAIL_ABOVE])
            return true;
    return false;
}

static void run_free(struct run *r)
{
    pictures_close(&r->pictures);
    background_free(&r->background);
    out_discard(&r->page.out);
    out_discard(&r->main.out);
    gpa_text_free(r->text);
    free(r->options);
    settings_free(&r->settings);
    select_free(&r->chosen);
    load_free(&r->load);
}

int cmd_explain(const struct args *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    gpa_status st = prepare(&r, &err);
    if (st == GPA_OK)
        st = explain_rows(&r, &err);
    progress_hide(&r.progress);
    if (st == GPA_OK)
        st = finish(&r, &err);
    int code = st != GPA_OK                     ? give_up(st, &err)
               : r.weak && a->given[OPT_STRICT] ? EXIT_WEAK
               : exceeds(&r)                    ? EXIT_CONDITION
                                                : EXIT_DONE;
    if (code == EXIT_CONDITION)
        say("a chosen row has a score above %s (--fail-above)",
            a->text[OPT_FAIL_ABOVE]);
    if (code == EXIT_WEAK)
        say("something did not converge or hit its budget (--strict)");
    run_free(&r);
    return code;
}

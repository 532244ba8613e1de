#include "cli/again.h"
#include "cli/commands.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/other_methods.h"
#include "cli/out.h"
#include "cli/pictures.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/select.h"
#include "cli/settings.h"
#include <gpa/compare.h>
#include <gpa/report.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct args *a;
    struct load load;
    struct selection chosen;
    struct settings settings;
    struct other_methods others;
    gpa_compare_options opt;
    gpa_comparison *result;
    gpa_report_info info;
    char *options; /* as JSON */
    gpa_text *text;
    gpa_format format;
    struct out out, page;
    struct pictures pictures;
    struct progress progress;
};

static int show_progress(void *ctx, uint64_t done, uint64_t total)
{
    struct run *r = ctx;
    progress_show(&r->progress, (size_t)done, (size_t)total);
    return 0;
}

static gpa_status open_outputs(struct run *r, gpa_error *err)
{
    const char *out = r->a->text[OPT_OUT], *page = r->a->text[OPT_HTML];
    if (r->a->again != NULL) {
        again_open(r->a->again, &r->out, &r->format);
        return gpa_text_new(&r->text, err);
    }
    gpa_status st = chosen_format(r->a, &r->format, err);
    if (st == GPA_OK && page != NULL && strcmp(page, out != NULL ? out : "-") == 0)
        st = fail(err, GPA_INVALID, "--html and the results would both go to %.200s",
                  page);
    if (st == GPA_OK)
        st = out_open(&r->out, out, err);
    if (st == GPA_OK && page != NULL)
        st = out_open(&r->page, page, err);
    if (st == GPA_OK)
        st = pictures_open(&r->pictures, r->a->text[OPT_PICTURES], err);
    return st != GPA_OK ? st : gpa_text_new(&r->text, err);
}

static gpa_status prepare(struct run *r, gpa_error *err)
{
    const struct args *a = r->a;
    gpa_status st = open_outputs(r, err);
    if (st == GPA_OK)
        st = settings_prepare(&r->settings, &r->load, &r->chosen, a, err);
    if (st == GPA_OK)
        st = other_methods_read(&r->others, &r->load, a, err);
    return st != GPA_OK
               ? st
               : settings_describe(&r->info, &r->options, &r->load, &r->chosen, a, err);
}

static gpa_status compare(struct run *r, gpa_error *err)
{
    gpa_attribute_options *o = &r->others.opt;
    o->explain = &r->settings.opt;
    o->progress = show_progress;
    o->progress_ctx = r;
    gpa_compare_options_init(&r->opt);
    r->opt.attribute = o;
    r->opt.methods = r->others.names;
    r->opt.n_methods = r->others.n_names;
    r->opt.threads = settings_threads(r->a, r->chosen.n);
    r->opt.flip = !r->a->given[OPT_FLIP] || strcmp(r->a->text[OPT_FLIP], "on") == 0;
    progress_start(&r->progress, r->a->text[OPT_PROGRESS], "comparing");
    return gpa_compare(&r->result, r->load.model, &r->load.sample, r->chosen.rows,
                       r->chosen.n, &r->opt, err);
}

static gpa_status write_to(struct run *r, struct out *o, gpa_format format,
                           gpa_error *err)
{
    gpa_text_clear(r->text);
    gpa_status st = gpa_report_comparison(r->text, format, &r->info, r->result, err);
    if (st == GPA_OK)
        st = out_write(o, gpa_text_data(r->text), gpa_text_length(r->text), err);
    return st == GPA_OK ? out_commit(o, err) : st;
}

/* The same reason holds for every row: what was missing is said once. */
static void say_skipped(const struct run *r)
{
    for (size_t j = 0; j < gpa_comparison_methods(r->result); j++)
        for (size_t i = 0; i < gpa_comparison_rows(r->result); i++) {
            const char *why = gpa_comparison_skipped(r->result, i, j);
            if (why == NULL)
                continue;
            say("%s is left out: %s", gpa_comparison_method(r->result, j)->name, why);
            break;
        }
}

static bool anybody(const struct run *r)
{
    for (size_t j = 0; j < gpa_comparison_methods(r->result); j++)
        for (size_t i = 0; i < gpa_comparison_rows(r->result); i++)
            if (gpa_comparison_at(r->result, i, j) != NULL)
                return true;
    return false;
}

static void run_free(struct run *r)
{
    gpa_comparison_free(r->result);
    pictures_close(&r->pictures);
    out_discard(&r->page);
    out_discard(&r->out);
    gpa_text_free(r->text);
    free(r->options);
    other_methods_free(&r->others);
    settings_free(&r->settings);
    select_free(&r->chosen);
    load_free(&r->load);
}

int cmd_compare(const struct args *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    gpa_status st = prepare(&r, &err);
    if (st == GPA_OK && r.chosen.n == 0)
        st = fail(&err, GPA_INVALID, "no row has a score above %s",
                  a->text[OPT_THRESHOLD]);
    if (st == GPA_OK)
        st = compare(&r, &err);
    progress_hide(&r.progress);
    if (st == GPA_OK) {
        say_skipped(&r);
        if (!anybody(&r))
            st = fail(&err, GPA_INVALID, "no method has an answer");
    }
    if (st == GPA_OK) {
        st = write_to(&r, &r.out, r.format, &err);
    }
    if (st == GPA_OK && a->given[OPT_HTML])
        st = write_to(&r, &r.page, GPA_FORMAT_HTML, &err);
    if (st == GPA_OK)
        st = pictures_comparison(&r.pictures, &r.info, r.result, &err);
    int code = st == GPA_OK ? EXIT_DONE : give_up(st, &err);
    run_free(&r);
    return code;
}

#include "cli/commands.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/out.h"
#include "cli/pictures.h"
#include "cli/say.h"
#include <gpa/saved.h>
#include <string.h>

struct run {
    const struct args *a;
    gpa_saved *saved;
    gpa_report_info info;
    gpa_format format;
    gpa_text *text;
    struct out main, page;
    bool has_main, has_page;
    struct pictures pictures;
};

static gpa_status open_outputs(struct run *r, gpa_error *err)
{
    const struct args *a = r->a;
    const char *out = a->text[OPT_OUT], *page = a->text[OPT_HTML];
    gpa_status st = chosen_format(a, &r->format, err);
    r->has_page = page != NULL;
    r->has_main =
        a->given[OPT_CSV] || out != NULL || (page == NULL && !a->given[OPT_PICTURES]);
    const char *to = out != NULL ? out : "-";
    if (st == GPA_OK && r->has_page && r->has_main && strcmp(page, to) == 0)
        st = fail(err, GPA_INVALID, "--html and the results would both go to %.200s",
                  page);
    if (st == GPA_OK && strcmp(a->file, "-") != 0 &&
        (strcmp(to, a->file) == 0 || (page != NULL && strcmp(page, a->file) == 0)))
        st = fail(err, GPA_INVALID, "the report would overwrite the result, %.200s",
                  a->file);
    if (st == GPA_OK && r->has_main)
        st = out_open(&r->main, out, err);
    if (st == GPA_OK && r->has_page)
        st = out_open(&r->page, page, err);
    if (st == GPA_OK)
        st = pictures_open(&r->pictures, a->text[OPT_PICTURES], err);
    return st != GPA_OK ? st : gpa_text_new(&r->text, err);
}

static gpa_status flush(struct run *r, struct out *o, gpa_error *err)
{
    gpa_status st = out_write(o, gpa_text_data(r->text), gpa_text_length(r->text), err);
    gpa_text_clear(r->text);
    return st;
}

/* One explanation, or the beginning or the end, in one format to one place. */
static gpa_status put(struct run *r, struct out *o, gpa_format format,
                      const gpa_explanation *e, size_t i, gpa_error *err)
{
    gpa_status st =
        i == 0 ? gpa_report_begin(r->text, format, &r->info, e, err) : GPA_OK;
    if (st == GPA_OK && e != NULL)
        st = gpa_report_explanation(r->text, format, &r->info, e, i, err);
    if (st == GPA_OK && i + 1 >= gpa_saved_count(r->saved))
        st = gpa_report_end(r->text, format, &r->info, err);
    return st == GPA_OK ? flush(r, o, err) : st;
}

static gpa_status show_one(struct run *r, const gpa_explanation *e, size_t i,
                           gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (r->has_main)
        st = put(r, &r->main, r->format, e, i, err);
    if (st == GPA_OK && r->has_page)
        st = put(r, &r->page, GPA_FORMAT_HTML, e, i, err);
    if (st == GPA_OK && e != NULL)
        st = pictures_explanation(&r->pictures, &r->info, e, err);
    return st;
}

static gpa_status show_explanations(struct run *r, gpa_error *err)
{
    size_t n = gpa_saved_count(r->saved);
    gpa_status st = n == 0 ? show_one(r, NULL, 0, err) : GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, r->saved, i, err);
        if (st == GPA_OK)
            st = show_one(r, e, i, err);
        gpa_explanation_free(e);
    }
    if (st == GPA_OK && n > 0)
        st = pictures_scores(&r->pictures, &r->info, err);
    if (st == GPA_OK)
        pictures_say(&r->pictures, &r->info, true);
    return st;
}

static gpa_status show_comparison(struct run *r, gpa_error *err)
{
    gpa_comparison *c = NULL;
    gpa_status st = gpa_saved_comparison(&c, r->saved, err);
    if (st == GPA_OK && r->has_main) {
        st = gpa_report_comparison(r->text, r->format, &r->info, c, err);
        st = st == GPA_OK ? flush(r, &r->main, err) : st;
    }
    if (st == GPA_OK && r->has_page) {
        st = gpa_report_comparison(r->text, GPA_FORMAT_HTML, &r->info, c, err);
        st = st == GPA_OK ? flush(r, &r->page, err) : st;
    }
    if (st == GPA_OK)
        st = pictures_comparison(&r->pictures, &r->info, c, err);
    gpa_comparison_free(c);
    return st;
}

static gpa_status show(struct run *r, gpa_error *err)
{
    r->info = *gpa_saved_info(r->saved);
    load_look(&r->info, r->a);
    switch (gpa_saved_type(r->saved)) {
    case GPA_SAVED_EXPLANATIONS:
        return show_explanations(r, err);
    case GPA_SAVED_COMPARISON:
        return show_comparison(r, err);
    case GPA_SAVED_PAGE:
        break;
    }
    return fail(err, GPA_INVALID,
                "%.200s is a page already; 'gpa report' starts from JSON", r->a->file);
}

int cmd_report(const struct args *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    gpa_status st = open_outputs(&r, &err);
    if (st == GPA_OK)
        st = gpa_saved_read(&r.saved, a->file, &err);
    if (st == GPA_OK)
        st = show(&r, &err);
    if (st == GPA_OK && r.has_main)
        st = out_commit(&r.main, &err);
    if (st == GPA_OK && r.has_page)
        st = out_commit(&r.page, &err);
    int code = st == GPA_OK ? EXIT_DONE : give_up(st, &err);
    pictures_close(&r.pictures);
    out_discard(&r.page);
    out_discard(&r.main);
    gpa_text_free(r.text);
    gpa_saved_free(r.saved);
    return code;
}

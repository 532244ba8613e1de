#include "cli/commands.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/out.h"
#include "cli/pictures.h"
#include "cli/retell.h"
#include "cli/say.h"
#include <gpa/saved.h>
#include <string.h>

struct run {
    const struct args *a;
    gpa_saved *saved;
    gpa_report_info info;
    gpa_format format;
    struct out main, page;
    bool has_main, has_page;
    struct pictures pictures;
};

static gpa_status open_outputs(struct run *r, gpa_error *err)
{
    const struct args *a = r->a;
    const char *out = a->text[OPT_OUT], *page = a->text[OPT_HTML];
    const char *to = out != NULL ? out : "-";
    gpa_status st = chosen_format(a, &r->format, err);
    r->has_page = page != NULL;
    r->has_main =
        a->given[OPT_CSV] || out != NULL || (page == NULL && !a->given[OPT_PICTURES]);
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
    return st == GPA_OK ? pictures_open(&r->pictures, a->text[OPT_PICTURES], err) : st;
}

static gpa_status draw_explanations(struct run *r, gpa_error *err)
{
    size_t n = gpa_saved_count(r->saved);
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, r->saved, i, err);
        if (st == GPA_OK)
            st = pictures_explanation(&r->pictures, &r->info, e, err);
        gpa_explanation_free(e);
    }
    if (st == GPA_OK && n > 0)
        st = pictures_scores(&r->pictures, &r->info, err);
    if (st == GPA_OK)
        pictures_say(&r->pictures, &r->info, true);
    return st;
}

static gpa_status draw(struct run *r, gpa_error *err)
{
    gpa_comparison *c = NULL;
    if (gpa_saved_type(r->saved) == GPA_SAVED_EXPLANATIONS)
        return draw_explanations(r, err);
    gpa_status st = gpa_saved_comparison(&c, r->saved, err);
    if (st == GPA_OK)
        st = pictures_comparison(&r->pictures, &r->info, c, err);
    gpa_comparison_free(c);
    return st;
}

static gpa_status show(struct run *r, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (gpa_saved_type(r->saved) == GPA_SAVED_PAGE)
        return fail(err, GPA_INVALID,
                    "%.200s is a page already; 'gpa report' starts from JSON",
                    r->a->file);
    r->info = *gpa_saved_info(r->saved);
    load_look(&r->info, r->a);
    if (r->has_main)
        st = retell(r->saved, &r->info, r->format, &r->main, err);
    if (st == GPA_OK && r->has_page)
        st = retell(r->saved, &r->info, GPA_FORMAT_HTML, &r->page, err);
    if (st == GPA_OK && r->a->given[OPT_PICTURES])
        st = draw(r, err);
    return st;
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
    gpa_saved_free(r.saved);
    return code;
}

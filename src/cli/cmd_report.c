#include "base/status.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "cli/stream.h"
#include "console/terminal.h"

struct run {
    const gpai_options *a;
    gpa_saved *saved;
    gpa_report_info info;
    struct results results;
};

static gpa_status draw_explanations(struct run *r, gpa_error *err)
{
    size_t n = gpa_saved_count(r->saved);
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, r->saved, i, err);
        if (st == GPA_OK)
            st = pictures_explanation(&r->results.pictures, &r->info, e, err);
        gpa_explanation_free(e);
    }
    if (st == GPA_OK && n > 0)
        st = pictures_scores(&r->results.pictures, &r->info, err);
    if (st == GPA_OK)
        pictures_say(&r->results.pictures, &r->info, true);
    return st;
}

static gpa_status draw(struct run *r, gpa_error *err)
{
    gpa_comparison *c = NULL;
    if (gpa_saved_type(r->saved) == GPA_SAVED_EXPLANATIONS)
        return draw_explanations(r, err);
    gpa_status st = gpa_saved_comparison(&c, r->saved, err);
    if (st == GPA_OK)
        st = pictures_comparison(&r->results.pictures, &r->info, c, err);
    gpa_comparison_free(c);
    return st;
}

static gpa_status write_to(struct run *r, struct out *o, gpa_format format,
                           gpa_error *err)
{
    struct stream s = {
        .format = format, .info = &r->info, .text = r->results.text, .out = o};
    return stream_saved(&s, r->saved, err);
}

static gpa_status show(struct run *r, gpa_error *err)
{
    struct results *to = &r->results;
    gpa_status st = GPA_OK;
    if (gpa_saved_type(r->saved) == GPA_SAVED_PAGE)
        return gpai_fail(err, GPA_INVALID,
                         "%.200s is a page already; 'gpa report' starts from JSON",
                         r->a->file);
    r->info = *gpa_saved_info(r->saved);
    look_at_terminal(&r->info, r->a);
    if (to->has_main)
        st = write_to(r, &to->main, to->format, err);
    if (st == GPA_OK && to->has_page)
        st = write_to(r, &to->page, GPA_FORMAT_HTML, err);
    if (st == GPA_OK && to->has_pictures)
        st = draw(r, err);
    return st == GPA_OK ? results_commit(to, err) : st;
}

int cmd_report(const gpai_options *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    bool main = a->given[OPT_CSV] || a->given[OPT_OUT] ||
                (!a->given[OPT_HTML] && !a->given[OPT_PICTURES]);
    gpa_status st = results_open(&r.results, a, main, &err);
    if (st == GPA_OK)
        st = gpa_saved_read(&r.saved, a->file, &err);
    if (st == GPA_OK)
        st = show(&r, &err);
    results_close(&r.results);
    gpa_saved_free(r.saved);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}

#include "cli/results.h"
#include "base/status.h"
#include "console/args.h"
#include "console/terminal.h"
#include <string.h>

static gpa_status open_report(struct results *r, struct out *o, const char *path,
                              gpa_format format, gpa_error *err)
{
    r->reports[r->n_reports++] = (struct report){.format = format, .out = o};
    return out_open(&r->all, o, path, err);
}

gpa_status results_open(struct results *r, const gpai_options *a, bool main,
                        gpa_error *err)
{
    const char *out = a->text[OPT_OUT], *page = a->text[OPT_HTML];
    gpa_status st = args_format(a, &r->format, err);
    r->all.given = a;
    r->has_page = page != NULL;
    r->has_main = main;
    if (st == GPA_OK && main && page != NULL &&
        strcmp(page, out != NULL ? out : "-") == 0)
        st = gpai_fail(err, GPA_INVALID,
                       "--html and the results would both go to %.200s", page);
    if (st == GPA_OK && r->has_main)
        st = open_report(r, &r->main, out, r->format, err);
    if (st == GPA_OK && r->has_page)
        st = open_report(r, &r->page, page, GPA_FORMAT_HTML, err);
    r->has_pictures = st == GPA_OK && a->given[OPT_PICTURES];
    if (r->has_pictures)
        st = pictures_open(&r->pictures, &r->all, a->text[OPT_PICTURES], err);
    return st == GPA_OK ? gpa_text_new(&r->text, err) : st;
}

void results_about(struct results *r, const gpa_report_info *info,
                   const gpai_options *a)
{
    r->info = *info;
    look_at_terminal(&r->info, a);
}

static gpa_status flush(struct results *r, const struct report *to, gpa_error *err)
{
    return to->out != NULL ? out_text(to->out, r->text, err) : GPA_OK;
}

/* The next explanation, or (NULL) the end. */
static gpa_status write_piece(struct results *r, struct report *to,
                              const gpa_explanation *e, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (!to->begun)
        st = gpa_report_begin(r->text, to->format, &r->info, e, err);
    to->begun = true;
    if (st == GPA_OK)
        st = e != NULL ? gpa_report_explanation(r->text, to->format, &r->info, e,
                                                r->count, err)
                       : gpa_report_end(r->text, to->format, &r->info, err);
    return st == GPA_OK ? flush(r, to, err) : st;
}

gpa_status results_add(struct results *r, const gpa_explanation *e, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < r->n_reports && st == GPA_OK; i++)
        st = write_piece(r, &r->reports[i], e, err);
    if (st == GPA_OK && r->has_pictures)
        st = pictures_explanation(&r->pictures, &r->info, e, err);
    r->count++;
    return st;
}

gpa_status results_end(struct results *r, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < r->n_reports && st == GPA_OK; i++)
        st = write_piece(r, &r->reports[i], NULL, err);
    if (st == GPA_OK && r->has_pictures && r->count > 0)
        st = pictures_scores(&r->pictures, &r->info, err);
    if (st == GPA_OK && r->has_pictures)
        pictures_say(&r->pictures, &r->info, r->saved);
    return st == GPA_OK ? results_commit(r, err) : st;
}

gpa_status results_comparison(struct results *r, const gpa_comparison *c,
                              gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < r->n_reports && st == GPA_OK; i++) {
        const struct report *to = &r->reports[i];
        st = gpa_report_comparison(r->text, to->format, &r->info, c, err);
        if (st == GPA_OK)
            st = flush(r, to, err);
    }
    if (st == GPA_OK && r->has_pictures)
        st = pictures_comparison(&r->pictures, &r->info, c, err);
    return st == GPA_OK ? results_commit(r, err) : st;
}

gpa_status results_saved(struct results *r, const gpa_saved *from, gpa_error *err)
{
    gpa_comparison *c = NULL;
    gpa_status st = GPA_OK;
    r->saved = true;
    if (gpa_saved_type(from) == GPA_SAVED_COMPARISON) {
        st = gpa_saved_comparison(&c, from, err);
        if (st == GPA_OK)
            st = results_comparison(r, c, err);
        gpa_comparison_free(c);
        return st;
    }
    for (size_t i = 0; i < gpa_saved_count(from) && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, from, i, err);
        if (st == GPA_OK)
            st = results_add(r, e, err);
        gpa_explanation_free(e);
    }
    return st == GPA_OK ? results_end(r, err) : st;
}

gpa_status results_commit(struct results *r, gpa_error *err)
{
    gpa_status st = r->has_main ? out_commit(&r->main, err) : GPA_OK;
    return st == GPA_OK && r->has_page ? out_commit(&r->page, err) : st;
}

void results_close(struct results *r)
{
    gpa_text_free(r->text);
    if (r->has_pictures)
        pictures_close(&r->pictures);
    out_discard(&r->page);
    out_discard(&r->main);
}

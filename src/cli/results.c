#include "cli/results.h"
#include "base/status.h"
#include "console/args.h"
#include <string.h>

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
        st = out_open(&r->all, &r->main, out, err);
    if (st == GPA_OK && r->has_page)
        st = out_open(&r->all, &r->page, page, err);
    r->has_pictures = st == GPA_OK && a->given[OPT_PICTURES];
    if (r->has_pictures)
        st = pictures_open(&r->pictures, &r->all, a->text[OPT_PICTURES], err);
    return st == GPA_OK ? gpa_text_new(&r->text, err) : st;
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

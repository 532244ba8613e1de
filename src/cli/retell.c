#include "cli/retell.h"
#include "cli/say.h"

static gpa_status flush(gpa_text *t, struct out *o, gpa_error *err)
{
    gpa_status st = out_write(o, gpa_text_data(t), gpa_text_length(t), err);
    gpa_text_clear(t);
    return st;
}

/* One explanation (NULL: there is none), with the beginning before the first and the
 * end behind the last. */
static gpa_status put(gpa_text *t, const gpa_saved *s, const gpa_report_info *info,
                      gpa_format format, const gpa_explanation *e, size_t i,
                      gpa_error *err)
{
    gpa_status st = i == 0 ? gpa_report_begin(t, format, info, e, err) : GPA_OK;
    if (st == GPA_OK && e != NULL)
        st = gpa_report_explanation(t, format, info, e, i, err);
    if (st == GPA_OK && i + 1 >= gpa_saved_count(s))
        st = gpa_report_end(t, format, info, err);
    return st;
}

static gpa_status explanations(gpa_text *t, const gpa_saved *s,
                               const gpa_report_info *info, gpa_format format,
                               struct out *o, gpa_error *err)
{
    size_t n = gpa_saved_count(s);
    gpa_status st = n == 0 ? put(t, s, info, format, NULL, 0, err) : GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, s, i, err);
        if (st == GPA_OK)
            st = put(t, s, info, format, e, i, err);
        gpa_explanation_free(e);
        if (st == GPA_OK)
            st = flush(t, o, err);
    }
    return st == GPA_OK ? flush(t, o, err) : st;
}

static gpa_status comparison(gpa_text *t, const gpa_saved *s,
                             const gpa_report_info *info, gpa_format format,
                             struct out *o, gpa_error *err)
{
    gpa_comparison *c = NULL;
    gpa_status st = gpa_saved_comparison(&c, s, err);
    if (st == GPA_OK)
        st = gpa_report_comparison(t, format, info, c, err);
    gpa_comparison_free(c);
    return st == GPA_OK ? flush(t, o, err) : st;
}

gpa_status retell(const gpa_saved *s, const gpa_report_info *info, gpa_format format,
                  struct out *o, gpa_error *err)
{
    gpa_text *t = NULL;
    gpa_status st = gpa_text_new(&t, err);
    if (st == GPA_OK)
        st = gpa_saved_type(s) == GPA_SAVED_COMPARISON
                 ? comparison(t, s, info, format, o, err)
                 : explanations(t, s, info, format, o, err);
    gpa_text_free(t);
    return st;
}

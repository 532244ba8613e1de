#include "cli/stream.h"

static gpa_status flush(struct stream *s, gpa_error *err)
{
    return s->out != NULL ? out_text(s->out, s->text, err) : GPA_OK;
}

static gpa_status begin(struct stream *s, const gpa_explanation *first, gpa_error *err)
{
    if (s->begun)
        return GPA_OK;
    s->begun = true;
    return gpa_report_begin(s->text, s->format, s->info, first, err);
}

gpa_status stream_add(struct stream *s, const gpa_explanation *e, gpa_error *err)
{
    gpa_status st = begin(s, e, err);
    if (st == GPA_OK)
        st = gpa_report_explanation(s->text, s->format, s->info, e, s->count++, err);
    return st == GPA_OK ? flush(s, err) : st;
}

gpa_status stream_end(struct stream *s, gpa_error *err)
{
    gpa_status st = begin(s, NULL, err);
    if (st == GPA_OK)
        st = gpa_report_end(s->text, s->format, s->info, err);
    return st == GPA_OK ? flush(s, err) : st;
}

static gpa_status comparison(struct stream *s, const gpa_saved *from, gpa_error *err)
{
    gpa_comparison *c = NULL;
    gpa_status st = gpa_saved_comparison(&c, from, err);
    if (st == GPA_OK)
        st = gpa_report_comparison(s->text, s->format, s->info, c, err);
    gpa_comparison_free(c);
    return st == GPA_OK ? flush(s, err) : st;
}

gpa_status stream_saved(struct stream *s, const gpa_saved *from, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (gpa_saved_type(from) == GPA_SAVED_COMPARISON)
        return comparison(s, from, err);
    for (size_t i = 0; i < gpa_saved_count(from) && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, from, i, err);
        if (st == GPA_OK)
            st = stream_add(s, e, err);
        gpa_explanation_free(e);
    }
    return st == GPA_OK ? stream_end(s, err) : st;
}

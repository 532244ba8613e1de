#include "base/text/input.h"
#include "base/text/json.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <math.h>
#include <string.h>

/* The answer for those who draw it themselves: the words of pages, line by line. */

static void said(gpa_text *t, const char *name, const gpai_view *v,
                 void (*say)(gpa_text *, const gpai_view *))
{
    gpai_json_key(t, name);
    size_t start = t->length;
    say(t, v);
    gpai_json_string_tail(t, start);
}

static void cell(gpa_text *t, const char *name, const gpai_view *v, size_t k,
                 void (*say)(gpa_text *, const gpai_view *, size_t))
{
    gpai_json_key(t, name);
    size_t start = t->length;
    say(t, v, k);
    gpai_json_string_tail(t, start);
}

/* What would look normal as --set would be given it: digits, or the whole name. */
static void set_to(gpa_text *t, const gpai_view *v, size_t k)
{
    char room[GPAI_INPUT_ROOM];
    size_t start = t->length;
    double normal = k < v->d ? gpai_view_normal(v, k) : (double)NAN;
    gpa_report_info plain = *v->info;
    gpai_view w = *v;
    plain.ascii = true;
    w.info = &plain;
    if (k < v->d && (gpai_has_levels(&v->kinds, k) || gpai_view_exchanged(v, k) < v->d))
        gpai_text_add(
            t, isnan(normal) ? "" : gpai_input_text(&v->kinds.input[k], normal, room));
    else
        gpai_say_would(t, &w, k);
    if (!t->failed && strcmp(t->data + start, GPAI_NO_HELP(&w)) == 0)
        gpai_text_cut(t, start); /* a dash is no value */
}

/* The ends of the interval; of several rows those of the change. */
static void ends_of(const gpai_view *v, size_t k, double ends[2])
{
    if (k == v->d) {
        gpai_view_output_normal(v, ends);
        return;
    }
    gpai_view_normal_ends(v, k, ends);
    bool changes = !gpai_has_levels(&v->kinds, k) && !gpai_view_gap(v, k) &&
                   gpai_view_exchanged(v, k) == v->d;
    if (v->n > 1 && changes) {
        ends[0] = gpai_raw(v->c->low[k], v->unit[k]);
        ends[1] = gpai_raw(v->c->high[k], v->unit[k]);
    }
}

static void name_of(gpa_text *t, const gpai_view *v, size_t k)
{
    enum { NAME = 200 };
    gpai_text_add(t, k < v->d ? "" : "observed ");
    (k < v->d ? gpai_view_input(t, v, k, NAME) : gpai_view_target(t, v, NAME));
}

/* With what it is measured in, as tables have it. */
static void label_of(gpa_text *t, const gpai_view *v, size_t k)
{
    gpai_text_add(t, k < v->d ? "" : "observed ");
    gpai_view_label(t, v, k, 0);
}

static void line(gpa_text *t, const gpai_view *v, size_t k)
{
    double p = gpai_line_blame(v, k), ends[2];
    gpai_json_comma(t);
    gpai_text_add(t, "{");
    if (k < v->d)
        gpai_json_count_field(t, "column", k);
    cell(t, "name", v, k, name_of);
    cell(t, "label", v, k, label_of);
    gpai_json_bool_field(t, "accused", gpai_line_accused(v, k));
    gpai_json_bool_field(t, "held", isnan(p));
    cell(t, "now", v, k, gpai_say_now);
    if (!isnan(p)) {
        ends_of(v, k, ends);
        gpai_json_real_field(t, "p", p, "not known");
        gpai_json_text_field(t, "responsible", gpai_cell_percent(p).text);
        cell(t, "would", v, k, gpai_say_would);
        cell(t, "range", v, k, gpai_say_would_range);
        cell(t, "set", v, k, set_to);
        gpai_json_real_field(t, "low", ends[0], "not known");
        gpai_json_real_field(t, "high", ends[1], "not known");
        if (k < v->d && gpai_view_exchanged(v, k) < v->d)
            gpai_json_count_field(t, "exchanged", gpai_view_exchanged(v, k));
    }
    gpai_text_add(t, "}");
}

static void lines(gpa_text *t, const gpai_view *v)
{
    size_t outcome = gpai_line_outcome(v);
    gpai_json_new_line(t);
    gpai_json_open(t, "lines", "[");
    for (size_t i = 0; i <= v->inputs; i++) {
        if (i == outcome)
            line(t, v, v->d);
        if (i < v->inputs)
            line(t, v, v->order[i]);
    }
    gpai_text_add(t, "]");
}

/* The notes of the explanation itself; those of the table are said once. */
static void notes(gpa_text *t, const gpai_view *v)
{
    gpai_json_open(t, "notes", "[");
    for (size_t i = 0; gpa_explanation_note(v->e, i) != NULL; i++)
        gpai_json_text_item(t, gpa_explanation_note(v->e, i));
    gpai_text_add(t, "]");
}

/* The numbers of "what", as it has them. */
static void numbers(gpa_text *t, const gpai_view *v)
{
    bool ascii = v->info->ascii;
    gpai_json_text_field(t, "observed",
                         v->n == 1 ? gpai_cell_observed(v->y_mean, ascii).text
                                   : gpai_say_number(v, v->y_mean, 5).text);
    gpai_json_text_field(t, "predicted", gpai_say_number(v, v->f_mean, 5).text);
    gpai_json_text_field(t, "score", gpai_say_number(v, v->score_mean, 3).text);
}

static void joint(gpa_text *t, const gpai_view *v)
{
    gpai_say_why(t, v);
    gpai_say_joint(t, v);
    gpai_say_learnt(t, v);
}

void gpai_json_answer(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "{");
    said(t, "rows", v, gpai_say_rows);
    gpai_json_text_field(
        t, "verdict",
        gpa_verdict_name(v->c != NULL ? v->c->verdict : GPA_VERDICT_UNKNOWN));
    said(t, "sentence", v, gpai_say_first);
    said(t, "what", v, gpai_say_what);
    numbers(t, v);
    notes(t, v);
    if (v->c != NULL) {
        said(t, "basis", v, gpai_say_basis);
        lines(t, v);
    }
    gpai_json_new_line(t);
    if (gpa_explanation_stage(v->e) == GPA_STAGE_WHOLE) {
        said(t, "joint", v, joint);
        said(t, "search", v, gpai_say_search);
    }
    said(t, "asked", v, gpai_say_rows_asked);
    gpai_text_add(t, "}");
}

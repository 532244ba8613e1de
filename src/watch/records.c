#include "watch/records.h"
#include "base/alloc.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "console/terminal.h"
#include "data/dates.h"
#include "report/words/named.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

gpa_status records_open(struct records *r, const gpa_study *s,
                        const struct force *force, const gpai_options *a,
                        gpa_error *err)
{
    *r = (struct records){.info = *gpa_study_info(s),
                          .force = force,
                          .every = a->given[OPT_EVERY_LINE],
                          .rows = !gpai_options_is(a, OPT_ONLY, "episodes"),
                          .episodes = !gpai_options_is(a, OPT_ONLY, "rows")};
    look_at_terminal(&r->info, a);
    r->people = !a->given[OPT_JSON] && isatty(STDOUT_FILENO) == 1;
    r->info.ids = NULL;
    r->info.full = false;
    gpa_status st = gpa_text_new(&r->text, err);
    return st == GPA_OK ? gpa_text_new(&r->aside, err) : st;
}

void records_close(struct records *r)
{
    gpa_text_free(r->text);
    gpa_text_free(r->aside);
}

/* One line: what reports put on several is put on one. Line ends within strings are
 * escaped. */
static void join_lines(gpa_text *t, size_t start)
{
    for (char *p = t->data + start; (p = strchr(p, '\n')) != NULL;)
        *p = ' ';
}

/* Where the next record goes: a line of its own or, with --every, into the record of
 * the line that it came of. */
static gpa_text *begin(struct records *r, bool line, const char *event)
{
    gpa_text *t = !line && r->every ? r->aside : r->text;
    if (t == r->text)
        record_end(r);
    else if (t->length > 0)
        gpai_text_add(t, ",");
    gpai_text_add(t, "{\"format\":\"gpa-watch/1\"");
    gpai_json_text_field(t, "event", event);
    r->begun = r->begun || t == r->text;
    return t;
}

static void end(struct records *r, gpa_text *t)
{
    if (t == r->aside)
        gpai_text_add(t, "}");
    else if (!r->every)
        record_end(r);
}

void record_end(struct records *r)
{
    if (!r->begun)
        return;
    r->begun = false;
    if (r->aside->length > 0) {
        gpai_json_open(r->text, "events", "[");
        gpai_text_bytes(r->text, r->aside->data, r->aside->length);
        gpai_text_add(r->text, "]");
        gpa_text_clear(r->aside);
    }
    gpai_text_add(r->text, "}\n");
}

static void id_field(gpa_text *t, const char *name, const char *id)
{
    if (id != NULL)
        gpai_json_text_field(t, name, id);
    else
        gpai_json_null_field(t, name, "none was found");
}

static void number_field(gpa_text *t, const struct episode *x)
{
    if (x != NULL && x->number > 0)
        gpai_json_count_field(t, "episode", x->number);
    else {
        gpai_json_key(t, "episode");
        gpai_text_add(t, "null");
    }
}

/* What is in force. */
static void force_fields(gpa_text *t, const struct force *w, uint64_t n)
{
    gpai_json_real_field(t, "sigma", w->sigma, "not known");
    gpai_json_real_field(t, "threshold", w->threshold, "not known");
    gpai_json_real_field(t, "offset", w->offset, "not known");
    gpai_json_count_field(t, "renewed", w->renewed);
    gpai_json_count_field(t, "n", n);
}

/* The input that is named, of several that are wrong together the first, or the target;
 * NULL: which of them cannot be told, or none. */
static const char *culprit_name(const gpai_view *v)
{
    char room[GPAI_NAME_SIZE];
    if (v->c == NULL)
        return NULL;
    if (v->c->verdict == GPA_VERDICT_OUTPUT)
        return v->info->target;
    if (v->c->verdict != GPA_VERDICT_INPUT)
        return NULL;
    size_t first = gpai_view_named(v).input[0];
    return v->kinds.name != NULL ? v->kinds.name[first]
                                 : gpai_name_input(v->info, first, room);
}

static void blame_fields(gpa_text *t, struct records *r, const gpai_view *v)
{
    const char *name = culprit_name(v);
    gpai_json_blame_fields(t, v);
    gpai_json_key(t, "accused");
    if (name != NULL)
        gpai_json_string(t, name);
    else
        gpai_text_add(t, "null");
    gpai_json_inputs_field(t, &r->info, v->d);
    gpai_json_array_field(t, "unit", v->unit, v->d, "not known");
}

/* A line for people: what it is about, then the sentence. */
static gpa_text *people_line(struct records *r, uint64_t live)
{
    gpa_text *t = r->text;
    if (r->live != 0 && r->live == live)
        gpai_text_add(t, "\r\x1b[K");
    else if (r->live != 0)
        gpai_text_add(t, "\n");
    r->live = live;
    return t;
}

static void cut_line(struct records *r, size_t start)
{
    size_t width = r->info.width > 20 ? r->info.width : 100;
    char *line = gpai_text_take(r->text, start);
    if (line != NULL)
        gpai_text_visible(r->text, line, width - 1, r->info.ascii);
    gpai_free(line);
    if (r->live == 0)
        gpai_text_add(r->text, "\n");
}

static void row_for_people(struct records *r, const struct judged *j,
                           const gpai_view *v)
{
    gpa_text *t = people_line(r, 0);
    size_t start = t->length;
    gpai_text_printf(t, "row %s  score ", j->id);
    gpai_text_add(t, gpai_cell_people(j->score, 3, r->info.ascii).text);
    if (v != NULL) {
        gpai_text_add(t, "  ");
        gpai_say_first(t, v);
    } else if (j->waits != NULL) {
        gpai_text_printf(t, "  %s", j->waits);
    }
    cut_line(r, start);
}

static void row_as_json(struct records *r, const struct judged *j, const gpai_view *v)
{
    gpa_text *t = begin(r, true, "row");
    size_t start = t->length;
    id_field(t, "id", j->id);
    number_field(t, j->episode);
    gpai_json_real_field(t, "y", j->y, j->waits != NULL ? j->waits : "missing");
    gpai_json_real_field(t, "f", j->f, j->waits != NULL ? j->waits : "missing");
    gpai_json_real_field(t, "score", j->score,
                         j->waits != NULL ? j->waits : "not known");
    force_fields(t, r->force, 1);
    if (j->warm_up)
        gpai_json_bool_field(t, "warm_up", true);
    if (v != NULL)
        blame_fields(t, r, v);
    join_lines(t, start);
    end(r, t);
}

gpa_status record_row(struct records *r, const struct judged *j,
                      const gpa_explanation *e, gpa_error *err)
{
    gpai_view v;
    if (!r->every && (!r->rows || (e == NULL && j->waits == NULL)))
        return GPA_OK;
    if (r->people && !r->every && r->episodes)
        return GPA_OK; /* a line for each episode is what people look at */
    gpa_status st = e != NULL ? gpai_view_make(&v, &r->info, e, err) : GPA_OK;
    if (st != GPA_OK)
        return st;
    (r->people ? row_for_people : row_as_json)(r, j, e != NULL ? &v : NULL);
    if (e != NULL)
        gpai_view_free(&v);
    return GPA_OK;
}

/* Seconds from the first row to the last, where their names are times. */
static double seconds_of(const struct episode *x)
{
    double first, last;
    bool time;
    return gpai_date(x->first, &first, &time) && gpai_date(x->last, &last, &time)
               ? last - first
               : (double)NAN;
}

static void episode_as_json(struct records *r, const char *event, const char *why,
                            const struct episode *x, const gpai_view *v)
{
    gpa_text *t = begin(r, false, event);
    size_t start = t->length;
    id_field(t, "id", x->last);
    number_field(t, x);
    gpai_json_real_field(t, "score", v->score_mean, "not known");
    gpai_json_real_field(t, "worst", x->worst, "not known");
    id_field(t, "first", x->first);
    id_field(t, "last", x->last);
    gpai_json_count_field(t, "duration_rows", x->ended - x->began + 1);
    if (isfinite(seconds_of(x)))
        gpai_json_real_field(t, "duration_seconds", seconds_of(x), "");
    gpai_json_count_field(t, "kept", x->kept);
    force_fields(t, r->force, x->rows);
    if (why != NULL)
        gpai_json_text_field(t, "reason", why);
    blame_fields(t, r, v);
    join_lines(t, start);
    end(r, t);
}

static void episode_for_people(struct records *r, const char *event, const char *why,
                               const struct episode *x, const gpai_view *v)
{
    bool over = strcmp(event, "open") != 0 && strcmp(event, "update") != 0;
    gpa_text *t = people_line(r, x->number);
    size_t start = t->length;
    gpai_text_printf(t, "episode %ju %s  %ju row%s, %s to %s  ", (uintmax_t)x->number,
                     over ? event : "open", (uintmax_t)x->rows, x->rows == 1 ? "" : "s",
                     x->first, x->last);
    gpai_say_first(t, v);
    if (why != NULL)
        gpai_text_printf(t, " (%s)", why);
    if (over)
        r->live = 0;
    cut_line(r, start);
}

gpa_status record_episode(struct records *r, const char *event, const char *why,
                          const struct episode *x, const gpa_explanation *e,
                          gpa_error *err)
{
    gpai_view v;
    if (!r->episodes)
        return GPA_OK;
    gpa_status st = gpai_view_make(&v, &r->info, e, err);
    if (st != GPA_OK)
        return st;
    (r->people ? episode_for_people : episode_as_json)(r, event, why, x, &v);
    gpai_view_free(&v);
    return GPA_OK;
}

static void problem(struct records *r, bool own, enum trouble trouble, const char *id,
                    uint64_t line, const char *text, uint64_t n)
{
    if (r->people) {
        gpa_text *t = people_line(r, 0);
        size_t start = t->length;
        gpai_text_printf(t, "problem: %s", text);
        if (line > 0)
            gpai_text_printf(t, ", line %ju", (uintmax_t)line);
        else if (id != NULL)
            gpai_text_printf(t, ", row %s", id);
        cut_line(r, start);
        return;
    }
    gpa_text *t = begin(r, own, "problem");
    id_field(t, "id", id);
    if (line > 0)
        gpai_json_count_field(t, "line", line);
    gpai_json_text_field(t, "reason", trouble_word(trouble));
    gpai_json_text_field(t, "text", text);
    force_fields(t, r->force, n);
    end(r, t);
}

void record_problem(struct records *r, enum trouble t, const char *id, uint64_t line,
                    const char *text)
{
    problem(r, true, t, id, line, text, 1);
}

void record_late(struct records *r, enum trouble t, const char *id, const char *text,
                 uint64_t n)
{
    problem(r, false, t, id, 0, text, n);
}

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/escape.h"
#include "base/text/input.h"
#include "base/text/utf8.h"
#include "report/html/parts.h"
#include "report/words/named.h"
#include "report/words/sentence.h"
#include <math.h>
#include <string.h>

/* Many explanations at a glance. A page is written as they come, so what is known of
 * each is kept beside its text until the end; the style sheet puts the summary first.
 */

enum way { OTHER, TOO_HIGH, TOO_LOW, MISSING, EXCHANGED, LEVEL };

/* An explanation, or another input that it names. */
struct record {
    size_t row, d, k; /* k: the input; d where none is named */
    size_t pictured;  /* cases with pictures so far */
    gpa_verdict verdict;
    bool more; /* the explanation has a record already */
    bool one;  /* it suspects one input, though not clearly */
    enum way way;
    double to; /* the level that would look normal */
};

static enum way way_of(const gpai_view *v, size_t k)
{
    double change = gpai_view_change(v, k);
    if (gpai_view_exchanged(v, k) < v->d)
        return EXCHANGED;
    if (gpai_view_gap(v, k))
        return MISSING;
    if (gpai_has_levels(&v->kinds, k))
        return LEVEL;
    return change < 0 ? TOO_HIGH : change > 0 ? TOO_LOW : OTHER;
}

static void keep(gpa_text *t, const struct record *r)
{
    gpa_text *aside = gpai_text_aside(t);
    if (aside != NULL)
        gpai_text_bytes(aside, (const char *)r, sizeof *r);
    t->failed = t->failed || aside == NULL || aside->failed;
}

size_t gpai_html_pictured(gpa_text *t)
{
    const gpa_text *aside = gpai_text_aside(t);
    struct record last = {0};
    if (aside != NULL && aside->length >= sizeof last)
        memcpy(&last, aside->data + aside->length - sizeof last, sizeof last);
    return last.pictured;
}

void gpai_html_note_case(gpa_text *t, const gpai_view *v, bool pictures)
{
    struct record r = {.row = gpa_explanation_row(v->e, 0), .d = v->d, .k = v->d};
    r.pictured = gpai_html_pictured(t) + pictures;
    r.verdict = v->c != NULL ? v->c->verdict : GPA_VERDICT_UNKNOWN;
    r.one = r.verdict == GPA_VERDICT_TIED && v->suspects == 1;
    for (size_t i = 0; i < v->inputs && r.verdict == GPA_VERDICT_INPUT; i++) {
        size_t k = v->order[i];
        if (!gpai_view_accused(v, k))
            continue;
        r.k = k;
        r.way = way_of(v, k);
        r.to = r.way == LEVEL ? gpai_view_normal(v, k) : (double)NAN;
        keep(t, &r);
        r.more = true;
    }
    if (!r.more)
        keep(t, &r);
}

struct summary {
    const gpa_report_info *info;
    const struct record *all;
    size_t n;
    size_t cases, by[GPA_VERDICT_OUTPUT + 1];
    size_t shared;  /* of those that name inputs, how many name more than one */
    size_t unclear; /* of those that are tied, how many suspect one input only */
    size_t most;    /* explanations in a line */
    gpai_axis x;    /* of rows */
    gpai_kinds kinds;
};

/* Whether a record belongs to the line of a verdict and, for inputs, of k; of ties k is
 * 1 where only one input is suspected, else 0. */
static bool in_line(const struct record *r, gpa_verdict verdict, size_t k)
{
    if (verdict == GPA_VERDICT_TIED && r->one != (k == 1))
        return false;
    return r->verdict == verdict && (verdict != GPA_VERDICT_INPUT || r->k == k);
}

static void add_count(gpa_text *t, size_t count, const char *words, bool *first)
{
    if (count > 0)
        gpai_text_printf(t, "%s%zu %s", *first ? ": " : ", ", count, words);
    *first = *first && count == 0;
}

static void sentence(gpa_text *t, const struct summary *s)
{
    bool first = true;
    const char *target = s->info->target != NULL ? s->info->target : "y";
    gpai_text_printf(t, "<h2>%zu explanations", s->cases);
    add_count(t, s->by[GPA_VERDICT_INPUT],
              s->by[GPA_VERDICT_INPUT] > 1 ? "name an input" : "names an input",
              &first);
    if (s->shared > 0)
        gpai_text_printf(t, " (%zu of them several at once: counted at each)",
                         s->shared);
    add_count(t, s->unclear,
              s->unclear > 1 ? "suspect one, not clearly" : "suspects one, not clearly",
              &first);
    add_count(t, s->by[GPA_VERDICT_TIED] - s->unclear, "cannot tell which", &first);
    add_count(t, s->by[GPA_VERDICT_OUTPUT],
              s->by[GPA_VERDICT_OUTPUT] > 1 ? "suspect the observed "
                                            : "suspects the observed ",
              &first);
    if (s->by[GPA_VERDICT_OUTPUT] > 0) {
        gpai_html_short(t, target, 60);
        gpai_text_add(t, " or the model");
    }
    add_count(t, s->by[GPA_VERDICT_NORMAL], "found nothing unusual", &first);
    gpai_text_add(t, ".</h2>\n");
}

/* The rows of a line as ticks: above the line too high, below it too low. */
static void ticks(gpa_text *t, const struct summary *s, gpa_verdict verdict, size_t k)
{
    gpai_text_add(t,
                  "</td><td class=\"sl\"><svg class=\"ticks\" viewBox=\"0 0 320 20\" "
                  "aria-hidden=\"true\"><path class=\"t\" d=\"M4 10H316\"/><path "
                  "class=\"o\" d=\"");
    for (size_t i = 0; i < s->n; i++) {
        const struct record *r = &s->all[i];
        if (!in_line(r, verdict, k))
            continue;
        bool up = r->way == TOO_HIGH, down = r->way == TOO_LOW;
        gpai_draw_to(t, "M", gpai_axis_at(&s->x, (double)r->row),
                     up     ? 1
                     : down ? 10
                            : 6);
        gpai_text_printf(t, "v%d", up || down ? 9 : 8);
    }
    gpai_text_add(t, "\"/></svg></td><td class=\"nn\">");
}

/* "3 should be no": the level most often proposed. */
static void level_words(gpa_text *t, const struct summary *s, size_t k, size_t levels)
{
    size_t most = 0;
    double to = (double)NAN;
    char room[GPAI_INPUT_ROOM];
    for (size_t i = 0; i < s->n; i++) {
        size_t same = 0;
        for (size_t j = 0; j < s->n && in_line(&s->all[i], GPA_VERDICT_INPUT, k); j++)
            same += in_line(&s->all[j], GPA_VERDICT_INPUT, k) &&
                    s->all[j].to == s->all[i].to;
        if (same > most) {
            most = same;
            to = s->all[i].to;
        }
    }
    if (most == 0)
        return;
    const char *name = gpai_input_text(&s->kinds.input[k], to, room);
    gpai_text_printf(t, "%zu of %zu should be ", most, levels);
    gpai_html_short(t, *name != '\0' ? name : "(empty)", 24);
}

static void directions(gpa_text *t, const struct summary *s, size_t k)
{
    static const char *const WORDS[] = {[TOO_HIGH] = "too high",
                                        [TOO_LOW] = "too low",
                                        [MISSING] = "missing",
                                        [EXCHANGED] = "exchanged"};
    size_t count[LEVEL + 1] = {0}, said = 0;
    for (size_t i = 0; i < s->n; i++)
        if (in_line(&s->all[i], GPA_VERDICT_INPUT, k))
            count[s->all[i].way]++;
    for (int way = TOO_HIGH; way <= EXCHANGED; way++)
        if (count[way] > 0)
            gpai_text_printf(t, "%s%zu %s", said++ > 0 ? ", " : "", count[way],
                             WORDS[way]);
    if (count[LEVEL] > 0)
        level_words(t, s, k, count[LEVEL]);
}

static void counted(gpa_text *t, const struct summary *s, size_t count)
{
    gpai_text_add(t, "</th><td class=\"b\">");
    gpai_html_bar(t, (double)count / (double)s->most);
    gpai_text_printf(t, "</td><td class=\"p\">%zu", count);
}

static void input_line(gpa_text *t, const struct summary *s, size_t k, size_t count)
{
    gpai_text_add(t, "<tr class=\"first\"><th class=\"nm\" scope=\"row\">");
    gpai_html_short(t, s->kinds.name[k], 60);
    counted(t, s, count);
    ticks(t, s, GPA_VERDICT_INPUT, k);
    directions(t, s, k);
    gpai_text_add(t, "</td></tr>\n");
}

static void verdict_line(gpa_text *t, const struct summary *s, gpa_verdict verdict,
                         size_t k, const char *words)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++)
        count += !s->all[i].more && in_line(&s->all[i], verdict, k);
    if (count == 0)
        return;
    gpai_text_printf(t, "<tr class=\"out\"><th class=\"nm\" scope=\"row\">%s", words);
    counted(t, s, count);
    ticks(t, s, verdict, k);
    gpai_text_add(t, "</td></tr>\n");
}

/* Which inputs how often, the most frequent first. */
static void input_lines(gpa_text *t, struct summary *s, gpai_placed *ranks)
{
    enum { SHOWN = 12 };
    size_t n = 0;
    for (size_t i = 0; i < s->kinds.n; i++) {
        size_t k = s->kinds.seen[i], count = 0;
        for (size_t j = 0; j < s->n; j++)
            count += in_line(&s->all[j], GPA_VERDICT_INPUT, k);
        if (count > 0)
            ranks[n++] = (gpai_placed){(double)count, 0, k};
        s->most = count > s->most ? count : s->most;
    }
    gpai_placed_sort(ranks, n);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        input_line(t, s, ranks[i].k, (size_t)ranks[i].first);
    if (n > SHOWN)
        gpai_text_printf(t,
                         "<tr><th class=\"nm\" scope=\"row\" colspan=\"5\">%zu more "
                         "inputs, less often</th></tr>\n",
                         n - SHOWN);
}

static void find_axis(struct summary *s)
{
    const gpa_background *b = s->info->background;
    gpai_span rows = gpai_span_empty();
    if (b != NULL && b->total > 0) {
        gpai_span_add(&rows, 0);
        gpai_span_add(&rows, (double)(b->total - 1));
        if (b->n > 0) /* beyond that where some are left out */
            gpai_span_add(&rows, (double)gpai_reference_row(b, b->n - 1));
    }
    for (size_t i = 0; i < s->n; i++)
        gpai_span_add(&rows, (double)s->all[i].row);
    s->x = gpai_axis_make(rows, 6, 314);
}

/* The first and the last row by their names, times perhaps; by their numbers where one
 * of them has no name. */
static void ends(gpa_text *t, const struct summary *s)
{
    char room[2][GPAI_NAME_SIZE], number[2][GPAI_NAME_SIZE];
    const gpa_report_info nameless = {0};
    const char *name[2], *plain[2];
    for (int i = 0; i < 2; i++) {
        size_t row = (size_t)(i == 0 ? s->x.low : s->x.high);
        name[i] = gpai_name_row(s->info, row, room[i]);
        plain[i] = gpai_name_row(&nameless, row, number[i]);
    }
    bool both = strcmp(name[0], plain[0]) != 0 && strcmp(name[1], plain[1]) != 0;
    size_t start = t->length;
    gpai_text_add(t, "rows ");
    gpai_text_visible(t, both ? name[0] : plain[0], GPAI_SAY_NAME, false);
    gpai_text_add(t, " to ");
    gpai_text_visible(t, both ? name[1] : plain[1], GPAI_SAY_NAME, false);
    gpai_html_tail(t, start);
}

static void table(gpa_text *t, struct summary *s, gpai_placed *ranks)
{
    gpai_text_add(t,
                  "<table class=\"who\">"
                  "<colgroup><col class=\"nm\"><col class=\"b\"><col "
                  "class=\"p\"><col class=\"sl\"><col class=\"nn\"></colgroup>"
                  "<thead><tr><th class=\"nm\">responsible</th>"
                  "<th class=\"b\" colspan=\"2\">explanations</th><th class=\"sl\">");
    ends(t, s);
    gpai_text_add(t, "</th><th class=\"nn\">which way</th></tr></thead><tbody>\n");
    input_lines(t, s, ranks);
    verdict_line(t, s, GPA_VERDICT_TIED, 1, "one input, not clearly");
    verdict_line(t, s, GPA_VERDICT_TIED, 0, "one of several inputs");
    verdict_line(t, s, GPA_VERDICT_OUTPUT, 0, "the observed value or the model");
    verdict_line(t, s, GPA_VERDICT_NORMAL, 0, "nothing unusual");
    gpai_text_add(t, "</tbody></table>\n<p class=\"small\">Each tick is an explained "
                     "row: above the line where the value is too high, below where it "
                     "is too low.</p>\n");
}

gpa_status gpai_html_summary(gpa_text *t, const gpa_report_info *info, gpa_error *err)
{
    enum { FEW = 3 }; /* are all unfolded */
    const gpa_text *aside = gpai_text_aside(t);
    struct summary s = {.info = info};
    if (aside == NULL || aside->length <= FEW * sizeof *s.all)
        return GPA_OK;
    s.n = aside->length / sizeof *s.all;
    struct record *all = gpai_calloc(s.n, sizeof *all);
    gpai_placed *ranks = NULL;
    gpa_status st = GPA_OK;
    if (all == NULL)
        return gpai_nomem(err, "report");
    memcpy(all, aside->data, s.n * sizeof *all);
    s.all = all;
    for (size_t i = 0; i < s.n; i++) {
        s.cases += !all[i].more;
        s.by[all[i].verdict] += !all[i].more;
        s.unclear += all[i].one;
        s.shared += all[i].more && !all[i - 1].more; /* the first of its others */
    }
    for (size_t i = 0; i < sizeof s.by / sizeof s.by[0]; i++)
        s.most = s.by[i] > s.most && i != GPA_VERDICT_INPUT ? s.by[i] : s.most;
    find_axis(&s);
    st = gpai_kinds_make(&s.kinds, info, all[0].d, err);
    ranks = gpai_calloc(s.kinds.n, sizeof *ranks);
    if (st == GPA_OK && ranks == NULL)
        st = gpai_nomem(err, "report");
    if (st == GPA_OK && s.cases > FEW && s.by[GPA_VERDICT_UNKNOWN] < s.cases) {
        gpai_text_add(t, "<section class=\"sum\">\n");
        sentence(t, &s);
        table(t, &s, ranks);
        gpai_text_add(t, "</section>\n");
    }
    gpai_free(ranks);
    gpai_kinds_free(&s.kinds);
    gpai_free(all);
    return st;
}

#include "base/text/text.h"
#include "base/text/words.h"
#include "lab/planted/planted.h"
#include <math.h>
#include <string.h>

static void put_safe(gpa_text *t, const char *text)
{
    char safe[400];
    gpai_word_safe(safe, sizeof safe, text);
    gpai_text_add(t, safe);
}

/* "0.95 [0.91, 0.98]", or a dash, in a column of that width. */
enum { INTERVAL_WIDTH = 17 };

static void put_interval(gpa_text *t, struct figure g)
{
    if (isnan(g.value))
        gpai_text_printf(t, "  %-*s", INTERVAL_WIDTH, "   -");
    else
        gpai_text_printf(t, "  %4.2f [%4.2f, %4.2f]", g.value, g.low, g.high);
}

static void put_number(gpa_text *t, double value, int digits, int width)
{
    if (isnan(value))
        gpai_text_printf(t, "  %*s", width, "-");
    else
        gpai_text_printf(t, "  %*.*f", width, fabs(value) >= 1000 ? 0 : digits, value);
}

static int title_width(const struct planted_result *r)
{
    size_t width = strlen("method");
    for (size_t j = 0; j < r->n_methods; j++) {
        size_t title = strlen(r->methods[j]->title);
        width = title > width ? title : width;
    }
    return (int)width;
}

static void put_line(gpa_text *t, const struct planted_result *r,
                     const struct summary *s, size_t kind, size_t j, bool first)
{
    if (first)
        gpai_text_printf(t, "  %-8s  %5zu",
                         kind < s->n_kinds ? s->kinds[kind].name : "total",
                         summary_cases(s, kind));
    else
        gpai_text_printf(t, "  %-8s  %5s", "", "");
    gpai_text_printf(t, "  %-*s", title_width(r), r->methods[j]->title);
    put_interval(t, summary_figure(s, kind, j, RECALL));
    put_interval(t, summary_figure(s, kind, j, OUTPUT));
    put_interval(t, summary_figure(s, kind, j, HOLDS));
    put_number(t, summary_figure(s, kind, j, SIZE).value, 1, 4);
    put_number(t, summary_figure(s, kind, j, ERROR).value, 2, 6);
    put_number(t, summary_figure(s, kind, j, ROWS).value, 0, 6);
    gpai_text_add(t, "\n");
}

/* An output fault says nothing about a method that has no word for it. */
static bool worth_a_line(const struct summary *s, size_t kind, size_t j)
{
    return !isnan(summary_figure(s, kind, j, RECALL).value) ||
           !isnan(summary_figure(s, kind, j, OUTPUT).value);
}

static void put_summary(gpa_text *t, const struct planted_result *r,
                        const struct summary *s)
{
    gpai_text_printf(t, "\n  %-8s  %5s  %-*s  %-*s  %-*s  %-*s  %4s  %6s  %6s\n",
                     "kind", "cases", title_width(r), "method", INTERVAL_WIDTH,
                     "first/recall", INTERVAL_WIDTH, "AUC of output", INTERVAL_WIDTH,
                     "set holds it", "size", "error", "rows");
    for (size_t k = 0; k <= s->n_kinds; k++) {
        bool first = true;
        for (size_t j = 0; j < r->n_methods; j++)
            if (worth_a_line(s, k, j)) {
                put_line(t, r, s, k, j, first);
                first = false;
            }
    }
}

static void put_planting(gpa_text *t, const struct planted_result *r)
{
    const struct planting *p = r->planting;
    gpai_text_printf(
        t,
        "Planted in %zu rows with |y - f| up to the median; each takes |y - f| "
        "beyond %.4g,\nits %.0f %% point. %ju model rows were asked for that.\n",
        p->normal, p->threshold, 100 * p->quantile, (uintmax_t)p->model_rows);
    const char *comma = "Never at fault, for no fault of theirs shows: ";
    for (size_t k = 0; k < r->sets[0].inputs; k++)
        if (!p->able[k]) {
            gpai_text_add(t, comma);
            put_safe(t, r->inputs[k]);
            comma = ", ";
        }
    gpai_text_add(t, p->n_able < r->sets[0].inputs ? ".\n" : "");
    for (size_t i = 0; i < PLANTED_KINDS; i++)
        if (p->kinds[i].made < p->kinds[i].wanted)
            gpai_text_printf(t, "Only %zu of %zu faults of kind %s could be made.\n",
                             p->kinds[i].made, p->kinds[i].wanted, p->kinds[i].kind);
    gpai_text_add(t, "\n");
}

static const char LEGEND[] =
    "\n"
    "first/recall  share of single faults whose culprit came first; of several "
    "culprits, the\n"
    "              share among as many first inputs. Equal inputs share a place.\n"
    "AUC of output how well P(output) tells output faults from faults of one input "
    "with as\n"
    "              many rows (total: from all faults of inputs): 0.5 is chance, 1 "
    "perfect\n"
    "set holds it  share of 90 % sets that hold the one culprit, and the sets' mean "
    "size\n"
    "error         median relative error of the correction of the one culprit\n"
    "rows          model rows per case\n"
    "[ , ]         90 % interval over cases drawn again, 1000 times, kind by kind\n";

void result_table(gpa_text *t, const struct planted_result *r)
{
    if (r->planting != NULL)
        put_planting(t, r);
    for (size_t i = 0; i < r->n_sets; i++) {
        const struct set_result *s = &r->sets[i];
        gpai_text_add(t, i > 0 ? "\n" : "");
        put_safe(t, s->name);
        if (s->model == NULL) {
            gpai_text_add(t, ": skipped: ");
            put_safe(t, s->reason);
            gpai_text_add(t, "\n");
            continue;
        }
        gpai_text_printf(t, ": %zu inputs, %zu unlabelled rows, sigma %.4g, model ",
                         s->inputs, s->rows, s->sigma);
        put_safe(t, s->model);
        put_summary(t, r, s->summary);
    }
    if (r->n_run > 1) {
        gpai_text_printf(t, "\nmean of %zu sets", r->n_run);
        put_summary(t, r, &r->mean);
    }
    gpai_text_add(t, LEGEND);
}

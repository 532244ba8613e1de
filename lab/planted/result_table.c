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
        gpai_text_printf(t, "  %-10s  %5zu",
                         kind < s->n_kinds ? s->kinds[kind].name : "total",
                         summary_cases(s, kind));
    else
        gpai_text_printf(t, "  %-10s  %5s", "", "");
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
    gpai_text_printf(t, "\n  %-10s  %5s  %-*s  %-*s  %-*s  %-*s  %4s  %6s  %6s\n",
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

/* What a verdict was worth, over all cases; nothing where no method has one. */
static void put_verdicts(gpa_text *t, const struct planted_result *r,
                         const struct summary *s)
{
    bool begun = false;
    size_t all = s->n_kinds;
    for (size_t j = 0; j < r->n_methods; j++) {
        if (isnan(summary_figure(s, all, j, IMPOSSIBLE).value) &&
            isnan(summary_figure(s, all, j, RIGHT).value) &&
            isnan(summary_figure(s, all, j, ACCUSES).value))
            continue;
        if (!begun)
            gpai_text_printf(t, "\n  %-*s  %-*s  %-*s  %-*s  %6s  %6s  %-*s\n",
                             title_width(r), "says input", INTERVAL_WIDTH,
                             "and is right", INTERVAL_WIDTH, "and is wrong",
                             INTERVAL_WIDTH, "output at fault", "calib.", "-ln P",
                             INTERVAL_WIDTH, "impossible");
        begun = true;
        gpai_text_printf(t, "  %-*s", title_width(r), r->methods[j]->title);
        put_interval(t, summary_figure(s, all, j, RIGHT));
        put_interval(t, summary_figure(s, all, j, WRONG));
        put_interval(t, summary_figure(s, all, j, ACCUSES));
        put_number(t, summary_figure(s, all, j, SURE).value, 3, 6);
        put_number(t, summary_figure(s, all, j, SURPRISE).value, 3, 6);
        put_interval(t, summary_figure(s, all, j, IMPOSSIBLE));
        gpai_text_add(t, "\n");
    }
}

/* Whether a method has said a verdict. */
static bool has_verdicts(const struct summary *s, size_t kind, size_t j)
{
    return !isnan(summary_figure(s, kind, j, SAYS_TIED).value);
}

/* A share, 0 where it does not apply. */
static double share(const struct summary *s, size_t kind, size_t j, enum measure m)
{
    double value = summary_figure(s, kind, j, m).value;
    return isnan(value) ? 0 : value;
}

/* What a method said of the faults of a kind; when the output is at fault, an input is
 * always the wrong one. */
static void put_said(gpa_text *t, const struct summary *s, size_t kind, size_t j)
{
    double right = share(s, kind, j, RIGHT), rest = 0;
    for (int m = SAYS_OUTPUT; m <= SAYS_NORMAL; m++)
        rest += share(s, kind, j, (enum measure)m);
    put_number(t, right, 2, 5);
    put_number(t, fmax(0, 1 - right - rest), 2, 5);
    put_number(t, share(s, kind, j, SAYS_OUTPUT), 2, 6);
    put_number(t, share(s, kind, j, SAYS_TIED), 2, 5);
    put_number(t, share(s, kind, j, SAYS_NORMAL), 2, 6);
    gpai_text_add(t, "\n");
}

/* Kinds of fault by what was said of them. */
static void put_said_table(gpa_text *t, const struct planted_result *r,
                           const struct summary *s)
{
    bool begun = false;
    for (size_t k = 0; k < s->n_kinds; k++) {
        bool first = true;
        for (size_t j = 0; j < r->n_methods; j++) {
            if (!has_verdicts(s, k, j))
                continue;
            if (!begun)
                gpai_text_printf(t, "\n  %-10s  %5s  %-*s  %5s  %5s  %6s  %5s  %6s\n",
                                 "verdict on", "cases", title_width(r), "method",
                                 "right", "wrong", "output", "tied", "normal");
            begun = true;
            if (first)
                gpai_text_printf(t, "  %-10s  %5zu", s->kinds[k].name,
                                 summary_cases(s, k));
            else
                gpai_text_printf(t, "  %-10s  %5s", "", "");
            first = false;
            gpai_text_printf(t, "  %-*s", title_width(r), r->methods[j]->title);
            put_said(t, s, k, j);
        }
    }
}

/* "0.81  0.85 [0.73, 0.93]  41", or as much room. */
static void put_agreement(gpa_text *t, const struct reliability *r, size_t bin)
{
    struct agreement a = {.cases = 0};
    if (r != NULL)
        a = reliability_bin(r, bin);
    if (a.cases == 0) {
        gpai_text_printf(t, "  %6s  %-*s  %5s", "-", INTERVAL_WIDTH, "   -", "0");
        return;
    }
    gpai_text_printf(t, "  %6.3f", a.stated);
    put_interval(t, (struct figure){a.share, a.low, a.high});
    gpai_text_printf(t, "  %5zu", a.cases);
}

/* What one method stated, and what came true; without bins that nothing is in. */
static void put_reliability(gpa_text *t, const struct reliability *largest,
                            const struct reliability *output, int width)
{
    for (size_t i = 0; i < RELIABILITY_BINS; i++) {
        if ((largest == NULL || largest->bin[i].cases == 0) &&
            (output == NULL || output->bin[i].cases == 0))
            continue;
        struct agreement a = reliability_bin(largest != NULL ? largest : output, i);
        gpai_text_printf(t, "    %4.2f to %4.2f%*s", a.from, a.to, width - 14, "");
        put_agreement(t, largest, i);
        gpai_text_add(t, " ");
        put_agreement(t, output, i);
        gpai_text_add(t, "\n");
    }
    gpai_text_printf(t, "    %-*s", width - 2, "off in the mean");
    put_number(t, largest != NULL ? reliability_error(largest) : (double)NAN, 3, 6);
    gpai_text_printf(t, "%*s", INTERVAL_WIDTH + 10, "");
    put_number(t, output != NULL ? reliability_error(output) : (double)NAN, 3, 6);
    gpai_text_add(t, "\n");
}

/* Of all methods that state probabilities. */
static void put_reliable(gpa_text *t, const struct planted_result *r,
                         const struct summary *s)
{
    bool begun = false;
    int width = title_width(r) > 17 ? title_width(r) : 17;
    for (size_t j = 0; j < r->n_methods; j++) {
        const struct reliability *largest = summary_reliable(s, j, false);
        const struct reliability *output = summary_reliable(s, j, true);
        if (largest == NULL && output == NULL)
            continue;
        if (!begun)
            gpai_text_printf(t,
                             "\n  %-*s  %-*s  %s\n  %-*s  %6s  %-*s  %5s   %6s  "
                             "%-*s  %5s\n",
                             width, "stated and true", INTERVAL_WIDTH + 16,
                             "P of the most suspect input", "P(output)", width, "",
                             "stated", INTERVAL_WIDTH, "true", "cases", "stated",
                             INTERVAL_WIDTH, "true", "cases");
        begun = true;
        gpai_text_printf(t, "  %s\n", r->methods[j]->title);
        put_reliability(t, largest, output, width);
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
    gpai_text_add(t, comma[0] == ',' ? ".\n" : "");
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
    "              share among as many first inputs. Equal inputs share a place; "
    "one-hot "
    "columns\n"
    "              of a group are one input. total: without cases that have gaps\n"
    "AUC of output how well P(output) tells output faults from faults of one input "
    "with as\n"
    "              many rows (total: from all faults of inputs): 0.5 is chance, 1 "
    "perfect\n"
    "set holds it  share of 90 % sets that hold the one culprit, and the sets' mean "
    "size\n"
    "error         median relative error of the correction of the one culprit\n"
    "rows          model rows per case\n"
    "says input    share of faults of inputs for which the verdict is an input, and "
    "the "
    "first\n"
    "              one is at fault, or is not; share of output faults for which it is "
    "an input\n"
    "calib.        |P - share that is right| of the most suspect single input, mean "
    "over "
    "ten bins\n"
    "-ln P         of the culprit, mean: 0 is perfect\n"
    "impossible    share of proposals for the first input that cannot exist: negative, "
    "a "
    "fraction\n"
    "              or a third value where no unlabelled row has such; one one-hot "
    "column "
    "alone\n"
    "verdict on    shares of its cases for which the verdict is an input, the first "
    "one "
    "being at\n"
    "              fault or not, the output, several that are tied, or nothing "
    "unusual\n"
    "stated, true  mean of P of the most suspect single input, and how often it was "
    "the "
    "culprit;\n"
    "              of P(output), weighed as if every input and the output were at "
    "fault "
    "equally\n"
    "              often. off in the mean: |stated - true| over ten bins, as calib.\n"
    "[ , ]         90 % interval: exact for shares (Clopper, Pearson), others over "
    "cases "
    "drawn\n"
    "              again, 1000 times, kind by kind\n";

/* A line for each set: where its culprits came. */
static void put_sets(gpa_text *t, const struct planted_result *r)
{
    gpai_text_printf(t, "  %-22s  %5s", "culprit first", "cases");
    for (size_t j = 0; j < r->n_methods; j++)
        gpai_text_printf(t, "  %s", r->methods[j]->title);
    gpai_text_add(t, "\n");
    for (size_t i = 0; i < r->n_sets; i++) {
        const struct summary *s = r->sets[i].summary;
        gpai_text_printf(t, "  %-22.60s  %5zu", r->sets[i].name,
                         s != NULL ? summary_cases(s, s->n_kinds) : 0);
        for (size_t j = 0; s != NULL && j < r->n_methods; j++)
            put_number(t, summary_figure(s, s->n_kinds, j, RECALL).value, 2,
                       (int)strlen(r->methods[j]->title));
        gpai_text_add(t, "\n");
    }
}

/* All there is about one set. */
static void put_set(gpa_text *t, const struct planted_result *r,
                    const struct set_result *s)
{
    put_safe(t, s->name);
    if (s->model == NULL) {
        gpai_text_add(t, ": skipped: ");
        put_safe(t, s->reason);
        gpai_text_add(t, "\n");
        return;
    }
    gpai_text_printf(t, ": %zu inputs, %zu unlabelled rows, sigma %.4g, model ",
                     s->inputs, s->rows, s->sigma);
    put_safe(t, s->model);
    put_summary(t, r, s->summary);
    put_verdicts(t, r, s->summary);
    if (r->n_run > 1)
        return; /* too few cases each */
    put_said_table(t, r, s->summary);
    put_reliable(t, r, s->summary);
}

void result_table(gpa_text *t, const struct planted_result *r)
{
    if (r->planting != NULL)
        put_planting(t, r);
    if (r->tables)
        put_sets(t, r);
    for (size_t i = 0; i < r->n_sets && !r->tables; i++) {
        gpai_text_add(t, i > 0 ? "\n" : "");
        put_set(t, r, &r->sets[i]);
    }
    if (r->n_run > 1 && !r->tables) {
        gpai_text_printf(t, "\nmean of %zu sets", r->n_run);
        put_summary(t, r, &r->mean);
    }
    if (r->n_run > 1) {
        gpai_text_printf(t, "\nall cases of %zu sets", r->n_run);
        put_summary(t, r, &r->all);
        put_verdicts(t, r, &r->all);
        put_said_table(t, r, &r->all);
        put_reliable(t, r, &r->all);
    }
    gpai_text_add(t, LEGEND);
}

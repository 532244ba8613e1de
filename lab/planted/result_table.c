#include "lab/planted/result.h"
#include "lab/write.h"
#include <math.h>
#include <string.h>

static void put_safe(FILE *f, const char *text)
{
    char safe[400];
    word_safe(safe, sizeof safe, text);
    fputs(safe, f);
}

/* "0.95 [0.91, 0.98]", or a dash, in a column of that width. */
enum { INTERVAL_WIDTH = 17 };

static void put_interval(FILE *f, struct figure g)
{
    if (isnan(g.value))
        fprintf(f, "  %-*s", INTERVAL_WIDTH, "   -");
    else
        fprintf(f, "  %4.2f [%4.2f, %4.2f]", g.value, g.low, g.high);
}

static void put_number(FILE *f, double value, int digits, int width)
{
    if (isnan(value))
        fprintf(f, "  %*s", width, "-");
    else if (fabs(value) >= 1000 && digits > 0)
        fprintf(f, "  %*.0f", width, value);
    else
        fprintf(f, "  %*.*f", width, digits, value);
}

static int title_width(const struct bench *b)
{
    size_t width = strlen("method");
    for (size_t r = 0; r < b->n_rivals; r++)
        width =
            strlen(b->rivals[r]->title) > width ? strlen(b->rivals[r]->title) : width;
    return (int)width;
}

static void put_line(FILE *f, const struct bench *b, const struct tally *t, size_t kind,
                     size_t r, bool first)
{
    if (first)
        fprintf(f, "  %-8s  %5zu", kind < t->n_kinds ? t->kinds[kind].name : "total",
                tally_cases(t, kind));
    else
        fprintf(f, "  %-8s  %5s", "", "");
    fprintf(f, "  %-*s", title_width(b), b->rivals[r]->title);
    put_interval(f, tally_figure(t, kind, r, RECALL));
    put_interval(f, tally_figure(t, kind, r, OUTPUT));
    put_interval(f, tally_figure(t, kind, r, HOLDS));
    put_number(f, tally_figure(t, kind, r, SIZE).value, 1, 4);
    put_number(f, tally_figure(t, kind, r, ERROR).value, 2, 6);
    put_number(f, tally_figure(t, kind, r, ROWS).value, 0, 6);
    fputc('\n', f);
}

/* An output fault says nothing about a method that has no word for it. */
static bool worth_a_line(const struct tally *t, size_t kind, size_t r)
{
    return !isnan(tally_figure(t, kind, r, RECALL).value) ||
           !isnan(tally_figure(t, kind, r, OUTPUT).value);
}

static void put_tally(FILE *f, const struct bench *b, const struct tally *t)
{
    fprintf(f, "\n  %-8s  %5s  %-*s  %-*s  %-*s  %-*s  %4s  %6s  %6s\n", "kind",
            "cases", title_width(b), "method", INTERVAL_WIDTH, "first/recall",
            INTERVAL_WIDTH, "AUC of output", INTERVAL_WIDTH, "set holds it", "size",
            "error", "rows");
    for (size_t k = 0; k <= t->n_kinds; k++) {
        bool first = true;
        for (size_t r = 0; r < b->n_rivals; r++)
            if (worth_a_line(t, k, r)) {
                put_line(f, b, t, k, r, first);
                first = false;
            }
    }
}

static void put_planting(FILE *f, const struct bench *b)
{
    const struct planting *p = b->planting;
    fprintf(f,
            "Planted in %zu rows with |y - f| up to the median; each takes |y - f| "
            "beyond %.4g,\nits %.0f %% point. %ju model rows were asked for that.\n",
            p->normal, p->threshold, 100 * p->quantile, (uintmax_t)p->model_rows);
    const char *comma = "Never at fault, for no fault of theirs shows: ";
    for (size_t k = 0; k < b->sets[0].inputs; k++)
        if (!p->able[k]) {
            fputs(comma, f);
            put_safe(f, b->features[k]);
            comma = ", ";
        }
    fputs(p->n_able < b->sets[0].inputs ? ".\n" : "", f);
    for (size_t i = 0; i < 4; i++)
        if (p->kinds[i].made < p->kinds[i].wanted)
            fprintf(f, "Only %zu of %zu faults of kind %s could be made.\n",
                    p->kinds[i].made, p->kinds[i].wanted, p->kinds[i].kind);
    fputc('\n', f);
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

void bench_write_table(FILE *f, const struct bench *b)
{
    if (b->planting != NULL)
        put_planting(f, b);
    for (size_t i = 0; i < b->n_sets; i++) {
        const struct bench_set *s = &b->sets[i];
        fputs(i > 0 ? "\n" : "", f);
        put_safe(f, s->name);
        if (s->model == NULL) {
            fputs(": skipped: ", f);
            put_safe(f, s->reason);
            fputc('\n', f);
            continue;
        }
        fprintf(f, ": %zu inputs, %zu unlabelled rows, sigma %.4g, model ", s->inputs,
                s->rows, s->sigma);
        put_safe(f, s->model);
        put_tally(f, b, &s->tally);
    }
    if (b->n_run > 1) {
        fprintf(f, "\nmean of %zu sets", b->n_run);
        put_tally(f, b, &b->mean);
    }
    fputs(LEGEND, f);
}

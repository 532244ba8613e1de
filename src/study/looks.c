#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "engine/explain.h"
#include "study/study.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is looked at once per table before anything is answered, and said where it
 * changes the reading of every row. Thresholds: a note is for what an expert would stop
 * at, and must not appear by chance on a table of normal rows, whatever its size: five
 * standard errors, and an effect that can be seen. */
static const double SURE = 5; /* standard errors */
enum {
    SOME_ROWS = 5,     /* one strange row is what the question is about */
    FEW_ROWS = 20,     /* fewer say nothing about the whole */
    MOST_LOOKED = 5000 /* of more, evenly spaced ones: their ranks are enough */
};

/* A number for people, in a sentence. */
struct number {
    char text[GPAI_REAL_SIZE];
};

static struct number people(double v)
{
    struct number n;
    gpai_real_people(n.text, v, 3);
    return n;
}

static struct number signed_people(double v)
{
    struct number n = people(v), with;
    snprintf(with.text, sizeof with.text, "%s%.60s", v > 0 ? "+" : "", n.text);
    return with;
}

/* The looked at rows: residuals, predictions, and room for ranks. */
struct look {
    gpa_study *s;
    const gpa_sample *rows;
    gpai_noise noise; /* which rows say what the model's error is */
    bool differs;     /* y - f does, from row to row, but for rounding */
    size_t n;         /* looked at */
    size_t *row;      /* n: which rows they are */
    double *r, *f;    /* n: y - f; f */
    double *a, *b;    /* n: scratch */
    gpai_ranked *order;
    double *block;
};

static void lay_out(void *work, gpai_arena *arena)
{
    struct look *w = work;
    GPAI_TAKE_EACH(arena, w->n, 1, &w->r, &w->f, &w->a, &w->b);
    w->order = gpai_take_bytes(arena, w->n, sizeof *w->order);
    w->row = gpai_take_bytes(arena, w->n, sizeof *w->row);
}

/* A row that is grossly off is no part of sigma, nor of what the model's error is like:
 * a single one would be the mean of its third. */
static bool is_gross(const struct look *w, size_t row)
{
    double r = w->rows->y[row] - w->rows->f[row];
    return fabs(r - w->noise.middle) > w->noise.limit;
}

/* Fills in the rows that are looked at: of many, evenly spaced ones. */
static void choose_rows(struct look *w)
{
    size_t n = w->rows->n, places = w->n;
    w->n = 0;
    for (size_t i = 0; i < places; i++) {
        size_t row = i * (n / places) + i * (n % places) / places;
        if (is_gross(w, row))
            continue;
        w->row[w->n] = row;
        w->f[w->n] = w->rows->f[row];
        w->r[w->n++] = w->rows->y[row] - w->rows->f[row];
    }
}

static double mean_of(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return sum / (double)n;
}

static double sd_of(const double *v, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (v[i] - mean) * (v[i] - mean);
    return sqrt(sum / (double)n);
}

static double correlation(const double *a, const double *b, size_t n)
{
    double ma = mean_of(a, n), mb = mean_of(b, n), ab = 0;
    double sa = sd_of(a, n, ma), sb = sd_of(b, n, mb);
    for (size_t i = 0; i < n; i++)
        ab += (a[i] - ma) * (b[i] - mb);
    return sa > 0 && sb > 0 ? ab / ((double)n * sa * sb) : 0;
}

/* Replaces values by their ranks, equal ones by their mean rank. */
static void rank_values(struct look *w, double *v)
{
    gpai_rank(v, w->n, w->order);
    for (size_t i = 0, j; i < w->n; i = j) {
        for (j = i; j < w->n && w->order[j].value == w->order[i].value;)
            j++;
        for (size_t k = i; k < j; k++)
            v[w->order[k].place] = -0.5 * (double)(i + j - 1); /* largest first */
    }
}

/* f is the same for every row: nothing can be explained by it. */
static bool look_constant(struct look *w)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < w->rows->n; i++) {
        low = fmin(low, w->rows->f[i]);
        high = fmax(high, w->rows->f[i]);
    }
    if (w->rows->n < 2 || high - low > 1e-9 * (fabs(low) + fabs(high)))
        return false;
    gpai_study_tell(w->s,
                    "the model predicts %s for every row: no input can explain a "
                    "deviation; is it the right model, are these its inputs?",
                    people(low).text);
    return true;
}

/* y is a multiple of f: a unit? Scaling must explain most of the deviations, and more
 * of them than a shift does. */
static bool look_factor(struct look *w)
{
    double yf = 0, ff = 0, after = 0;
    double sd = sd_of(w->r, w->n, mean_of(w->r, w->n));
    for (size_t i = 0; i < w->n; i++) {
        yf += (w->r[i] + w->f[i]) * w->f[i];
        ff += w->f[i] * w->f[i];
    }
    double factor = ff > 0 ? yf / ff : 1;
    for (size_t i = 0; i < w->n; i++) {
        double y = w->r[i] + w->f[i], rest = y - factor * w->f[i];
        after += rest * rest;
        w->a[i] = y;
    }
    if (!(factor > 0) || fabs(log(factor)) < log(1.5) ||
        after > 0.25 * (double)w->n * sd * sd || correlation(w->a, w->f, w->n) < 0.7)
        return false;
    gpai_study_tell(w->s,
                    "the observed %.80s is about %s times what the model predicts, in "
                    "all rows: is one of them in another unit?",
                    gpa_study_target(w->s), people(factor).text);
    return true;
}

/* The rows that say what is plausible; NULL: none, or nobody asks. */
static const gpa_sample *plausible_rows(const gpa_study *s)
{
    const gpa_sample *own = s->observed ? &s->reference : &s->sample;
    gpa_plausible from = s->explain.plausible;
    bool asked = s->given.bit == IN_EXPLAIN || s->given.bit == IN_SERVE;
    bool other = from == GPA_PLAUSIBLE_REFERENCE ||
                 (from == GPA_PLAUSIBLE_AUTO && own->n <= GPAI_CROWD_ENOUGH &&
                  s->reference.n > own->n);
    if (!asked || from == GPA_PLAUSIBLE_NONE || s->explain.every_witness ||
        s->explain.culprit == GPA_CULPRIT_OFF)
        return NULL;
    return other && s->reference.x != NULL ? &s->reference : own;
}

static bool is_chosen(const gpa_study *s, size_t row)
{
    for (size_t i = 0; i < s->chosen.n; i++)
        if (s->chosen.rows[i] == row)
            return true;
    return false;
}

/* The rows that do not say what is plausible; that the explained ones do not is no
 * news. */
static gpai_row_names find_doubtful(const gpa_study *s)
{
    const gpa_sample *from = plausible_rows(s);
    size_t row[GPAI_CROWD_MOST], kept[GPAI_CROWD_MOST], at = 0, news = 0;
    gpai_row_names names = {.n = 0}, none = {.n = 0};
    if (from == NULL)
        return none;
    size_t n = gpai_other_rows(from->n, NULL, 0, row);
    memcpy(kept, row, n * sizeof *row);
    size_t left = gpai_witnesses(from, s->kinds, kept, n);
    for (size_t i = 0; i < n; i++) {
        bool own = from == &s->sample;
        if (at < left && kept[at] == row[i]) {
            at++;
            continue;
        }
        size_t name = own && s->row != NULL ? s->row[row[i]] : row[i];
        gpai_row_names_add(&names, name);
        news += !own || !is_chosen(s, name);
    }
    bool told = news > 0 || (names.n > 1 && !s->given.given[OPT_COLLECTIVE]);
    return told ? names : none;
}

static void look_doubtful(gpa_study *s, const gpai_row_names *doubtful)
{
    bool one = doubtful->n == 1;
    if (doubtful->n > 0)
        gpai_study_tell(s,
                        "row%s %s%s do%s not say what is plausible: the outcome "
                        "contradicts the model, or a number is far from all others "
                        "(--witnesses all counts %s)",
                        one ? "" : "s", doubtful->text,
                        plausible_rows(s) == &s->sample ? "" : " of the reference",
                        one ? "es" : "", one ? "it" : "them");
}

/* A few rows hold most of the spread: sigma is that of the others. Those that are
 * doubtful as well are not named twice. */
static void look_gross(struct look *w, gpai_row_names *doubtful)
{
    gpai_noise noise = w->noise;
    gpai_row_names names = {.n = 0};
    if (w->s->given.given[OPT_SIGMA] || noise.left_out == 0)
        return;
    for (size_t i = 0; i < (w->s->observed ? w->rows->n : w->s->n); i++) {
        size_t at = w->s->observed || w->s->place == NULL ? i : w->s->place[i];
        if ((w->s->observed || w->s->unfit[i] == 0) && is_gross(w, at))
            gpai_row_names_add(&names, i);
    }
    double share = 1 - (double)(w->rows->n - noise.left_out) / (double)w->rows->n *
                           pow(noise.sigma / noise.all, 2);
    bool one = names.n == 1;
    bool same = doubtful->n == names.n && strcmp(doubtful->text, names.text) == 0 &&
                plausible_rows(w->s) == w->rows;
    gpai_study_tell(
        w->s,
        "sigma is %s without row%s %s%s, which hold%s %.0f %% of the spread "
        "of y - f over %zu rows (with %s %s)%s",
        people(noise.sigma).text, one ? "" : "s", names.text,
        w->s->observed ? " of the reference" : "", one ? "s" : "", 100 * share,
        w->rows->n, one ? "it" : "them", people(noise.all).text,
        !same ? ""
        : one ? "; it does not say what is plausible, either"
              : "; they do not say what is plausible, either");
    doubtful->n = same ? 0 : doubtful->n;
}

/* sigma is far beyond what most rows scatter by: more rows are off than are left out of
 * it. Of 14 models and 7 public tables, none of them spoilt, sigma is 1.5 times that at
 * most; of Laplace's and Student's noise (3 degrees of freedom) 3 times in one of 400
 * tables of 20 rows, and of none of 50. */
static void look_hidden(const struct look *w)
{
    static const double TIMES = 3;
    const gpai_noise *noise = &w->noise;
    if (w->s->given.given[OPT_SIGMA] || !w->differs || w->rows->n < FEW_ROWS ||
        !(noise->sigma > TIMES * noise->usual))
        return;
    struct number usual = people(noise->usual);
    gpai_study_tell(w->s,
                    "sigma is %s, but most of the %zu %srows scatter as if it were %s "
                    "(1.4826 times the median distance of y - f from its median): if "
                    "more than a tenth of them are spoilt, they hide in it; --sigma %s "
                    "shows them",
                    people(noise->sigma).text, w->rows->n,
                    w->s->observed ? "reference " : "", usual.text, usual.text);
}

/* The model is off on average. */
static void look_bias(struct look *w)
{
    double mean = mean_of(w->r, w->n), sd = w->differs ? sd_of(w->r, w->n, mean) : 0;
    double sigma = isnan(w->s->sigma) ? sd : w->s->sigma;
    double errors = sd > 0 ? fabs(mean) * sqrt((double)w->n) / sd : HUGE_VAL;
    /* half a sigma: less does not change which rows stand out */
    if (fabs(mean) < 0.5 * sigma || !(errors > SURE))
        return;
    gpai_study_tell(
        w->s,
        "the model is off on average: y - f is %s over %zu rows (%s sigma, %s standard "
        "errors from 0); it is in the deviation of every row, so look at the "
        "model first",
        signed_people(mean).text, w->rows->n - w->noise.left_out,
        sigma > 0 ? people(fabs(mean) / sigma).text : "infinitely many",
        isfinite(errors) ? people(errors).text : "infinitely many");
}

/* How the size of the errors goes with `by` (n values, left as ranks): the rank
 * correlation, 0 where it may be chance. */
static double grows_with(struct look *w, double *by)
{
    rank_values(w, by);
    double rho = correlation(w->a, by, w->n);
    /* a third: the largest third then has about twice the errors of the smallest */
    return fabs(rho) > 1.0 / 3 && fabs(rho) * sqrt((double)w->n - 1) > SURE ? rho : 0;
}

/* Mean |y - f| of the rows in the lowest or highest third of the ranks in w->b. */
static double third_of(const struct look *w, bool high)
{
    double sum = 0, count = 0, mean = mean_of(w->r, w->n);
    double low = -(double)(w->n - 1), middle = low / 2, sixth = -low / 6;
    for (size_t i = 0; i < w->n; i++)
        if (high ? w->b[i] > middle + sixth : w->b[i] < middle - sixth) {
            sum += fabs(w->r[i] - mean);
            count++;
        }
    return count > 0 ? sum / count : 0;
}

static void take_column(struct look *w, size_t k)
{
    for (size_t i = 0; i < w->n; i++) {
        size_t d = w->rows->d;
        double v = k == d ? w->f[i] : w->rows->x[w->row[i] * d + k];
        w->b[i] = isfinite(v) ? v : 0;
    }
}

static bool is_ordered(const gpa_study *s, size_t k)
{
    return s->kinds == NULL || s->kinds[k].kind == GPA_KIND_NUMBER ||
           s->kinds[k].kind == GPA_KIND_WHOLE;
}

/* Errors that grow with f or, more strongly, with an input: sigma is one number. */
static void look_spread(struct look *w)
{
    double best = 0, mean = mean_of(w->r, w->n);
    size_t with = w->rows->d;
    if (!w->differs)
        return;
    for (size_t i = 0; i < w->n; i++)
        w->a[i] = fabs(w->r[i] - mean);
    rank_values(w, w->a);
    for (size_t k = w->rows->d + 1; k-- > 0;) { /* f first */
        if (k < w->rows->d && !is_ordered(w->s, k))
            continue;
        take_column(w, k);
        double rho = grows_with(w, w->b);
        if (fabs(rho) > fabs(best) + 0.05) {
            best = rho;
            with = k;
        }
    }
    if (best == 0)
        return;
    take_column(w, with);
    rank_values(w, w->b);
    double low = third_of(w, false), high = third_of(w, true);
    gpai_study_tell(w->s,
                    "the model's error %s with %.80s (mean |y - f| %s in the lowest "
                    "third of %zu rows, %s in the highest): where it is large a "
                    "deviation means less than its sigma says",
                    best > 0 ? "grows" : "shrinks",
                    with < w->rows->d ? w->s->inputs[with] : "its prediction",
                    people(low).text, w->rows->n - w->noise.left_out,
                    people(high).text);
}

/* Rows of a collective question that deviate in different directions share no change:
 * so many of them that it is no single odd row. Of one row nothing is shared. */
void gpai_study_look_together(gpa_study *s)
{
    size_t up = 0, down = 0;
    if (!s->given.given[OPT_COLLECTIVE])
        return;
    if (s->chosen.n == 1)
        gpai_study_tell(
            s, "one row only: --rows or --top N name several that share one change");
    if (isnan(s->sigma))
        return;
    for (size_t i = 0; i < s->chosen.n; i++) {
        double r = s->y[s->chosen.rows[i]] - s->f[s->chosen.rows[i]];
        up += r > s->sigma;
        down += r < -s->sigma;
    }
    size_t fewer = up < down ? up : down;
    if (fewer > 0 && 5 * fewer >= up + down)
        gpai_study_tell(s,
                        "of the rows explained together %zu deviate upwards and %zu "
                        "downwards: no change by the same amount explains both, an "
                        "input that is off by another amount in each row may",
                        up, down);
}

/* Lowest and highest value of an input in some rows. */
static void range_of(const gpa_sample *rows, size_t k, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < rows->n; i++) {
        double v = rows->x[i * rows->d + k];
        if (isfinite(v)) {
            *low = fmin(*low, v);
            *high = fmax(*high, v);
        }
    }
}

/* Marks the rows whose input k the reference never saw; gives how many. `seen` has room
 * for the levels of a text, which have no range. */
static size_t mark_outside(const gpa_sample *rows, const gpa_sample *reference,
                           size_t k, size_t levels, unsigned char *seen,
                           unsigned char *outside)
{
    double low, high;
    size_t count = 0;
    range_of(reference, k, &low, &high);
    memset(seen, 0, levels);
    for (size_t i = 0; i < reference->n && levels > 0; i++) {
        double v = reference->x[i * rows->d + k];
        if (isfinite(v))
            seen[(size_t)v] = 1;
    }
    for (size_t i = 0; i < rows->n && low <= high; i++) {
        double v = rows->x[i * rows->d + k];
        bool out = isfinite(v) && (levels > 0 ? !seen[(size_t)v] : v < low || v > high);
        count += out;
        outside[i] = outside[i] || out;
    }
    return count;
}

static size_t levels_of(const gpa_study *s, size_t k)
{
    return s->sources[k].writing == GPA_WRITING_LEVEL ? s->sources[k].levels.n : 0;
}

/* Most rows lie outside what the reference has seen: another unit, another plant, or
 * the wrong file. */
static gpa_status look_reference(gpa_study *s, gpa_error *err)
{
    const gpa_sample *rows = &s->sample, *reference = &s->reference;
    size_t most = 0, which = 0, any = 0, levels = 0;
    if (reference->x == NULL || reference->n < FEW_ROWS || rows->n < SOME_ROWS)
        return GPA_OK;
    for (size_t k = 0; k < rows->d; k++)
        levels = levels_of(s, k) > levels ? levels_of(s, k) : levels;
    unsigned char *outside = gpai_calloc(rows->n + levels, 1);
    if (outside == NULL)
        return gpai_nomem(err, "study");
    for (size_t k = 0; k < rows->d; k++) {
        size_t count = mark_outside(rows, reference, k, levels_of(s, k),
                                    outside + rows->n, outside);
        if (count > most) {
            most = count;
            which = k;
        }
    }
    for (size_t i = 0; i < rows->n; i++)
        any += outside[i];
    gpai_free(outside);
    if (2 * any > rows->n && 4 * most > rows->n)
        gpai_study_tell(s,
                        "%zu of %zu row%s outside what the reference has seen, most "
                        "often in %.80s (%zu): the same columns, in the same units?",
                        any, rows->n, rows->n == 1 ? " lies" : "s lie",
                        s->inputs[which], most);
    return GPA_OK;
}

/* What the residuals of the table, or of the reference that is judged by, look like. */
static gpa_status look_at_errors(gpa_study *s, gpai_row_names *doubtful, gpa_error *err)
{
    struct look w = {.s = s, .rows = s->observed ? &s->reference : &s->sample};
    if (w.rows->f == NULL || w.rows->y == NULL || look_constant(&w))
        return GPA_OK;
    w.noise.limit = HUGE_VAL;
    w.differs = gpai_residual_noise(w.rows, &w.noise, NULL) == GPA_OK;
    look_gross(&w, doubtful);
    look_hidden(&w);
    if (w.rows->n < FEW_ROWS)
        return GPA_OK;
    w.n = w.rows->n < MOST_LOOKED ? w.rows->n : MOST_LOOKED;
    w.block = gpai_carve(lay_out, &w);
    if (w.block == NULL)
        return gpai_nomem(err, "study");
    choose_rows(&w);
    if (!look_factor(&w)) {
        look_bias(&w);
        look_spread(&w);
    }
    gpai_free(w.block);
    return GPA_OK;
}

/* Row numbers are hardly what a model was made for; one that names its inputs knows. */
static void look_ids(gpa_study *s)
{
    bool named = gpa_model_variable(s->model, 0) != NULL;
    for (size_t k = 0; k < s->d && !named && !s->given.given[OPT_FEATURES]; k++) {
        const char *why = s->known.reason != NULL ? s->known.reason[k] : NULL;
        if (why != NULL && strcmp(why, "row numbers") == 0)
            gpai_study_tell(s,
                            "'%.80s' looks like row numbers, and goes to the model "
                            "with the other columns: did you mean --id %.80s or "
                            "--drop %.80s?",
                            s->inputs[k], s->inputs[k], s->inputs[k]);
    }
}

enum { MOST_CODES = 10 };

/* The different values of a column, ascending; more than MOST_CODES: there are more. */
static size_t different_values(const gpa_sample *rows, size_t k, double but,
                               double list[MOST_CODES])
{
    size_t m = 0;
    for (size_t i = 0; i < rows->n && m <= MOST_CODES; i++) {
        size_t at = 0;
        double x = rows->x[i * rows->d + k];
        while (at < m && list[at] < x)
            at++;
        if (isnan(x) || x == but || (at < m && list[at] == x))
            continue;
        if (m++ == MOST_CODES)
            break;
        memmove(list + at + 1, list + at, (m - 1 - at) * sizeof *list);
        list[at] = x;
    }
    return m;
}

/* The longest step of which all distances between whole numbers are multiples. */
static double common_step(const double *list, size_t m)
{
    double step = 0;
    for (size_t i = 1; i < m; i++)
        for (double rest = list[i] - list[0]; rest > 0;) {
            double next = fmod(step, rest);
            step = rest;
            rest = next;
        }
    return step;
}

/* How many different values an input has that may be codes: few whole numbers, each in
 * many rows, about as long as each other (1, 3, 7, 28, 180 days are not) and on no
 * scale (10, 20, 50 are steps of 10; 10331, 10440, 20871 are none of anything). 0: no
 * codes. What they are cannot be told for sure. */
static size_t count_codes(const gpa_study *s, size_t k)
{
    enum { ROWS = 30, EACH = 10, STEPS = 100 };
    const gpa_input *in = &s->known.input[k];
    const gpa_sample *rows = s->by_reference ? &s->reference : &s->sample;
    double list[MOST_CODES];
    if (in->kind != GPA_KIND_NUMBER || !in->inferred || !in->whole || rows->x == NULL ||
        in->writing != GPA_WRITING_NUMBER || rows->n < ROWS)
        return 0;
    size_t m = different_values(rows, k, in->missing, list);
    if (m < 3 || m > MOST_CODES || rows->n < EACH * m)
        return 0;
    bool alike = list[m - 1] < 10 * list[0];
    return alike && list[m - 1] - list[0] >= STEPS * common_step(list, m) ? m : 0;
}

/* Nothing lies between codes, and a value that does is no proposal. */
static void look_codes(gpa_study *s)
{
    for (size_t k = 0; k < s->d && s->given.bit != IN_SCORE; k++) {
        size_t m = s->known.input != NULL ? count_codes(s, k) : 0;
        if (m > 0)
            gpai_study_tell(s,
                            "%.80s has %zu different values, and is taken as a number: "
                            "if they are codes, --kind %.80s=choice",
                            gpai_show_text(s->inputs[k]).text, m,
                            gpai_show_text(s->inputs[k]).text);
    }
}

/* Whether a row has one 1 in the group whose columns lie from k to before `end`, and 0
 * in the others, or 0 in all where that is a level; or lacks a number. */
static bool is_level(const gpa_input *in, size_t k, size_t end, const double *row)
{
    size_t ones = 0;
    for (size_t j = k; j < end; j++) {
        if (in[j].group != in[k].group)
            continue;
        if (isnan(row[j]))
            return true;
        if (row[j] != 0 && row[j] != 1)
            return false;
        ones += row[j] == 1;
    }
    return ones == 1 || (ones == 0 && in[k].dropped);
}

/* Rows that hold no level of a one-hot group that was found, whatever limits it has by
 * now: who made them so meant another one. */
static void look_levels(gpa_study *s)
{
    const gpa_input *in = s->found.d > 0 ? s->found.input : s->known.input;
    size_t last = 0; /* groups count from 1 by their first columns */
    for (size_t k = 0; in != NULL && k < s->d; k++) {
        gpai_row_names rows = {.n = 0};
        if (in[k].group <= last)
            continue;
        last = in[k].group;
        size_t end = s->d; /* behind its last column */
        while (in[end - 1].group != last)
            end--;
        for (size_t i = 0; i < s->sample.n; i++)
            if (!is_level(in, k, end, s->sample.x + i * s->d))
                gpai_row_names_add(&rows, s->row != NULL ? s->row[i] : i);
        if (rows.n > 0)
            gpai_study_tell(s,
                            "row%s %s hold%s no level of %.80s: of its columns not "
                            "just one is 1",
                            rows.n == 1 ? "" : "s", rows.text, rows.n == 1 ? "s" : "",
                            gpai_show_text(in[k].name).text);
    }
}

gpa_status gpai_study_look(gpa_study *s, gpa_error *err)
{
    look_ids(s);
    look_codes(s);
    look_levels(s);
    gpai_row_names doubtful = find_doubtful(s);
    gpa_status st = look_at_errors(s, &doubtful, err);
    look_doubtful(s, &doubtful);
    if (s->given.bit == IN_SCORE)
        gpai_study_look_far(s);
    if (st == GPA_OK)
        st = look_reference(s, err);
    gpai_study_look_together(s);
    return st;
}

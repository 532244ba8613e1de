#include "watch/normal.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* Chosen: of 16,000 rows with normal noise one is so far off. */
static const double SIGMAS = 4;

/* The spread of y - f among rows that are no anomalies by `sigma`. */
static double spread(const struct normal *w, double sigma)
{
    double mean = 0, sum = 0, n = 0;
    for (size_t i = 0; i < w->n; i++) {
        double r = w->y[i] - w->f[i];
        if (fabs(r) <= SIGMAS * sigma) {
            double before = r - mean;
            mean += before / ++n;
            sum += before * (r - mean);
        }
    }
    return n > 1 ? sqrt(sum / n) : (double)NAN;
}

void normal_settle(struct normal *w)
{
    double y = SIGMAS * w->now.sigma, f = 0;
    const gpa_sample one = {.y = &y, .f = &f, .n = 1};
    if (isnan(w->given))
        (void)!gpa_score(&one, w->now.sigma, &w->force.threshold, NULL, NULL);
    else
        w->force.threshold = w->given;
    w->force.sigma = w->now.sigma;
    gpai_normal_forget(&w->now);
}

/* The rows, or of very many evenly spaced ones. */
static void copy_rows(struct normal *w, const gpa_sample *from)
{
    size_t d = w->d;
    for (size_t i = 0; i < w->n; i++) {
        size_t row = i * (from->n / w->n) + i * (from->n % w->n) / w->n;
        memcpy(w->x + i * d, from->x + row * d, d * sizeof *w->x);
        w->y[i] = from->y[row];
        w->f[i] = from->f[row];
    }
}

gpa_status normal_open(struct normal *w, const gpa_study *s, const gpai_options *a,
                       gpa_error *err)
{
    size_t d = s->d, n = s->sample.n < NORMAL_ROWS ? s->sample.n : NORMAL_ROWS;
    *w = (struct normal){.n = n, .d = d};
    w->block = gpai_calloc(n + 2, (d + 2) * sizeof *w->block);
    if (w->block == NULL)
        return gpai_nomem(err, "watch");
    w->x = w->block;
    w->y = w->x + n * d;
    w->f = w->y + n;
    w->center = w->f + n;
    w->unit = w->center + d;
    copy_rows(w, &s->sample);
    memcpy(w->center, s->center, d * sizeof *w->center);
    memcpy(w->unit, s->unit, d * sizeof *w->unit);
    w->now = (gpai_normal){.rows = {.x = w->x, .y = w->y, .f = w->f, .n = n, .d = d},
                           .unit = w->unit,
                           .sigma = s->sigma};
    w->given = a->given[OPT_THRESHOLD] ? a->real[OPT_THRESHOLD] : (double)NAN;
    w->follow = !gpai_options_is(a, OPT_FOLLOW, "off");
    double about = spread(w, s->sigma);
    w->factor = s->sigma / about;
    w->keep_sigma = a->given[OPT_SIGMA] || !isfinite(w->factor);
    w->keep_units = s->given.given[OPT_SCALE] && !gpai_options_is(a, OPT_SCALE, "data");
    normal_settle(w);
    return GPA_OK;
}

void normal_close(struct normal *w)
{
    gpai_normal_forget(&w->now);
    gpai_free(w->block);
    *w = (struct normal){.n = 0};
}

/* Sigma and the units of the rows as they are now. */
static void refit(struct normal *w)
{
    double about = spread(w, w->now.sigma);
    if (!w->keep_sigma && isfinite(about) && about > 0)
        w->now.sigma = w->factor * about;
    if (!w->keep_units) /* without memory they stay */
        (void)!gpa_scale_fit(w->x, w->n, w->d, w->center, w->unit, NULL, NULL);
    normal_settle(w);
}

bool normal_teach(struct normal *w, const double *x, double y, double f)
{
    size_t part = w->n < 8 ? 1 : w->n / 8;
    if (!w->follow || ++w->taught % TEACH_EVERY != 0)
        return false;
    size_t at = (size_t)(w->force.renewed++ % w->n);
    memcpy(w->x + at * w->d, x, w->d * sizeof *x);
    w->y[at] = y;
    w->f[at] = f;
    gpai_normal_forget(&w->now);
    if (w->force.renewed % part != 0)
        return false;
    refit(w);
    return true;
}

size_t normal_strange(const struct normal *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        double score;
        const gpa_sample one = {.y = w->y + i, .f = w->f + i, .n = 1};
        n += gpa_score(&one, w->now.sigma, &score, NULL, NULL) == GPA_OK &&
             score > w->force.threshold;
    }
    return n;
}

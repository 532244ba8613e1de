/* bench_own TIMES: what the library itself computes for one explanation, beyond the
 * model: 20 rows that deviate of 200 with 10 inputs, one thread, processor time.
 *
 * Prints a line per way to ask: its name, seconds of the library, seconds inside the
 * model, model rows, each of one explanation; the least of TIMES runs. */
#include "support.h"
#include <gpa/gpa.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char program[] = "bench_own";

enum { ROWS = 200, INPUTS = 10, STEP = 10 };

static double spent(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct model {
    double seconds;
    size_t rows;
};

/* The function of bench_own.py. */
static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct model *m = ctx;
    double start = spent();
    for (size_t i = 0; i < n; i++, x += d) {
        y[i] = 0.5 * x[0] * x[1];
        for (size_t k = 0; k < d; k++)
            y[i] +=
                (k % 2 == 0 ? 1.0 : -0.6) * sqrt(1 + x[k] * x[k] * (1 + (double)k)) +
                0.4 * x[k];
    }
    m->rows += n;
    m->seconds += spent() - start;
    return 0;
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(6.28318530717958647693 * uniform(state));
}

/* Writes an explanation as JSON; adds the seconds to ctx. */
static gpa_status write(void *ctx, size_t index, const gpa_explanation *e,
                        gpa_error *err)
{
    gpa_text *t = NULL;
    gpa_report_info info;
    gpa_report_info_init(&info);
    double start = spent();
    gpa_status st = gpa_text_new(&t, err);
    if (st == GPA_OK)
        st = gpa_report_begin(t, GPA_FORMAT_JSON, &info, e, err);
    if (st == GPA_OK)
        st = gpa_report_explanation(t, GPA_FORMAT_JSON, &info, e, index, err);
    if (st == GPA_OK)
        st = gpa_report_end(t, GPA_FORMAT_JSON, &info, err);
    gpa_text_free(t);
    *(double *)ctx += spent() - start;
    return st;
}

struct way {
    const char *name;
    gpa_marginals marginals;
    gpa_culprit_mode culprit;
};

static const struct way WAYS[] = {
    {"map", GPA_MARGINALS_NONE, GPA_CULPRIT_OFF},
    {"culprits", GPA_MARGINALS_NONE, GPA_CULPRIT_ON},
    {"draws", GPA_MARGINALS_EXACT, GPA_CULPRIT_OFF},
    {"exact", GPA_MARGINALS_EXACT, GPA_CULPRIT_ON},
    {"surrogate", GPA_MARGINALS_SURROGATE, GPA_CULPRIT_ON},
};

int main(int argc, char **argv)
{
    gpa_error err;
    uint64_t state = 1;
    struct model m = {0};
    gpa_model *model = NULL;
    static double x[ROWS * INPUTS], y[ROWS], f[ROWS];
    size_t rows[ROWS / STEP], times = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    if (times == 0)
        stop("usage: bench_own TIMES");
    for (size_t i = 0; i < ROWS * INPUTS; i++)
        x[i] = normal(&state);
    must(gpa_model_from_callback(&model, predict, &m, INPUTS, &err), &err);
    gpa_sample sample = {.x = x, .y = y, .f = f, .n = ROWS, .d = INPUTS};
    must(gpa_model_predict(model, x, ROWS, f, &err), &err);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = f[i] + (i % STEP == 0 ? 2 : 0.5) * normal(&state);
    for (size_t i = 0; i < ROWS / STEP; i++)
        rows[i] = STEP * i;
    double json = HUGE_VAL;
    for (size_t w = 0; w < sizeof WAYS / sizeof *WAYS; w++) {
        double least = HUGE_VAL, inside = 0;
        for (size_t i = 0; i < times; i++) {
            gpa_explain_options opt;
            gpa_explain_options_init(&opt);
            opt.marginals = WAYS[w].marginals;
            opt.culprit = WAYS[w].culprit;
            double written = 0, start = spent();
            m = (struct model){0};
            must(gpa_explain_many(model, &sample, rows, ROWS / STEP, 1, &opt, write,
                                  &written, &err),
                 &err);
            double own = spent() - start - m.seconds - written;
            if (WAYS[w].culprit == GPA_CULPRIT_ON &&
                opt.marginals == GPA_MARGINALS_EXACT)
                json = fmin(json, written);
            inside = own < least ? m.seconds : inside;
            least = fmin(least, own);
        }
        printf("%s %.9g %.9g %.9g\n", WAYS[w].name, least * STEP / ROWS,
               inside * STEP / ROWS, (double)m.rows * STEP / ROWS);
    }
    printf("json %.9g 0 0\n", json * STEP / ROWS);
    gpa_model_free(model);
    return 0;
}

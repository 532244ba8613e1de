/* bench_own TIMES [WAY | fixed]: what the library itself computes for one explanation,
 * beyond the model: 20 rows that deviate of 200 with 10 inputs, or all of them (`all`:
 * culprits), one thread, processor time.
 *
 * Prints a line per way to ask: its name, seconds of the library, seconds inside the
 * model, model rows, each of one explanation, and the seconds that a fixed piece of
 * arithmetic took meanwhile, done after each explanation: how fast the processor was.
 * All of the run, of TIMES, in which the library was fastest next to that.
 * `fixed` is that piece alone, in the mean. */
#include "support.h"
#include <gpa/gpa.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char program[] = "bench_own";

enum { ROWS = 200, INPUTS = 10, STEP = 10 };

static double spent(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of arithmetic that is always the same: how fast is the processor now? Like
 * the library's: products that wait for each other, and sums over arrays that do not.
 * Aligned, or what stands before it in the program would make a third of it. */
__attribute__((aligned(64), noinline)) static double fixed_work(void)
{
    static double a[2048];
    double start = spent(), chain = 1;
    for (size_t i = 0; i < 2048; i++)
        a[i] = 1 / (1 + (double)i);
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < 2048; i++)
            a[i] = a[i] * 0.999 + 1e-3;
        for (size_t i = 0; i < 256; i++)
            chain = chain * 0.999 + a[i];
    }
    *(volatile double *)a = chain;
    return spent() - start;
}

/* The function of bench_own.py; counts the rows in ctx. It does not look at the clock:
 * with a model this fast, that would be a tenth of what is measured. */
static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    for (size_t i = 0; i < n; i++, x += d) {
        y[i] = 0.5 * x[0] * x[1];
        for (size_t k = 0; k < d; k++)
            y[i] +=
                (k % 2 == 0 ? 1.0 : -0.6) * sqrt(1 + x[k] * x[k] * (1 + (double)k)) +
                0.4 * x[k];
    }
    *(size_t *)ctx += n;
    return 0;
}

/* Seconds of the function for one of n rows. */
static double model_time(const double *x, size_t n, double *y)
{
    enum { ROUNDS = 20 };
    size_t count = 0;
    double start = spent();
    for (int i = 0; i < ROUNDS; i++)
        predict(&count, x, n, INPUTS, y);
    return (spent() - start) / (double)count;
}

/* Seconds of one run that are not the library's explaining. */
struct aside {
    double written, fixed;
};

/* Writes an explanation as JSON, and does the fixed work; adds the seconds to ctx. */
static gpa_status write(void *ctx, size_t index, const gpa_explanation *e,
                        gpa_error *err)
{
    struct aside *aside = ctx;
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
    aside->written += spent() - start;
    aside->fixed += fixed_work();
    return st;
}

struct way {
    const char *name;
    gpa_marginals marginals;
    gpa_culprit_mode culprit;
    size_t step; /* every so many rows are explained */
};

static const struct way WAYS[] = {
    {"map", GPA_MARGINALS_NONE, GPA_CULPRIT_OFF, STEP},
    {"culprits", GPA_MARGINALS_NONE, GPA_CULPRIT_ON, STEP},
    {"all", GPA_MARGINALS_NONE, GPA_CULPRIT_ON, 1},
    {"draws", GPA_MARGINALS_EXACT, GPA_CULPRIT_OFF, STEP},
    {"exact", GPA_MARGINALS_EXACT, GPA_CULPRIT_ON, STEP},
    {"surrogate", GPA_MARGINALS_SURROGATE, GPA_CULPRIT_ON, STEP},
};

/* The fixed work alone, as often as an explanation of each row would have it. */
static int show_fixed(size_t times)
{
    double sum = 0, n = (double)(times * (ROWS / STEP));
    for (size_t i = 0; i < times * (ROWS / STEP); i++)
        sum += fixed_work();
    printf("fixed 0 0 0 %.9g\n", sum / n);
    return 0;
}

int main(int argc, char **argv)
{
    gpa_error err;
    uint64_t state = 1;
    size_t asked = 0;
    gpa_model *model = NULL;
    static double x[ROWS * INPUTS], y[ROWS], f[ROWS];
    size_t rows[ROWS], times = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    if (times == 0)
        stop("usage: bench_own TIMES [WAY | fixed]");
    if (argc > 2 && strcmp(argv[2], "fixed") == 0)
        return show_fixed(times);
    for (size_t i = 0; i < ROWS * INPUTS; i++)
        x[i] = normal(&state);
    must(gpa_model_from_callback(&model, predict, &asked, INPUTS, &err), &err);
    gpa_sample sample = {.x = x, .y = y, .f = f, .n = ROWS, .d = INPUTS};
    must(gpa_model_predict(model, x, ROWS, f, &err), &err);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = f[i] + (i % STEP == 0 ? 2 : 0.5) * normal(&state);
    for (size_t w = 0; w < sizeof WAYS / sizeof *WAYS; w++) {
        double own = HUGE_VAL, row = HUGE_VAL, n = (double)(ROWS / WAYS[w].step);
        struct aside best = {.fixed = 1};
        if (argc > 2 && strcmp(argv[2], WAYS[w].name) != 0)
            continue;
        for (size_t i = 0; i < ROWS / WAYS[w].step; i++)
            rows[i] = WAYS[w].step * i;
        for (size_t i = 0; i < times; i++) {
            gpa_explain_options opt;
            gpa_explain_options_init(&opt);
            opt.marginals = WAYS[w].marginals;
            opt.culprit = WAYS[w].culprit;
            struct aside aside = {0};
            double start = spent();
            asked = 0;
            must(gpa_explain_many(model, &sample, rows, ROWS / WAYS[w].step, 1, &opt,
                                  write, &aside, &err),
                 &err);
            double seconds = spent() - start - aside.written - aside.fixed;
            row = fmin(row, model_time(x, ROWS, f));
            if (seconds * best.fixed < own * aside.fixed) {
                own = seconds;
                best = aside;
            }
        }
        double each = (double)asked / n, fixed = best.fixed / n;
        printf("%s %.9g %.9g %.9g %.9g\n", WAYS[w].name, own / n - each * row,
               each * row, each, fixed);
        if (WAYS[w].culprit == GPA_CULPRIT_ON &&
            WAYS[w].marginals == GPA_MARGINALS_EXACT)
            printf("json %.9g 0 0 %.9g\n", best.written / n, fixed);
    }
    gpa_model_free(model);
    return 0;
}

/* Explains a deviation of a model that is a C function. With the library installed:
 *
 *     cc explain_callback.c -o explain_callback $(pkg-config --cflags --libs gpa) -lm
 */
#include <gpa/gpa.h>
#include <math.h>
#include <stdio.h>

/* The model: f(x) = 2 cos(pi x1) cos(pi x2), a batch of n rows at a time. */
static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const double pi = 3.14159265358979323846;
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = 2 * cos(pi * x[i * d]) * cos(pi * x[i * d + 1]);
    return 0;
}

int main(void)
{
    gpa_error err;
    gpa_model *model = NULL;
    gpa_explanation *e = NULL;

    /* At x = (1/2, 0) the model says 0, but y = 1 was observed. */
    const double x[2] = {0.5, 0}, y[1] = {1};
    const gpa_sample row = {.x = x, .y = y, .n = 1, .d = 2};
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.sigma = 1;      /* y scatters so much about a good prediction */
    opt.slope_sd = 0.1; /* the model bends within 1: look for slopes closer by */
    opt.kappa = 0.002;  /* so steep a model wants small steps */

    gpa_status st = gpa_model_from_callback(&model, predict, NULL, 2, &err);
    if (st == GPA_OK)
        st = gpa_explain(&e, model, &row, &opt, &err);
    if (st == GPA_OK) {
        const double *delta = gpa_explanation_delta(e);
        printf("delta = (%.3f, %.3f): f there is %.3f\n", delta[0], delta[1],
               gpa_explanation_f_moved(e)[0]);
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    gpa_explanation_free(e);
    gpa_model_free(model);
    return st == GPA_OK ? 0 : 1;
}

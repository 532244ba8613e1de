#include "base/status.h"
#include "report/explain_plot.h"
#include <gpa/plot.h>
#include <math.h>
#include <stdio.h>

/* f along the inputs of an explanation (the paper's figure 2, on any model). */

enum { SHOWN = 12 };

static size_t points_of(const gpa_explanation *e)
{
    size_t points = 0;
    for (size_t k = 0; e != NULL && k < gpa_explanation_dim(e); k++) {
        const gpa_axis *a = gpa_explanation_axis(e, k);
        points += a != NULL ? a->points : 0;
    }
    return points;
}

/* The mean over the rows at each point; NaN where one has no prediction. */
static void average(const gpa_axis *a, size_t n, double *f)
{
    for (size_t i = 0; i < a->points; i++) {
        double sum = 0;
        for (size_t t = 0; t < n; t++)
            sum += a->f[i * n + t];
        f[i] = sum / (double)n;
    }
}

static size_t fill(const gpai_sketch *s, gpa_profile *profiles)
{
    double *at = s->numbers;
    size_t n = 0;
    for (size_t i = 0; i < s->n && n < SHOWN; i++) {
        size_t k = s->inputs[i];
        const gpa_axis *a = gpa_explanation_axis(s->view.e, k);
        if (a == NULL)
            continue;
        average(a, s->view.n, at);
        profiles[n++] = (gpa_profile){.name = s->names[k],
                                      .f = {a->change, at, a->points},
                                      .map = s->view.delta[k]};
        at += a->points;
    }
    return n;
}

/* The scale of the noise, sqrt(b / a0): the gamma prior's mean precision is a0 / b. */
static double noise_of(const gpai_view *v)
{
    double sum = 0;
    for (size_t t = 0; t < v->n; t++)
        sum += v->b[t];
    return sqrt(sum / (double)v->n / v->s->a0);
}

gpa_status gpa_plot_explanation_profiles(gpa_text *t, const gpa_report_info *info,
                                         const gpa_explanation *e, gpa_error *err)
{
    gpai_sketch s;
    gpa_profile profiles[SHOWN];
    char note[160] = "";
    if (e != NULL && points_of(e) == 0)
        return gpai_fail(err, GPA_INVALID,
                         "profile plot: f along the inputs is not known");
    gpa_status st = gpai_sketch_make(&s, t, info, e, points_of(e), err);
    if (st != GPA_OK)
        return st;
    gpa_profile_plot p;
    gpa_profile_plot_init(&p);
    p.n = fill(&s, profiles);
    p.profiles = profiles;
    p.y = s.view.y_mean;
    p.noise = noise_of(&s.view);
    p.here = 0;
    p.x_label = "change, in units of the input's spread";
    if (s.view.n > 1)
        snprintf(note, sizeof note, "means over %zu rows", s.view.n);
    p.note = note[0] != '\0' ? note : NULL;
    st = p.n > 0 ? gpa_plot_profiles(t, &p, err)
                 : gpai_fail(err, GPA_INVALID,
                             "profile plot: f along the inputs is not known");
    gpai_sketch_free(&s);
    return st;
}

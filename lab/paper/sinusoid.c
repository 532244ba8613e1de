#include "lab/paper/paper.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* f(x) = 2 cos(pi x1) cos(pi x2), for which appendix A has closed forms. Three outcomes
 * at one place: A and B deviate, C does not. */

static const double PI = 3.14159265358979323846;
static const double X[2] = {0.5, 0};
static const struct {
    const char *name;
    double y;
} POINTS[] = {{"A", 1}, {"B", -1}, {"C", 0}};
enum { N_POINTS = 3, SIDE = 16, N_METHODS = 6 };

/* Rows over whole periods, on which every mean of f is 0, as it is under the uniform
 * distribution of the paper. */
static void fill_reference(double *x)
{
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j < SIDE; j++) {
            x[2 * (i * SIDE + j)] = -1 + 2 * ((double)i + 0.5) / SIDE;
            x[2 * (i * SIDE + j) + 1] = -1 + 2 * ((double)j + 0.5) / SIDE;
        }
}

/* The methods in the limits of appendix A: eta, nu -> 0 and slopes at a point. */
static const struct method {
    const char *name, *label;
    double baseline; /* second coordinate of IG's x0 = (0, .) */
} METHODS[N_METHODS] = {{"gpa", "GPA", 0},        {"lc", "LC", 0},
                        {"lime", "LIME", 0},      {"ig", "IG x0=(0,0)", 0},
                        {"ig", "IG x0=(0,1)", 1}, {"sv", "SV", 0}};

/* What appendix A says, at x = (1/2, 0). */
static void closed_form(size_t method, double y, double out[2])
{
    static const double FIXED[N_METHODS][2] = {
        {0, 0}, {0, 0}, {-2 * 3.14159265358979323846, 0}, {-2, 0}, {-2. / 3, 8. / 3},
        {0, 0}};
    memcpy(out, FIXED[method], 2 * sizeof *out);
    if (method < 2)
        out[0] = acos(y / 2) / PI - X[0];
}

static gpa_status run_method(const struct paper *p, gpa_model *m, size_t method,
                             double y, const gpa_sample *reference, double out[2],
                             gpa_error *err)
{
    gpa_explain_options e;
    gpa_attribute_options o;
    gpa_attribution *a = NULL;
    double f = 2 * cos(PI * X[0]) * cos(PI * X[1]);
    double baseline[2] = {0, METHODS[method].baseline};
    const gpa_sample s = {.x = X, .y = &y, .f = &f, .n = 1, .d = 2};
    gpa_explain_options_init(&e);
    e.seed = p->seed;
    e.eta = 1e-6;
    e.nu = 0.5;
    e.sigma = 0.01;
    e.a0 = 5.5;
    e.noise = GPA_NOISE_CONSTANT;
    e.slope_sd = 1e-4;
    gpa_attribute_options_init(&o);
    o.explain = &e;
    o.reference = reference;
    o.lime_sd = 1e-4;
    o.lime_l1 = 0;
    o.quadrature = GPA_QUADRATURE_TRAPEZOID;
    o.intervals = 2000;
    o.baseline = GPA_BASELINE_GIVEN;
    o.baseline_x = baseline;
    o.shapley = GPA_SHAPLEY_EXACT;
    gpa_status st = gpa_attribute(&a, METHODS[method].name, m, &s, &o, err);
    if (st == GPA_OK)
        memcpy(out, gpa_attribution_score(a), 2 * sizeof *out);
    gpa_attribution_free(a);
    return st;
}

static gpa_status compare(struct paper *p, gpa_model *m, double *score, gpa_error *err)
{
    static const char *const HEADS[] = {
        "point",     "method", "x1: paper",         "ours",
        "x2: paper", "ours",   "largest difference"};
    double rows[2 * SIDE * SIDE];
    const gpa_sample reference = {.x = rows, .n = SIDE * SIDE, .d = 2};
    struct grid g = {.name = "sinusoid",
                     .title = "Closed forms of appendix A beside our numbers",
                     .columns = 7};
    gpa_status st = GPA_OK;
    fill_reference(rows);
    grid_texts(&g, HEADS, 7);
    for (size_t t = 0; t < N_POINTS && st == GPA_OK; t++)
        for (size_t j = 0; j < N_METHODS && st == GPA_OK; j++) {
            double want[2], got[2] = {0, 0};
            closed_form(j, POINTS[t].y, want);
            st = run_method(p, m, j, POINTS[t].y, &reference, got, err);
            grid_text(&g, "%s, y = %g", POINTS[t].name, POINTS[t].y);
            grid_text(&g, "%s", METHODS[j].label);
            for (size_t k = 0; k < 2; k++) {
                grid_number(&g, 6, want[k]);
                grid_number(&g, 6, got[k]);
                /* what is rounding is 0: a litmus plot would blow it up */
                score[k * N_POINTS * N_METHODS + t * N_METHODS + j] =
                    fabs(got[k]) > 1e-9 ? got[k] : 0;
            }
            grid_number(&g, GRID_POWER,
                        fmax(fabs(want[0] - got[0]), fabs(want[1] - got[1])));
        }
    return paper_table(p, &g, st, err);
}

static gpa_status draw_surface(struct paper *p, gpa_error *err)
{
    enum { POINTS_A_SIDE = 61 };
    static const gpa_plot_mark MARK = {0.5, 0, "A, B, C"};
    double values[POINTS_A_SIDE * POINTS_A_SIDE];
    gpa_surface_plot s;
    for (size_t i = 0; i < POINTS_A_SIDE; i++)
        for (size_t j = 0; j < POINTS_A_SIDE; j++)
            values[i * POINTS_A_SIDE + j] =
                2 * cos(PI * (-1 + 2 * (double)j / (POINTS_A_SIDE - 1))) *
                cos(PI * (-1 + 2 * (double)i / (POINTS_A_SIDE - 1)));
    gpa_surface_plot_init(&s);
    s.width = PAPER_WIDTH;
    s.nx = s.ny = POINTS_A_SIDE;
    s.values = values;
    s.x_low = s.y_low = -1;
    s.x_high = s.y_high = 1;
    s.x_label = "x1";
    s.y_label = "x2";
    s.value_label = "f";
    s.marks = &MARK;
    s.n_marks = 1;
    gpa_status st = gpa_plot_surface(p->svg, &s, err);
    return paper_figure(p, "sinusoid-surface",
                        "Figure 3, left: f(x) = 2 cos(pi x1) cos(pi x2).", st, err);
}

static gpa_status draw_slice(struct paper *p, gpa_error *err)
{
    enum { STEPS = 201 };
    static const gpa_plot_mark MARKS[] = {{0.5, 1, "A"}, {0.5, -1, "B"}, {0.5, 0, "C"}};
    double x[STEPS], y[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        x[i] = -1 + 2 * (double)i / (STEPS - 1);
        y[i] = 2 * cos(PI * x[i]);
    }
    gpa_profile one = {.name = "x1, at x2 = 0",
                       .f = {x, y, STEPS},
                       .map = (double)NAN,
                       .marks = MARKS,
                       .n_marks = 3};
    gpa_profile_plot plot;
    gpa_profile_plot_init(&plot);
    plot.n = 1;
    plot.profiles = &one;
    plot.width = PAPER_WIDTH;
    gpa_status st = gpa_plot_profiles(p->svg, &plot, err);
    return paper_figure(p, "sinusoid-slice",
                        "Figure 3, right: the slice x2 = 0 with the three outcomes "
                        "at x = (1/2, 0). C is what the model expects.",
                        st, err);
}

static gpa_status draw_litmus(struct paper *p, const double *score, gpa_error *err)
{
    static const char *const INPUTS[] = {"x1", "x2"};
    char text[N_POINTS * N_METHODS][32];
    const char *names[N_POINTS * N_METHODS];
    gpa_litmus_plot plot;
    for (size_t t = 0; t < N_POINTS; t++)
        for (size_t j = 0; j < N_METHODS; j++) {
            size_t c = t * N_METHODS + j;
            snprintf(text[c], sizeof text[c], "%s: %s", POINTS[t].name,
                     METHODS[j].label);
            names[c] = text[c];
        }
    gpa_litmus_plot_init(&plot);
    plot.n_inputs = 2;
    plot.inputs = INPUTS;
    plot.n_columns = N_POINTS * N_METHODS;
    plot.columns = names;
    plot.score = score;
    gpa_status st = gpa_plot_litmus(p->svg, &plot, err);
    return paper_figure(p, "sinusoid-litmus",
                        "Figure 4: normalised scores at A, B and C. Only GPA (and "
                        "LC) tell the three apart: x1 too large at A, too small at "
                        "B, nothing at C.",
                        st, err);
}

gpa_status paper_sinusoid(struct paper *p, gpa_error *err)
{
    double score[2 * N_POINTS * N_METHODS];
    gpa_model *m = NULL;
    paper_heading(p, "2Dsinusoidal");
    paper_say(p,
              "One place, x = (1/2, 0), and three outcomes: A (y = 1) and B (y = -1) "
              "deviate from what the model says, f = 0, and C does not. An ideal "
              "attribution names x1 for A and B, in opposite directions, and nothing "
              "for C.");
    gpa_status st = gpa_model_open(&m, "builtin:sinusoid2d", NULL, err);
    if (st == GPA_OK)
        st = compare(p, m, score, err);
    if (st == GPA_OK)
        st = draw_surface(p, err);
    if (st == GPA_OK)
        st = draw_slice(p, err);
    if (st == GPA_OK)
        st = draw_litmus(p, score, err);
    gpa_model_free(m);
    return st;
}

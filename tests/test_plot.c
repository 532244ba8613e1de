#include "svg_support.h"

#include "base/alloc.h"
#include "base/text/text.h"
#include "report/draw/draw.h"
#include <gpa/plot.h>
#include <locale.h>

enum { LONG = 10000, D = 4, M = 3, N = 6 };

static char endless[LONG + 1];

/* What people and enemies call their columns. */
static const char *const PLAIN[D] = {"age", "bmi", "bp", "s5"};
static const char *const SIXTY[D] = {
    "a name of sixty characters that goes on and on until it ends",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii", "mmm"};
static const char *const HOSTILE[D] = {
    "</text><script>alert(1)</script>", "\" onload=\"x\" '&amp;]]>",
    "\xff\xfe\x1b[31m\xef\xbf\xbf\xed\xa0\x80\n\t\xe2\x80\xae", endless};
static const char *const FOREIGN[D] = {
    "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
    "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x81\xae\xe5\x88\x97",
    "Z\xcc\xb4\xcc\x81\xcc\xb4\xcc\x81\xcc\xb4\xcc\x81lgo"};

static const double GRID[5] = {-2, -1, 0, 1, 2}, HILL[5] = {0, 0.2, 0.5, 0.3, 0};
static const double X[N * D] = {0, 1, 2, 3, 4,  5, 6, 7, 1, 1, 1, 1,
                                2, 2, 2, 2, -1, 0, 0, 9, 3, 3, 3, 3};
static const double Y[N] = {1, 2, 3, 4, 5, 6};
static const size_t MARKED[2] = {0, 3};
static const double LOW90[D] = {-4, -2, -2, -1}, HIGH90[D] = {0, 2, 2, 3};
static const double LOW[D] = {-3, -1, -1, 0}, POINT[D] = {-2, 0.5, 0, 1},
                    HIGH[D] = {-1, 1, 1, 2};

/* A sample of each kind, all with the same names. */
struct samples {
    gpa_litmus_plot litmus;
    gpa_ridge_plot ridge;
    gpa_forest_plot forest;
    gpa_scatter_plot scatter;
    gpa_score_plot score;
    gpa_profile_plot profile;
    gpa_surface_plot surface;
    gpa_ridge ridges[D];
    gpa_profile profiles[D];
    gpa_plot_mark mark;
    double scores[D * M], heights[12], delta[2 * D];
};

static void sample_arrays(struct samples *s, const char *const *names)
{
    for (size_t k = 0; k < D; k++) {
        s->ridges[k] = (gpa_ridge){.density = {GRID, HILL, 5},
                                   .prior = {GRID, HILL, 5},
                                   .map = -1.5 + (double)k,
                                   .mean = 0.1,
                                   .interval50 = {-0.5, 0.5},
                                   .interval90 = {-1.5, 1.5}};
        s->profiles[k] =
            (gpa_profile){names[k], {GRID, GRID, 5}, 0.5 * (double)k, &s->mark, 1};
    }
    for (size_t i = 0; i < D * M; i++)
        s->scores[i] = i % M == 2 ? (double)NAN : (double)i - 4;
    for (size_t i = 0; i < 12; i++)
        s->heights[i] = (double)(i % 4);
    for (size_t i = 0; i < 2 * D; i++)
        s->delta[i] = 1;
    s->mark = (gpa_plot_mark){0.5, 0.5, names[0]};
}

static void sample_tables(struct samples *s, const char *const *names)
{
    static const char *const reasons[M] = {NULL, NULL, "it needs <reference> rows"};
    gpa_litmus_plot_init(&s->litmus);
    s->litmus.n_inputs = D;
    s->litmus.n_columns = M;
    s->litmus.inputs = s->litmus.columns = names;
    s->litmus.score = s->scores;
    s->litmus.reasons = reasons;
    gpa_ridge_plot_init(&s->ridge);
    s->ridge.n = D;
    s->ridge.names = s->ridge.values = names;
    s->ridge.ridges = s->ridges;
    gpa_forest_plot_init(&s->forest);
    s->forest.n = D;
    s->forest.names = names;
    s->forest.point = POINT;
    s->forest.low50 = LOW;
    s->forest.high50 = HIGH;
    s->forest.low90 = LOW90;
    s->forest.high90 = HIGH90;
    s->forest.x_label = names[0];
}

static void sample_panels(struct samples *s, const char *const *names)
{
    gpa_scatter_plot_init(&s->scatter);
    s->scatter.n = N;
    s->scatter.d = D;
    s->scatter.x = X;
    s->scatter.y = Y;
    s->scatter.names = names;
    s->scatter.y_label = names[1];
    s->scatter.marked = MARKED;
    s->scatter.n_marked = 2;
    s->scatter.delta = s->delta;
    gpa_score_plot_init(&s->score);
    s->score.n = N;
    s->score.score = Y;
    s->score.marked = MARKED;
    s->score.n_marked = 2;
    s->score.labels = names;
    s->score.threshold = 4.5;
    gpa_profile_plot_init(&s->profile);
    s->profile.n = D;
    s->profile.profiles = s->profiles;
    s->profile.y = 1;
    s->profile.noise = 0.25;
    s->profile.here = 0;
    s->profile.x_label = s->profile.y_label = names[2];
    gpa_surface_plot_init(&s->surface);
    s->surface.nx = 4;
    s->surface.ny = 3;
    s->surface.values = s->heights;
    s->surface.x_label = s->surface.y_label = s->surface.value_label = names[0];
    s->surface.marks = &s->mark;
    s->surface.n_marks = 1;
}

static void samples_make(struct samples *s, const char *const *names, double width,
                         const char *title)
{
    memset(s, 0, sizeof *s);
    sample_arrays(s, names);
    sample_tables(s, names);
    sample_panels(s, names);
    s->litmus.width = s->ridge.width = s->forest.width = s->scatter.width = width;
    s->score.width = s->profile.width = s->surface.width = width;
    s->litmus.title = s->ridge.title = s->forest.title = s->scatter.title = title;
    s->score.title = s->profile.title = s->surface.title = title;
    s->litmus.note = s->ridge.note = s->forest.note = s->scatter.note = title;
    s->score.note = s->profile.note = s->surface.note = title;
}

enum { KINDS = 7 };
static const char *const KIND[KINDS] = {"litmus", "ridge",   "forest", "scatter",
                                        "score",  "profile", "surface"};

static gpa_status plot(gpa_text *t, const struct samples *s, size_t kind,
                       gpa_error *err)
{
    switch (kind) {
    case 0:
        return gpa_plot_litmus(t, &s->litmus, err);
    case 1:
        return gpa_plot_ridges(t, &s->ridge, err);
    case 2:
        return gpa_plot_forest(t, &s->forest, err);
    case 3:
        return gpa_plot_scatter(t, &s->scatter, err);
    case 4:
        return gpa_plot_scores(t, &s->score, err);
    case 5:
        return gpa_plot_profiles(t, &s->profile, err);
    default:
        return gpa_plot_surface(t, &s->surface, err);
    }
}

/* A picture read back; the text stays with the caller. */
static svg drawn(gpa_text **t, const struct samples *s, size_t kind)
{
    assert_int_equal(gpa_text_new(t, NULL), GPA_OK);
    assert_int_equal(plot(*t, s, kind, NULL), GPA_OK);
    return svg_read(gpa_text_data(*t));
}

/* Everything but tooltips, which only cut names have, and the numbers of axes, which
 * may be fewer where names take more room. */
static size_t parts(const svg *s)
{
    return s->count - svg_count(s, "title", NULL) - svg_count(s, "path", "p-grid") -
           svg_count(s, "text", "p-small p-mute");
}

/* Whatever the names, the picture has the same parts, and no text meets another. */
static void names_are_only_text(void **state)
{
    (void)state;
    static const char *const *const lists[] = {PLAIN, SIXTY, HOSTILE, FOREIGN};
    static const double widths[] = {0, 400, 1200};
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t w = 0; w < 3; w++) {
            size_t want = 0;
            for (size_t i = 0; i < 4; i++) {
                struct samples s;
                gpa_text *t = NULL;
                samples_make(&s, lists[i], widths[w], NULL);
                svg p = drawn(&t, &s, kind);
                svg_assert_manners(&p, gpa_text_data(t));
                svg_assert_apart(&p, KIND[kind]);
                want = i == 0 ? parts(&p) : want;
                assert_int_equal(parts(&p), want);
                svg_free(&p);
                gpa_text_free(t);
            }
        }
}

static void titles_and_notes_of_any_length(void **state)
{
    (void)state;
    const char *const titles[] = {"short", HOSTILE[0], endless,
                                  "many words that take more than one line, "
                                  "since the picture is only so wide and "
                                  "there are so many of them to be shown"};
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < 4; i++) {
            struct samples s;
            gpa_text *t = NULL;
            samples_make(&s, PLAIN, 300, titles[i]);
            svg p = drawn(&t, &s, kind);
            svg_assert_manners(&p, gpa_text_data(t));
            svg_assert_apart(&p, KIND[kind]);
            svg_free(&p);
            gpa_text_free(t);
        }
}

/* The whole of a cut name is its tooltip. */
static void cut_names_have_tooltips(void **state)
{
    (void)state;
    struct samples s;
    gpa_text *t = NULL;
    samples_make(&s, SIXTY, 400, NULL);
    svg p = drawn(&t, &s, 2);
    const svg_element *whole = svg_saying(&p, SIXTY[0]);
    assert_string_equal(whole->name, "title");
    const svg_element *label = &p.e[whole->parent];
    assert_string_equal(label->name, "text");
    size_t n = strlen(label->text);
    assert_string_equal(label->text + n - 3, "\xe2\x80\xa6");
    assert_memory_equal(label->text, SIXTY[0], n - 3);
    svg_free(&p);
    gpa_text_free(t);
}

/* Column 0 is 2, -1, 0: shares 1, -1/2, 0; column 1 is all 0; column 2 has nothing. */
static void litmus_bars_are_shares(void **state)
{
    (void)state;
    static const double score[] = {2,           0, (double)NAN, -1,         0,
                                   (double)NAN, 0, 0,           (double)NAN};
    static const char *const reasons[] = {NULL, NULL, "no rows"};
    gpa_litmus_plot l;
    gpa_text *t = NULL;
    gpa_litmus_plot_init(&l);
    l.n_inputs = l.n_columns = 3;
    l.inputs = l.columns = PLAIN;
    l.score = score;
    l.reasons = reasons;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_litmus(t, &l, NULL), GPA_OK);
    svg p = svg_read(gpa_text_data(t));
    /* of each sign a tint and a bar in the table, two of each in the legend */
    assert_int_equal(svg_count(&p, "rect", "p-pos"), 2 + 4);
    assert_int_equal(svg_count(&p, "rect", "p-neg"), 2 + 4);
    const svg_element *up = svg_find(&p, "rect", "p-pos", 1);
    const svg_element *down = svg_find(&p, "rect", "p-neg", 1);
    double length = svg_number(up, "width");
    assert_close(svg_number(down, "width"), length / 2, 0.011);
    /* both begin in the middle of their column, under its name */
    double middle = svg_number(svg_saying(&p, "2"), "x");
    assert_close(svg_number(up, "x"), middle, 0.011);
    assert_close(svg_number(down, "x") + length / 2, middle, 0.021);
    assert_true(svg_number(up, "y") < svg_number(down, "y"));
    /* the tint's strength follows the share */
    const svg_element *tint = svg_find(&p, "rect", "p-neg", 0);
    const svg_element *full = svg_find(&p, "rect", "p-pos", 0);
    assert_close(svg_number(&p.e[tint->parent], "fill-opacity"),
                 svg_number(&p.e[full->parent], "fill-opacity") / 2, 1e-9);
    assert_int_equal(svg_count(&p, "g", "p-none"), 1);
    assert_int_equal(svg_count(&p, "path", "p-hatch"), 2); /* and one in the legend */
    svg_saying(&p, "bp: no rows");
    svg_saying(&p, "0");
    svg_free(&p);
    gpa_text_free(t);
}

/* The largest numbers of the columns are there to read, however wide. */
static void litmus_prints_the_maxima(void **state)
{
    (void)state;
    static const double score[] = {0.8056, -96.43, 1.2345e-9, 123456789.0};
    static const char *const want[] = {"0.806", "96.4", "1.23e-09", "123456789"};
    gpa_litmus_plot l;
    gpa_text *t = NULL;
    gpa_litmus_plot_init(&l);
    l.n_inputs = 1;
    l.n_columns = 4;
    l.inputs = l.columns = PLAIN;
    l.score = score;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_litmus(t, &l, NULL), GPA_OK);
    svg p = svg_read(gpa_text_data(t));
    for (size_t j = 0; j < 4; j++)
        svg_saying(&p, want[j]);
    svg_assert_apart(&p, "litmus");
    svg_free(&p);
    gpa_text_free(t);
}

static void forest_is_sorted(void **state)
{
    (void)state;
    static const double weight[D] = {1, -9, (double)NAN, 4};
    static const char *const order[D] = {"bmi", "s5", "age", "bp"};
    struct samples s;
    gpa_text *t = NULL;
    samples_make(&s, PLAIN, 0, NULL);
    s.forest.weight = weight;
    s.forest.x_label = NULL;
    svg p = drawn(&t, &s, 2);
    double last = 0;
    for (size_t i = 0; i < D; i++) {
        double y = svg_number(svg_saying(&p, order[i]), "y");
        assert_true(y > last);
        last = y;
    }
    /* 50 % interval from -3 to -1 with the point -2 in its middle */
    double bar[4];
    assert_int_equal(svg_path(svg_find(&p, "path", "p-bar50", 2), bar, 4), 4);
    const svg_element *point = svg_find(&p, "rect", "p-dot p-neg", 0);
    assert_close(svg_number(point, "x") + svg_number(point, "width") / 2,
                 (bar[0] + bar[2]) / 2, 0.02);
    svg_free(&p);
    gpa_text_free(t);
}

/* Heights are shares of the highest; both panels have what was given. */
static void ridges_follow_their_densities(void **state)
{
    (void)state;
    struct samples s;
    gpa_text *t = NULL;
    samples_make(&s, PLAIN, 0, NULL);
    s.ridge.values = NULL;
    s.ridge.beside = s.ridges;
    s.ridges[0].interval90[0] = -2; /* so that the axis holds all of GRID */
    s.ridges[0].interval90[1] = 2;
    svg p = drawn(&t, &s, 1);
    assert_int_equal(svg_count(&p, "path", "p-edge p-neg"), 2 * 2);
    assert_int_equal(svg_count(&p, "path", "p-edge p-pos"), 2 * 2);
    assert_int_equal(svg_count(&p, "path", "p-before"), 2 * D + 1);
    assert_int_equal(svg_count(&p, "path", "p-bar90"), 2 * D + 1); /* and a legend */
    double at[10];
    assert_int_equal(svg_path(svg_find(&p, "path", "p-edge p-neg", 0), at, 10), 10);
    for (size_t i = 0; i < 5; i++) { /* straight axes: HILL upside down on GRID */
        assert_close((at[2 * i] - at[0]) / (at[8] - at[0]), (GRID[i] + 2) / 4, 1e-3);
        assert_close((at[1] - at[2 * i + 1]) / (at[1] - at[5]), HILL[i] / 0.5, 1e-3);
    }
    svg_free(&p);
    gpa_text_free(t);
}

/* With common heights a density half as high is drawn half as high. */
static void ridges_of_common_height(void **state)
{
    (void)state;
    static const double low[5] = {0, 0.1, 0.25, 0.15, 0};
    for (int common = 0; common <= 1; common++) {
        struct samples s;
        gpa_text *t = NULL;
        samples_make(&s, PLAIN, 0, NULL);
        s.ridge.n = 2;
        s.ridge.common_height = common != 0;
        s.ridges[0].map = s.ridges[1].map = 1;
        s.ridges[0].prior.points = s.ridges[1].prior.points = 0;
        s.ridges[1].density.y = low;
        svg p = drawn(&t, &s, 1);
        double a[10], b[10];
        svg_path(svg_find(&p, "path", "p-edge p-pos", 0), a, 10);
        svg_path(svg_find(&p, "path", "p-edge p-pos", 1), b, 10);
        assert_close((b[1] - b[5]) / (a[1] - a[5]), common ? 0.5 : 1, 2e-3);
        svg_free(&p);
        gpa_text_free(t);
    }
}

/* An arrow from a row ends where another row stands: x + delta of row 0 is row 3. */
static void scatter_arrows_end_at_the_repaired_row(void **state)
{
    (void)state;
    static const double delta[2 * D] = {2, 1, 0, -1};
    struct samples s;
    gpa_text *t = NULL;
    samples_make(&s, PLAIN, 0, NULL);
    s.scatter.delta = delta;
    svg p = drawn(&t, &s, 3);
    assert_int_equal(svg_count(&p, "rect", "p-mark p-dot"), 2 * D);
    assert_int_equal(svg_count(&p, "path", "p-arrow"), 3); /* none where delta is 0 */
    static const size_t panel[3] = {0, 1, 3};
    for (size_t i = 0; i < 3; i++) {
        double arrow[10];
        svg_path(svg_find(&p, "path", "p-arrow", i), arrow, 10);
        const svg_element *row0 = svg_find(&p, "rect", "p-mark p-dot", 2 * panel[i]);
        const svg_element *row3 =
            svg_find(&p, "rect", "p-mark p-dot", 2 * panel[i] + 1);
        assert_close(arrow[0], svg_number(row0, "x") + 5, 0.02);
        assert_close(arrow[2], svg_number(row3, "x") + 5, 0.02);
        assert_close(arrow[1], arrow[3], 1e-9);
    }
    svg_free(&p);
    gpa_text_free(t);
}

/* Six rows: two on the same place, one without a number. */
static void scatter_draws_each_place_once(void **state)
{
    (void)state;
    static const double x[N] = {1, 2, 2, 3, (double)NAN, 4}, y[N] = {1, 5, 5, 2, 3, 4};
    gpa_scatter_plot p;
    gpa_text *t = NULL;
    gpa_scatter_plot_init(&p);
    p.n = N;
    p.d = 1;
    p.x = x;
    p.y = y;
    p.names = PLAIN;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_scatter(t, &p, NULL), GPA_OK);
    svg s = svg_read(gpa_text_data(t));
    double at[3 * N];
    assert_int_equal(svg_path(svg_find(&s, "path", "p-points", 0), at, 3 * N), 3 * 4);
    assert_close((at[3] - at[0]) / (at[6] - at[0]), 0.5, 1e-3); /* 1, 2, 3 */
    assert_true(at[4] < at[7]);                                 /* 5 is above 2 */
    svg_free(&s);
    gpa_text_free(t);
}

static void scores_mark_rows_and_threshold(void **state)
{
    (void)state;
    struct samples s;
    gpa_text *t = NULL;
    samples_make(&s, PLAIN, 0, NULL);
    svg p = drawn(&t, &s, 4);
    double line[4], last = svg_number(svg_find(&p, "rect", "p-mark p-dot", 0), "y");
    svg_path(svg_find(&p, "path", "p-level", 0), line, 4);
    double above = svg_number(svg_find(&p, "rect", "p-mark p-dot", 1), "y");
    /* scores 1 and 4, threshold 4.5: three and a half units up in three units */
    assert_close((last + 5 - line[1]) / (last - above), 3.5 / 3, 1e-3);
    svg_free(&p);
    s.score.threshold = (double)NAN;
    s.score.labels = NULL;
    gpa_text_free(t);
    p = drawn(&t, &s, 4);
    assert_int_equal(svg_count(&p, "path", "p-level"), 0);
    assert_true(strncmp(svg_saying(&p, "3")->class, "p-small", 7) == 0);
    svg_free(&p);
    gpa_text_free(t);
}

/* f(x) = x: the curve is straight, and the marks lie where it says. */
static void profiles_put_marks_on_the_curve(void **state)
{
    (void)state;
    struct samples s;
    gpa_text *t = NULL;
    samples_make(&s, PLAIN, 0, NULL);
    s.profile.n = 1;
    s.profiles[0].map = 1.5;
    svg p = drawn(&t, &s, 5);
    double c[10], level[4]; /* of five points on a line the first and last suffice */
    assert_int_equal(svg_path(svg_find(&p, "path", "p-curve", 0), c, 10), 4);
    double x0 = (c[0] + c[2]) / 2, y0 = (c[1] + c[3]) / 2;
    double per = (c[2] - c[0]) / 4, up = (c[3] - c[1]) / 4;
    const svg_element *here = svg_find(&p, "circle", "p-hollow", 0);
    assert_close(svg_number(here, "cx"), x0, 0.011);
    assert_close(svg_number(here, "cy"), y0, 0.011);
    const svg_element *map = svg_find(&p, "circle", "p-dot p-pos", 0);
    assert_close(svg_number(map, "cx"), x0 + 1.5 * per, 0.011);
    assert_close(svg_number(map, "cy"), y0 + 1.5 * up, 0.011);
    svg_path(svg_find(&p, "path", "p-level", 0), level, 4);
    assert_close(level[1], y0 + up, 0.011);
    const svg_element *band = svg_find(&p, "rect", "p-band", 0);
    assert_close(svg_number(band, "height"), fabs(0.5 * up), 0.021);
    const svg_element *mark = svg_find(&p, "rect", "p-mark p-dot", 0);
    assert_close(svg_number(mark, "x") + 4.5, x0 + 0.5 * per, 0.011);
    svg_free(&p);
    gpa_text_free(t);
}

/* A curve of many points is drawn through few of them: each of its points is at most a
 * quarter of a pixel, and the rounding, above or below what is drawn. */
static void curves_are_drawn_through_few_points(void **state)
{
    (void)state;
    enum { MANY = 400, FEW = 80 };
    static double x[MANY], y[MANY];
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (double)i / (MANY - 1);
        y[i] = cos(9 * x[i]) * exp(-2 * x[i]);
    }
    gpa_text *t = NULL;
    gpa_profile one = {.name = "x", .f = {x, y, MANY}, .map = (double)NAN};
    gpa_profile_plot plot;
    gpa_profile_plot_init(&plot);
    plot.n = 1;
    plot.profiles = &one;
    plot.y = 1;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_profiles(t, &plot, NULL), GPA_OK);
    svg s = svg_read(gpa_text_data(t));
    double c[2 * FEW], low = 0;
    size_t points = svg_path(svg_find(&s, "path", "p-curve", 0), c, 2 * FEW) / 2;
    assert_in_range(points, 8, FEW);
    for (size_t i = 0; i < MANY; i++)
        low = fmin(low, y[i]);
    double lowest = 0; /* pixels grow downwards */
    for (size_t j = 0; j < points; j++)
        lowest = fmax(lowest, c[2 * j + 1]);
    double per = c[2 * points - 2] - c[0], up = (c[1] - lowest) / (1 - low);
    for (size_t i = 0, j = 1; i < MANY; i++) {
        double at = c[0] + per * x[i], want = c[1] + up * (y[i] - 1);
        while (j + 1 < points && c[2 * j] < at)
            j++;
        double share = (at - c[2 * j - 2]) / (c[2 * j] - c[2 * j - 2]);
        double drawn_y = c[2 * j - 1] + share * (c[2 * j + 1] - c[2 * j - 1]);
        assert_close(drawn_y, want, 0.25 + 0.05 + 0.25); /* up is known to 0.25 */
    }
    svg_free(&s);
    gpa_text_free(t);
}

/* Twice the signed area of the pieces of a path of M, L, V, H and z. */
static double path_area(const svg_element *e)
{
    const char *p = strstr(e->attributes, " d=\"") + 4;
    double sum = 0, x = 0, y = 0, x0 = 0, y0 = 0;
    while (*p != '"') {
        char *end = NULL;
        char c = *p++;
        double nx = x, ny = y;
        if (c == 'z') {
            nx = x0;
            ny = y0;
        } else if (c == 'V') {
            ny = strtod(p, &end);
        } else if (c == 'H') {
            nx = strtod(p, &end);
        } else {
            nx = strtod(p, &end);
            ny = strtod(end, &end);
        }
        p = end != NULL ? end : p;
        if (c == 'M') {
            x0 = nx;
            y0 = ny;
        } else {
            sum += x * ny - nx * y;
        }
        x = nx;
        y = ny;
    }
    return fabs(sum) / 2;
}

/* Regions above a level have the area they have in mathematics. */
static void surface_areas(void **state)
{
    (void)state;
    enum { SIDE = 41 };
    static double plane[SIDE * SIDE], saddle[SIDE * SIDE], disc[SIDE * SIDE];
    for (size_t j = 0; j < SIDE; j++)
        for (size_t i = 0; i < SIDE; i++) {
            double x = -1 + (double)i / 20, y = -1 + (double)j / 20;
            plane[j * SIDE + i] = x;
            saddle[j * SIDE + i] = x * y;
            disc[j * SIDE + i] = -(x * x + y * y);
        }
    const struct {
        const double *values;
        size_t levels, region; /* how many contour lines; which region to measure */
        double share, tolerance;
    } cases[] = {
        /* levels in steps of 0.2 */
        {plane, 9, 0, 1, 1e-9}, /* everything */
        {plane, 9, 5, 0.5, 1e-3},
        {plane, 9, 7, 0.3, 1e-3}, /* x >= 0.4 */
        {saddle, 9, 5, 0.5, 1e-3},
        {disc, 9, 5, acos(-1) / 4, 3e-3}, /* x^2 + y^2 <= 1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_surface_plot s;
        gpa_text *t = NULL;
        gpa_surface_plot_init(&s);
        s.nx = s.ny = SIDE;
        s.values = cases[i].values;
        s.x_low = s.y_low = -1;
        assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
        assert_int_equal(gpa_plot_surface(t, &s, NULL), GPA_OK);
        svg p = svg_read(gpa_text_data(t));
        size_t regions = 0;
        const svg_element *all = NULL, *region = NULL;
        for (size_t k = 0; k < p.count; k++)
            if (svg_has(&p.e[k], " fill=\"#") && strcmp(p.e[k].name, "path") == 0) {
                all = regions == 0 ? &p.e[k] : all;
                region = regions == cases[i].region ? &p.e[k] : region;
                regions++;
            }
        assert_int_equal(regions, cases[i].levels + 1);
        assert_close(path_area(region) / path_area(all), cases[i].share,
                     cases[i].tolerance);
        svg_free(&p);
        gpa_text_free(t);
    }
}

/* Lightness rises from one end of the colours to the other, in even steps. */
static void colours_rise(void **state)
{
    (void)state;
    double last = -1;
    for (int i = 0; i <= 20; i++) {
        char text[GPAI_COLOUR_SIZE];
        gpai_colour(text, i / 20.0);
        assert_int_equal(strlen(text), 7);
        unsigned long rgb = strtoul(text + 1, NULL, 16);
        double light = 0;
        static const double weight[3] = {0.2126, 0.7152, 0.0722}; /* CIE Y of sRGB */
        for (int k = 0; k < 3; k++) {
            double v = (double)(rgb >> (16 - 8 * k) & 0xFF) / 255;
            light +=
                weight[k] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
        }
        double star =
            light > 216.0 / 24389 ? 116 * cbrt(light) - 16 : light * 24389 / 27;
        if (i > 0) /* L* from 0 to 100 */
            assert_true(star - last > 2 && star - last < 6);
        last = star;
    }
    assert_true(last > 85);
}

static void ticks_are_round(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        size_t most;
        const char *want;
    } cases[] = {
        {0, 1, 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
        {0, 1, 6, "0.0 0.2 0.4 0.6 0.8 1.0"},
        {-3, 97, 5, "0 20 40 60 80"},
        {-0.7, 0.7, 4,
         "\xe2\x88\x92"
         "0.5 0.0 0.5"},
        {0, 12345, 4,
         "0 5000 10\xe2\x80\x89"
         "000"},
        {120000, 560000, 5,
         "200\xe2\x80\x89"
         "000 300\xe2\x80\x89"
         "000 "
         "400\xe2\x80\x89"
         "000 500\xe2\x80\x89"
         "000"},
        {0, 2.5e6, 5,
         "0.0 0.5 1.0 1.5 2.0 2.5 \xc3\x97"
         "10\xe2\x81\xb6"},
        {0, 3e-7, 3,
         "0 100 200 300 \xc3\x97"
         "10\xe2\x81\xbb\xe2\x81\xb9"},
        {1, 1.0004, 4, "1.0000 1.0001 1.0002 1.0003 1.0004"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_text *t = NULL;
        assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
        gpai_axis a = {cases[i].low, cases[i].high, 0, 100};
        gpai_ticks k = gpai_ticks_make(&a, cases[i].most);
        for (size_t j = 0; j < k.count; j++) {
            gpai_text_add(t, j > 0 ? " " : "");
            gpai_text_add(t, gpai_tick_text(&k, j, false).text);
        }
        gpai_text_add(t, k.power != 0 ? " " : "");
        gpai_text_add(t, gpai_tick_power(&k).text);
        assert_string_equal(gpa_text_data(t), cases[i].want);
        gpa_text_free(t);
    }
}

/* Names of inputs decide how much room names get: the longest fits its own room. */
static void names_fit_their_own_room(void **state)
{
    (void)state;
    static const char *const words[] = {"feed_temp", "pressure", "flow", "catalyst"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int font = 0; font < GPAI_FONTS; font++) {
            double room = gpai_text_width(words[i], (gpai_font)font);
            size_t all = strlen(words[i]);
            room /= gpai_font_size((gpai_font)font);
            assert_int_equal(gpai_measure_fit(words[i], all, room), all);
        }
    gpa_forest_plot p;
    const double point[4] = {1, 2, 3, 4};
    gpa_text *t = NULL;
    gpa_forest_plot_init(&p);
    p.n = 4;
    p.names = words;
    p.point = point;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_forest(t, &p, NULL), GPA_OK);
    assert_non_null(strstr(gpa_text_data(t), ">feed_temp</text>"));
    gpa_text_free(t);
}

/* Text is never wider than it was taken for, in the widest of the usual fonts. */
static void measures_are_not_too_small(void **state)
{
    (void)state;
    for (int c = 0x20; c < 0x7F; c++) {
        double em = gpai_measure_point((uint32_t)c);
        assert_true(em >= SVG_WIDTHS[0][c - 0x20] / 1000.0);
        assert_true(1.15 * em >= SVG_WIDTHS[1][c - 0x20] / 1000.0);
        assert_true(em <= 0.2 + SVG_WIDTHS[0][c - 0x20] / 1000.0);
    }
    for (size_t room = 2; room < 30; room++)
        for (size_t i = 0; i < D; i++) {
            size_t n = gpai_measure_fit(SIXTY[i], strlen(SIXTY[i]), (double)room);
            double cut = n < strlen(SIXTY[i]) ? 1 : 0;
            assert_true(gpai_measure(SIXTY[i], n) + cut <= (double)room + 1e-6);
        }
}

/* Numbers that nobody can draw are left out; the rest is drawn. */
static void numbers_of_any_size(void **state)
{
    (void)state;
    static const double odd[] = {(double)NAN,
                                 (double)INFINITY,
                                 -(double)INFINITY,
                                 1.7e308,
                                 -1.7e308,
                                 1e300,
                                 -1e300,
                                 5e-324,
                                 1e-300,
                                 0,
                                 1e16};
    enum { ODD = sizeof odd / sizeof odd[0] };
    for (size_t i = 0; i < ODD; i++)
        for (size_t j = 0; j < ODD; j++) {
            struct samples s;
            double point[D] = {odd[i], odd[j], odd[i], odd[j]}, y[N];
            samples_make(&s, PLAIN, 0, NULL);
            s.forest.point = s.forest.weight = point;
            for (size_t k = 0; k < D; k++) {
                s.ridges[k].map = s.ridges[k].interval50[0] = odd[i];
                s.ridges[k].mean = s.ridges[k].interval90[1] = odd[j];
                s.ridges[k].density =
                    (gpa_plot_curve){k % 2 ? GRID : point, k % 2 ? point : HILL, D};
                s.profiles[k].f = s.ridges[k].density;
                s.profiles[k].map = odd[j];
                s.scores[k] = odd[(i + k) % ODD];
                s.delta[k] = odd[j];
            }
            for (size_t k = 0; k < N; k++)
                y[k] = odd[(i + k * j) % ODD];
            s.scatter.y = s.score.score = y;
            s.score.threshold = s.profile.y = odd[i];
            s.profile.noise = s.profile.here = s.mark.x = odd[j];
            for (size_t k = 0; k < 12; k++)
                s.heights[k] = odd[(i + k * j) % ODD];
            for (size_t kind = 0; kind < KINDS; kind++) {
                gpa_text *t = NULL;
                svg p = drawn(&t, &s, kind);
                svg_assert_manners(&p, gpa_text_data(t));
                svg_free(&p);
                gpa_text_free(t);
            }
        }
}

static void assert_refused(gpa_status st, const gpa_text *t, const gpa_error *err)
{
    assert_int_equal(st, GPA_INVALID);
    assert_int_equal(gpa_text_length(t), 0);
    assert_non_null(strstr(err->message, " plot: "));
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const hole[D] = {"a", NULL, "c", "d"};
    static const size_t beyond[1] = {D + N};
    struct samples s;
    gpa_text *t = NULL;
    gpa_error err;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    for (size_t kind = 0; kind < KINDS; kind++) {
        samples_make(&s, PLAIN, 0, NULL);
        assert_int_equal(plot(NULL, &s, kind, &err), GPA_INVALID);
        memset(&s, 0, sizeof s); /* nobody called _init */
        assert_refused(plot(t, &s, kind, &err), t, &err);
    }
#define REFUSED(kind, change)                                                          \
    do {                                                                               \
        samples_make(&s, PLAIN, 0, NULL);                                              \
        change;                                                                        \
        assert_refused(plot(t, &s, kind, &err), t, &err);                              \
    } while (0)
    REFUSED(0, s.litmus.n_inputs = 0);
    REFUSED(0, s.litmus.n_columns = 0);
    REFUSED(0, s.litmus.inputs = hole);
    REFUSED(0, s.litmus.columns = NULL);
    REFUSED(0, s.litmus.score = NULL);
    REFUSED(1, s.ridge.n = 0);
    REFUSED(1, s.ridge.ridges = NULL);
    REFUSED(1, s.ridge.values = hole);
    REFUSED(1, s.ridges[1].density.x = NULL);
    REFUSED(2, s.forest.point = NULL);
    REFUSED(2, s.forest.low50 = NULL);
    REFUSED(2, s.forest.names = hole);
    REFUSED(3, s.scatter.n = 0);
    REFUSED(3, s.scatter.x = NULL);
    REFUSED(3, s.scatter.marked = beyond; s.scatter.n_marked = 1);
    REFUSED(3, s.scatter.inputs = beyond; s.scatter.n_inputs = 1);
    REFUSED(3, s.scatter.inputs = MARKED; s.scatter.n_inputs = 0);
    REFUSED(4, s.score.n = 0);
    REFUSED(4, s.score.score = NULL);
    REFUSED(4, s.score.marked = beyond; s.score.n_marked = 1);
    REFUSED(4, s.score.marked = NULL);
    REFUSED(5, s.profile.n = 0);
    REFUSED(5, s.profiles[2].name = NULL);
    REFUSED(5, s.profiles[2].f.y = NULL);
    REFUSED(5, s.profiles[2].marks = NULL);
    REFUSED(6, s.surface.nx = 1);
    REFUSED(6, s.surface.values = NULL);
    REFUSED(6, s.surface.x_low = 1);
    REFUSED(6, s.surface.y_high = (double)NAN);
    REFUSED(6, s.surface.marks = NULL);
#undef REFUSED
    gpa_text_free(t);
}

/* A program built against an older, shorter header still draws. */
static void shorter_structs_work(void **state)
{
    (void)state;
    gpa_litmus_plot l;
    gpa_text *t = NULL;
    static const double score[] = {1};
    size_t size = offsetof(gpa_litmus_plot, reasons);
    memset(&l, 0x5A, sizeof l);
    gpa_litmus_plot_init_sized(&l, size);
    l.n_inputs = l.n_columns = 1;
    l.inputs = l.columns = PLAIN;
    l.score = score;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_litmus(t, &l, NULL), GPA_OK);
    svg p = svg_read(gpa_text_data(t));
    svg_free(&p);
    gpa_text_free(t);
}

/* The same bytes whatever the locale thinks of decimal points. */
static void locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "de_DE", "nl_NL.UTF-8"};
    struct samples s;
    gpa_text *want = NULL, *t = NULL;
    bool found = false;
    samples_make(&s, PLAIN, 0, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    setlocale(LC_ALL, found ? "C" : NULL);
    if (!found)
        skip();
    for (size_t kind = 0; kind < KINDS; kind++) {
        assert_int_equal(gpa_text_new(&want, NULL), GPA_OK);
        assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
        assert_int_equal(plot(want, &s, kind, NULL), GPA_OK);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (setlocale(LC_ALL, names[i]) != NULL)
                break;
        assert_int_equal(plot(t, &s, kind, NULL), GPA_OK);
        setlocale(LC_ALL, "C");
        assert_string_equal(gpa_text_data(t), gpa_text_data(want));
        gpa_text_free(t);
        gpa_text_free(want);
    }
}

static void every_allocation_fails(void **state)
{
    (void)state;
    struct samples s;
    samples_make(&s, SIXTY, 0, "a title");
    for (size_t kind = 0; kind < KINDS; kind++)
        for (int for_ever = 0; for_ever <= 1; for_ever++) {
            gpa_text *t = NULL, *want = NULL;
            svg p = drawn(&want, &s, kind);
            svg_free(&p);
            gpa_status st = GPA_NOMEM;
            assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
            for (size_t k = 1; st != GPA_OK; k++) {
                assert_true(k < 10000);
                gpai_alloc_fail_at(k, for_ever != 0);
                st = plot(t, &s, kind, NULL);
                gpai_alloc_fail_at(0, false);
                assert_true(st == GPA_OK || st == GPA_NOMEM);
                if (st != GPA_OK)
                    assert_int_equal(gpa_text_length(t), 0);
            }
            assert_string_equal(gpa_text_data(t), gpa_text_data(want));
            gpa_text_free(t);
            gpa_text_free(want);
        }
}

/* What cannot be drawn is in no span, though sorting takes it for a number. */
static void spans_of_values(void **state)
{
    static const double code[] = {-999, 1, 2, 3, 4, 5, 6, 7},
                        huge[] = {-1.7e308, 1.7e308};
    gpai_span s = gpai_span_empty();
    (void)state;
    gpai_span_add_near(&s, huge, 2);
    gpai_span_add_near(&s, NULL, 0);
    assert_true(s.low > s.high);
    gpai_span_add_near(&s, code, 8);
    assert_true(s.low == 1 && s.high == 7);
}

int main(void)
{
    memset(endless, 'x', LONG);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_only_text),
        cmocka_unit_test(titles_and_notes_of_any_length),
        cmocka_unit_test(cut_names_have_tooltips),
        cmocka_unit_test(litmus_bars_are_shares),
        cmocka_unit_test(litmus_prints_the_maxima),
        cmocka_unit_test(forest_is_sorted),
        cmocka_unit_test(ridges_follow_their_densities),
        cmocka_unit_test(ridges_of_common_height),
        cmocka_unit_test(scatter_arrows_end_at_the_repaired_row),
        cmocka_unit_test(scatter_draws_each_place_once),
        cmocka_unit_test(scores_mark_rows_and_threshold),
        cmocka_unit_test(profiles_put_marks_on_the_curve),
        cmocka_unit_test(curves_are_drawn_through_few_points),
        cmocka_unit_test(surface_areas),
        cmocka_unit_test(colours_rise),
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(measures_are_not_too_small),
        cmocka_unit_test(names_fit_their_own_room),
        cmocka_unit_test(numbers_of_any_size),
        cmocka_unit_test(spans_of_values),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(shorter_structs_work),
        cmocka_unit_test(locale_does_not_matter),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

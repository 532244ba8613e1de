#include "report/plot/figures.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <gpa/plot.h>
#include <math.h>
#include <stdio.h>

static bool all_held(const gpai_view *v)
{
    for (size_t i = 0; i < v->inputs; i++)
        if (!gpai_view_held(v, v->kinds.seen[i]))
            return false;
    return true;
}

static bool may_move(const gpai_view *v, size_t k)
{
    return !gpai_view_held(v, k);
}

static bool any(const gpai_view *v, size_t k)
{
    (void)v;
    (void)k;
    return true;
}

static bool has_profile(const gpai_view *v, size_t k)
{
    return gpa_explanation_axis(v->e, k) != NULL;
}

static void fill(gpai_inputs *list, const gpai_view *v, size_t most,
                 bool (*shown)(const gpai_view *, size_t))
{
    most = most < GPAI_FIGURE_INPUTS ? most : GPAI_FIGURE_INPUTS;
    list->n = 0;
    for (size_t i = 0; i < v->inputs && list->n < most; i++) {
        size_t k = v->order[i];
        bool levels = gpai_has_levels(&v->kinds, k);
        if (!shown(v, k))
            continue;
        list->k[list->n] = k;
        list->names[list->n] = v->kinds.label[k];
        list->kinds[list->n] = levels ? v->kinds.input[k] : (gpa_input){.levels = 0};
        list->now[list->n] = levels ? gpai_view_x(v, k) : (double)NAN;
        list->n++;
    }
}

/* Those that may move (any where none may), at most `most`. */
static void figure_inputs(gpai_inputs *list, const gpai_view *v, size_t most)
{
    fill(list, v, most, all_held(v) ? any : may_move);
}

void gpai_profile_inputs(gpai_inputs *list, const gpai_view *v, size_t most)
{
    fill(list, v, most, has_profile);
}

/* Words about inputs that have no number to show, taken from the end of a text. */
struct words {
    char *text[GPAI_FIGURE_INPUTS]; /* owned; NULL: a number says it */
};

static void words_free(struct words *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gpai_free(w->text[i]);
}

/* "→ south", "stays" */
static char *move_words(gpa_text *t, const gpai_view *v, size_t k)
{
    size_t start = t->length, columns = 24;
    if (!gpai_has_levels(&v->kinds, k))
        return NULL;
    gpai_say_move(t, v, k, columns);
    return gpai_text_take(t, start);
}

/* What changes are measured in, in as many words as fit. */
static const char *change_label(double width)
{
    return width > 0 && width < 400 ? "change, in spreads"
                                    : "change, in units of the input's spread";
}

double gpai_axis_mean(const gpai_view *v, size_t k, size_t i)
{
    const gpa_axis *a = gpa_explanation_axis(v->e, k);
    double sum = 0;
    for (size_t row = 0; row < v->n; row++)
        sum += a->f[i * v->n + row];
    return sum / (double)v->n;
}

gpa_status gpai_figure_forest(gpa_text *t, const gpai_view *v, double width,
                              size_t most, gpa_error *err)
{
    enum { POINT, LOW50, HIGH50, LOW90, HIGH90, WEIGHT, COLUMNS };
    double at[COLUMNS][GPAI_FIGURE_INPUTS];
    gpai_inputs list;
    struct words words = {{NULL}};
    char note[80];
    figure_inputs(&list, v, most);
    for (size_t i = 0; i < list.n; i++) {
        words.text[i] = move_words(t, v, list.k[i]);
        const gpa_marginal *m = gpai_view_marginal(v, list.k[i]);
        at[POINT][i] = v->delta[list.k[i]];
        at[LOW50][i] = m != NULL ? m->interval50[0] : (double)NAN;
        at[HIGH50][i] = m != NULL ? m->interval50[1] : (double)NAN;
        at[LOW90][i] = m != NULL ? m->interval90[0] : (double)NAN;
        at[HIGH90][i] = m != NULL ? m->interval90[1] : (double)NAN;
        at[WEIGHT][i] = (double)(list.n - i); /* they are sorted already */
    }
    snprintf(note, sizeof note, "%s first%s",
             v->c != NULL ? "likeliest culprit" : "largest change",
             list.n < v->inputs ? "; not all inputs" : "");
    const gpa_forest_plot plot = {.struct_size = sizeof plot,
                                  .width = width,
                                  .note = note,
                                  .n = list.n,
                                  .names = list.names,
                                  .point = at[POINT],
                                  .low50 = at[LOW50],
                                  .high50 = at[HIGH50],
                                  .low90 = at[LOW90],
                                  .high90 = at[HIGH90],
                                  .weight = at[WEIGHT],
                                  .x_label = "change, in usual spreads",
                                  .words = (const char *const *)words.text};
    gpa_status st = gpa_plot_forest(t, &plot, err);
    words_free(&words, list.n);
    return st;
}

double gpai_axis_place(const gpai_view *v, size_t k, size_t i)
{
    const gpa_axis *a = gpa_explanation_axis(v->e, k);
    return a->level != NULL ? a->level[i]
           : a->gap         ? a->change[i]
                            : gpai_raw(a->change[i], v->unit[k]) +
                          (v->n == 1 ? gpai_view_x(v, k) : 0);
}

/* The curve of input k into `x` and `f`: its places, and the mean of f. */
static gpa_plot_curve curve_of(const gpai_view *v, size_t k, double *x, double *f)
{
    const gpa_axis *a = gpa_explanation_axis(v->e, k);
    for (size_t i = 0; i < a->points; i++) {
        x[i] = gpai_axis_place(v, k, i);
        f[i] = gpai_axis_mean(v, k, i);
    }
    return (gpa_plot_curve){x, f, a->points};
}

/* Where an input would look normal, on the axis that is shown: a level, a value, or, of
 * several rows, a change whose direction is clear. */
static double best_place(const gpai_view *v, size_t k)
{
    if (v->c == NULL)
        return (double)NAN;
    if (gpai_has_levels(&v->kinds, k) || gpai_view_gap(v, k) || v->n == 1)
        return gpai_view_normal_alone(v, k); /* the curve is that of it alone */
    bool open = !(v->c->low[k] * v->c->high[k] > 0);
    return open ? (double)NAN : gpai_raw(v->c->median[k], v->unit[k]);
}

static void best_interval(const gpai_view *v, size_t k, double out[2])
{
    const gpa_alone *a = gpai_view_alone(v, k);
    double x = v->n == 1 ? gpai_view_x(v, k) : 0, none = (double)NAN;
    bool numbers = v->c != NULL && v->kinds.input[k].levels == 0;
    bool values = numbers && v->n == 1 && a != NULL && isfinite(a->low);
    out[0] = values ? a->low : numbers ? x + v->c->low[k] * v->unit[k] : none;
    out[1] = values ? a->high : numbers ? x + v->c->high[k] * v->unit[k] : none;
}

/* What profiles are drawn from; the arrays inside are owned. */
struct profiles {
    gpai_inputs list;
    gpa_profile of[GPAI_FIGURE_INPUTS];
    gpa_plot_curve seen[GPAI_FIGURE_INPUTS];
    double interval[GPAI_FIGURE_INPUTS][2];
    double *curves;                     /* of all */
    double *values[GPAI_FIGURE_INPUTS]; /* seen */
};

static void profiles_free(struct profiles *p)
{
    for (size_t i = 0; i < p->list.n; i++)
        gpai_free(p->values[i]);
    gpai_free(p->curves);
    gpai_free(p);
}

static void profile_of(gpa_text *t, struct profiles *p, const gpai_view *v, size_t i,
                       double *room)
{
    size_t k = p->list.k[i], n = 0;
    const gpa_axis *a = gpa_explanation_axis(v->e, k);
    bool numbers = a->level == NULL;
    p->of[i] = (gpa_profile){.name = p->list.names[i],
                             .f = curve_of(v, k, room, room + a->points),
                             .map = best_place(v, k)};
    best_interval(v, k, p->interval[i]);
    if (numbers && (v->n == 1 || a->gap)) {
        p->list.kinds[i].writing = v->kinds.input[k].writing;
        p->list.now[i] = a->gap ? (double)NAN : gpai_view_x(v, k);
        p->values[i] = gpai_view_seen(t, v, k, &n);
        p->seen[i] = (gpa_plot_curve){p->values[i], NULL, n};
    } else if (numbers) {
        p->list.now[i] = 0;
    }
}

static gpa_status profiles_make(struct profiles **out, gpa_text *t, const gpai_view *v,
                                const gpai_inputs *list, gpa_error *err)
{
    size_t points = 0;
    struct profiles *p = *out = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return gpai_nomem(err, "report");
    p->list = *list;
    for (size_t i = 0; i < list->n; i++)
        points += gpa_explanation_axis(v->e, list->k[i])->points;
    p->curves = gpai_calloc(2 * points, sizeof *p->curves);
    if (p->curves == NULL)
        return gpai_nomem(err, "report");
    double *next = p->curves;
    for (size_t i = 0; i < list->n; i++) {
        profile_of(t, p, v, i, next);
        next += 2 * p->of[i].f.points;
    }
    return GPA_OK;
}

gpa_status gpai_figure_profiles(gpa_text *t, const gpai_view *v, double width,
                                size_t most, gpa_error *err)
{
    gpai_inputs list;
    struct profiles *p = NULL;
    gpai_profile_inputs(&list, v, most);
    if (list.n == 0)
        return GPA_OK;
    gpa_status st = profiles_make(&p, t, v, &list, err);
    if (st == GPA_OK) {
        const gpa_profile_plot plot = {
            .struct_size = sizeof plot,
            .width = width,
            .n = list.n,
            .profiles = p->of,
            .y = v->y_mean,
            .noise = v->n == 1 ? v->s->sigma : (double)NAN,
            .here = (double)NAN,
            .kinds = p->list.kinds,
            .now = p->list.now,
            .seen = p->seen,
            .interval90 = (const double(*)[2])p->interval,
            .x_label = v->n > 1 ? "change, in its own unit" : NULL,
            .y_label = v->n > 1 ? "prediction, mean" : "prediction"};
        st = gpa_plot_profiles(t, &plot, err);
    }
    if (p != NULL)
        profiles_free(p);
    return st;
}

/* The distributions of an explanation. */

enum { SHOWN = GPAI_FIGURE_INPUTS, STEPS = 160 };

struct picture {
    gpai_inputs list;
    gpa_ridge ridges[SHOWN];
    const char *values[SHOWN];
    gpai_cell value[SHOWN]; /* the change in the data's own units */
    struct words words;     /* or where a choice goes */
    double prior_x[STEPS + 1], prior_y[STEPS + 1];
};

/* The prior over all that the densities cover. Gives whether there is one. */
static bool fill_prior(struct picture *p, const gpai_view *v)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < p->list.n; i++) {
        const gpa_plot_curve *c = &p->ridges[i].density;
        if (c->points == 0 || p->list.kinds[i].levels > 0)
            continue;
        low = fmin(low, c->x[0]);
        high = fmax(high, c->x[c->points - 1]);
    }
    for (size_t i = 0; i <= STEPS; i++) {
        p->prior_x[i] = low + (high - low) * (double)i / STEPS;
        p->prior_y[i] = gpai_view_prior(v, p->prior_x[i]);
    }
    return low < high && isfinite(p->prior_y[0]);
}

static gpa_ridge ridge_of(const gpai_view *v, size_t k)
{
    const gpa_marginal *m = gpai_view_marginal(v, k);
    const double none = (double)NAN;
    bool levels = gpai_has_levels(&v->kinds, k);
    if (m == NULL || levels) {
        size_t n = m != NULL ? m->levels : 0;
        return (gpa_ridge){
            .density = {n > 0 ? m->level : NULL, n > 0 ? m->mass : NULL, n},
            .map = levels ? gpai_view_moved(v, k) : v->delta[k],
            .mean = none,
            .interval50 = {none, none},
            .interval90 = {none, none}};
    }
    return (gpa_ridge){.density = {m->grid, m->density, m->points},
                       .map = v->delta[k],
                       .mean = m->mean,
                       .interval50 = {m->interval50[0], m->interval50[1]},
                       .interval90 = {m->interval90[0], m->interval90[1]}};
}

static void fill_picture(gpa_text *t, struct picture *p, const gpai_view *v,
                         size_t most)
{
    figure_inputs(&p->list, v, most);
    for (size_t i = 0; i < p->list.n; i++) {
        size_t k = p->list.k[i];
        p->ridges[i] = ridge_of(v, k);
        p->value[i] = gpai_cell_raw(v->raw[k], false);
        p->words.text[i] = move_words(t, v, k);
        p->values[i] = p->words.text[i] != NULL ? p->words.text[i]
                       : v->delta[k] != 0       ? p->value[i].text
                                                : "no change";
    }
    const gpa_plot_curve prior = {p->prior_x, p->prior_y, STEPS + 1};
    bool there = fill_prior(p, v);
    for (size_t i = 0; i < p->list.n; i++)
        if (there && p->ridges[i].density.points > 0 && p->list.kinds[i].levels == 0)
            p->ridges[i].prior = prior;
}

gpa_status gpai_figure_ridges(gpa_text *t, const gpai_view *v, double width,
                              size_t most, gpa_error *err)
{
    struct picture *p = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return gpai_nomem(err, "ridge plot");
    fill_picture(t, p, v, most);
    const gpa_ridge_plot plot = {.struct_size = sizeof plot,
                                 .width = width,
                                 .n = p->list.n,
                                 .names = p->list.names,
                                 .values = p->values,
                                 .ridges = p->ridges,
                                 .kinds = p->list.kinds,
                                 .now = p->list.now,
                                 .x_labels = {change_label(width)}};
    gpa_status st = gpa_plot_ridges(t, &plot, err);
    words_free(&p->words, p->list.n);
    gpai_free(p);
    return st;
}

/* Pictures with all rows of the data behind them. */

static bool explained(const gpai_view *v, size_t row)
{
    for (size_t i = 0; i < v->n; i++)
        if (gpa_explanation_row(v->e, i) == row)
            return true;
    return false;
}

/* What a scatter is drawn from: evenly spaced rows, then the explained ones. */
struct cloud {
    gpai_inputs list;
    size_t n, d;
    size_t marks; /* explained rows */
    double *x, *y, *delta;
    size_t *rows, *marked;
};

static void lay_out(void *work, gpai_arena *a)
{
    struct cloud *c = work;
    size_t room = GPAI_CLOUD + c->marks;
    c->x = gpai_take(a, room, c->d);
    c->y = gpai_take(a, room, 1);
    c->delta = gpai_take(a, c->marks, c->d);
    c->rows = gpai_take_bytes(a, room, sizeof *c->rows);
    c->marked = gpai_take_bytes(a, c->marks, sizeof *c->marked);
}

static void cloud_add(struct cloud *c, const gpai_view *v, const double *x, double y,
                      size_t row)
{
    for (size_t j = 0; j < c->d; j++)
        c->x[c->n * c->d + j] = gpai_value_in(&v->kinds, c->list.k[j], x);
    c->y[c->n] = y;
    c->rows[c->n++] = row;
}

/* How far the change takes input k, along the axis that is shown. */
static double shift(const gpai_view *v, size_t k)
{
    if (!gpai_has_levels(&v->kinds, k))
        return v->raw[k];
    return gpai_view_size(v, k) > 0
               ? gpai_view_moved(v, k) - gpai_value_in(&v->kinds, k, v->x)
               : 0;
}

static void cloud_fill(struct cloud *c, const gpai_view *v)
{
    const gpa_background *b = v->info->background;
    size_t step = b->n / GPAI_CLOUD + (b->n % GPAI_CLOUD != 0);
    for (size_t i = 0; i < b->n; i += step)
        if (!explained(v, gpai_reference_row(b, i)))
            cloud_add(c, v, b->x + i * b->d, b->y[i], gpai_reference_row(b, i));
    for (size_t i = 0; i < v->n; i++) {
        c->marked[i] = c->n;
        cloud_add(c, v, v->x + i * v->d, v->y[i], gpa_explanation_row(v->e, i));
        for (size_t j = 0; j < c->d; j++)
            c->delta[i * c->d + j] = shift(v, c->list.k[j]);
    }
}

gpa_status gpai_figure_scatter(gpa_text *t, const gpai_view *v, double width,
                               size_t most, gpa_error *err)
{
    const gpa_background *b = v->info->background;
    struct cloud c = {.marks = v->n};
    figure_inputs(&c.list, v, most);
    c.d = c.list.n;
    if (b == NULL || b->x == NULL || b->y == NULL || b->n == 0 || b->d != v->d ||
        c.d == 0)
        return GPA_OK;
    double *block = gpai_carve(lay_out, &c);
    if (block == NULL)
        return gpai_nomem(err, "report");
    cloud_fill(&c, v);
    for (size_t j = 0; j < c.d; j++)
        c.list.kinds[j] = v->kinds.input[c.list.k[j]];
    const gpa_scatter_plot plot = {.struct_size = sizeof plot,
                                   .width = width,
                                   .n = c.n,
                                   .d = c.d,
                                   .x = c.x,
                                   .y = c.y,
                                   .rows = c.rows,
                                   .names = c.list.names,
                                   .kinds =
                                       v->info->inputs != NULL ? c.list.kinds : NULL,
                                   .y_label = v->info->target,
                                   .marked = c.marked,
                                   .n_marked = v->n,
                                   .delta = c.delta};
    gpa_status st = gpa_plot_scatter(t, &plot, err);
    gpai_free(block);
    return st;
}

static bool any_score(const gpa_background *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (isfinite(b->score[i]))
            return true;
    return false;
}

gpa_status gpai_figure_scores(gpa_text *t, const gpai_view *v, double width,
                              size_t most, gpa_error *err)
{
    (void)most;
    enum { MOST = 100 }; /* marks; more of them hide each other */
    const gpa_report_info *info = v->info;
    const gpa_background *b = info->background;
    size_t marked[MOST], n = 0;
    const char *labels[MOST];
    char room[MOST][GPAI_NAME_SIZE];
    if (b == NULL || b->score == NULL || b->n < 2 || !any_score(b))
        return GPA_OK;
    for (size_t i = 0; info->marked != NULL && i < info->n_marked && n < MOST; i++) {
        marked[n] = gpai_find_row(b->rows, b->n, info->marked[i]);
        if (marked[n] == b->n)
            continue;
        labels[n] = gpai_name_row(info, info->marked[i], room[n]);
        n++;
    }
    const gpa_score_plot plot = {.struct_size = sizeof plot,
                                 .width = width,
                                 .n = b->n,
                                 .score = b->score,
                                 .rows = b->rows,
                                 .marked = marked,
                                 .n_marked = n,
                                 .labels = labels,
                                 .threshold = (double)NAN};
    return gpa_plot_scores(t, &plot, err);
}

/* Pictures of an explanation as files of their own. */

enum { PANELS = 6, PROFILES = 12 };

static gpa_status draw(gpa_text *t, const gpa_report_info *info,
                       const gpa_explanation *e, gpai_figure *figure, size_t most,
                       gpa_error *err)
{
    gpai_report r;
    gpai_view v;
    if (t == NULL || e == NULL)
        return gpai_fail(err, GPA_INVALID, "plot: no text or no explanation");
    gpa_status st = gpai_report_take(&r, t, info, err);
    r.info.ascii = r.info.colour = false;
    if (st == GPA_OK)
        st = gpai_view_make(&v, &r.info, e, err);
    if (st != GPA_OK)
        return st;
    st = figure(t, &v, 0, most, err);
    gpai_view_free(&v);
    return st;
}

gpa_status gpa_plot_explanation(gpa_text *t, const gpa_report_info *info,
                                const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_ridges, GPAI_FIGURE_INPUTS, err);
}

gpa_status gpa_plot_explanation_forest(gpa_text *t, const gpa_report_info *info,
                                       const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_forest, GPAI_FIGURE_INPUTS, err);
}

gpa_status gpa_plot_explanation_scatter(gpa_text *t, const gpa_report_info *info,
                                        const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_scatter, PANELS, err);
}

gpa_status gpa_plot_explanation_profiles(gpa_text *t, const gpa_report_info *info,
                                         const gpa_explanation *e, gpa_error *err)
{
    return draw(t, info, e, gpai_figure_profiles, PROFILES, err);
}

gpa_status gpa_plot_background_scores(gpa_text *t, const gpa_report_info *info,
                                      gpa_error *err)
{
    gpai_report r;
    gpa_status st = gpai_report_take(&r, t, info, err);
    const gpai_view v = {.info = &r.info};
    return st == GPA_OK ? gpai_figure_scores(t, &v, 0, 0, err) : st;
}

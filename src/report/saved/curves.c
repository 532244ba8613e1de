#include "report/saved/saved.h"
#include "result/explanation.h"
#include <math.h>
#include <string.h>

/* Distributions and profiles. One block holds all their numbers; it is measured first,
 * so that no file asks for more memory than it has numbers. */

struct curves {
    gpai_reader *r;
    const json_t *marginals, *profiles;
    gpa_explanation *e;
    const gpa_saved *s;
    double *at; /* the next free place */
};

static size_t length(const json_t *o, const char *key)
{
    return json_array_size(json_object_get(o, key));
}

static void check_profile(struct curves *c, const json_t *one)
{
    const json_t *f = gpai_read_list(c->r, one, "f", false);
    size_t points = json_array_size(gpai_read_list(c->r, one, "change", false));
    bool good = points > 0 && json_array_size(f) == c->e->n;
    for (size_t t = 0; t < json_array_size(f) && good; t++)
        good = json_array_size(json_array_get(f, t)) == points;
    if (!good)
        gpai_read_fail(c->r, "profiles", "change and f do not match");
}

/* How many numbers all of them are. */
static size_t measure(struct curves *c)
{
    size_t total = 0;
    for (size_t k = 0; k < json_array_size(c->marginals); k++) {
        const json_t *one = json_array_get(c->marginals, k);
        size_t points = length(one, "grid");
        if (points != length(one, "density"))
            gpai_read_fail(c->r, "marginals", "grid and density do not match");
        total += 2 * points;
    }
    for (size_t i = 0; i < json_array_size(c->profiles); i++) {
        const json_t *one = json_array_get(c->profiles, i);
        check_profile(c, one);
        total += length(one, "change") * (1 + c->e->n);
    }
    return total;
}

static void check_ascending(struct curves *c, const double *x, size_t n,
                            const char *key)
{
    for (size_t i = 1; i < n && c->r->status == GPA_OK; i++)
        if (!(x[i] >= x[i - 1]))
            gpai_read_fail(c->r, key, "entry %zu is below the one before", i + 1);
}

static void take_marginal(struct curves *c, const json_t *o, gpa_marginal *m)
{
    gpai_reader *r = c->r;
    size_t points = length(o, "grid");
    double *grid = c->at, *density = c->at + points;
    m->map = gpai_read_number(r, o, "map");
    m->mean = gpai_read_number(r, o, "mean");
    m->sd = gpai_read_number(r, o, "sd");
    gpai_read_number_list(r, o, "interval50", 2, GPAI_HOLES, m->interval50);
    gpai_read_number_list(r, o, "interval90", 2, GPAI_HOLES, m->interval90);
    m->p_positive = gpai_read_number(r, o, "p_positive");
    m->information = gpai_read_number(r, o, "information");
    gpai_read_number_list(r, o, "grid", points, GPAI_WHOLE, grid);
    gpai_read_number_list(r, o, "density", points, GPAI_HOLES, density);
    bool held = m->sd == 0 && m->interval90[0] == 0 && m->interval90[1] == 0;
    if (points == 0 && !held) /* what may not move has none */
        gpai_read_fail(r, "marginals", "a distribution without points");
    check_ascending(c, grid, points, "grid");
    m->points = points;
    m->grid = grid;
    m->density = density;
    c->at = density + points;
}

static void take_marginals(struct curves *c)
{
    size_t d = c->e->d;
    if (json_array_size(c->marginals) == 0)
        return;
    if (json_array_size(c->marginals) != d)
        gpai_read_fail(c->r, "marginals", "%zu distributions, expected %zu",
                       json_array_size(c->marginals), d);
    gpa_marginal *all = gpai_read_room(c->r, d, sizeof *all);
    c->e->marginals = all;
    for (size_t k = 0; k < d && c->r->status == GPA_OK; k++)
        take_marginal(c, json_array_get(c->marginals, k), &all[k]);
}

/* Which input a profile is of: they stand in the inputs' order. */
static size_t input_of(struct curves *c, const json_t *o, size_t from)
{
    const char *name = gpai_read_text(c->r, o, "feature", false);
    while (name != NULL && from < c->e->d && strcmp(c->s->inputs[from], name) != 0)
        from++;
    if (name != NULL && from == c->e->d)
        gpai_read_fail(c->r, "profiles", "an input that is not there, or twice");
    return from;
}

static void take_profile(struct curves *c, const json_t *o, gpa_axis *axis)
{
    size_t n = c->e->n, points = length(o, "change");
    double *change = c->at, *f = change + points;
    gpai_read_number_list(c->r, o, "change", points, GPAI_WHOLE, change);
    check_ascending(c, change, points, "change");
    for (size_t t = 0; t < n && c->r->status == GPA_OK; t++) {
        const json_t *list = json_array_get(json_object_get(o, "f"), t);
        for (size_t i = 0; i < points && c->r->status == GPA_OK; i++) {
            const json_t *v = json_array_get(list, i);
            if (!json_is_number(v) && !json_is_null(v))
                gpai_read_fail(c->r, "f", "entry %zu is not a number", i + 1);
            f[i * n + t] = json_is_null(v) ? (double)NAN : json_number_value(v);
        }
    }
    *axis = (gpa_axis){.points = points, .change = change, .f = f};
    c->at = f + points * n;
}

void gpai_read_curves(gpai_reader *r, const json_t *o, gpa_explanation *e,
                      const gpa_saved *s)
{
    struct curves c = {.r = r,
                       .marginals = gpai_read_list(r, o, "marginals", false),
                       .profiles = gpai_read_list(r, o, "profiles", true),
                       .e = e,
                       .s = s};
    size_t total = measure(&c);
    if (r->status == GPA_OK && gpai_result_add_axes(e, total, NULL) != GPA_OK)
        gpai_read_nomem(r);
    c.at = e->axis_numbers;
    if (r->status == GPA_OK)
        take_marginals(&c);
    size_t next = 0;
    for (size_t i = 0; i < json_array_size(c.profiles) && r->status == GPA_OK; i++) {
        const json_t *one = json_array_get(c.profiles, i);
        size_t k = input_of(&c, one, next);
        if (r->status == GPA_OK)
            take_profile(&c, one, &e->axes[k]);
        next = k + 1;
    }
}

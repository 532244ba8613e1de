#include "methods/attribute.h"
#include "base/alloc.h"
#include "base/status.h"
#include "model/model.h"
#include <gpa/model.h>
#include <math.h>
#include <string.h>

/* How each method of the chart (result/method.c) runs. */
static const gpai_method METHODS[] = {
    {"gpa", false, true, gpai_attribute_gpa},
    {"lc", false, false, gpai_lc},
    {"lime", false, false, gpai_lime},
    {"baylime", false, false, gpai_baylime},
    {"ig", false, false, gpai_ig},
    {"eig", true, false, gpai_eig},
    {"sv", true, true, gpai_shapley},
    {"z", true, false, gpai_zscore},
};

const gpai_method *gpai_method_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof METHODS / sizeof METHODS[0]; i++)
        if (strcmp(METHODS[i].name, name) == 0)
            return &METHODS[i];
    return NULL;
}

/* What one call owns: the numbers the caller left out. */
struct own {
    double *unit; /* d ones */
    double *f;    /* n predictions */
};

static gpa_status check_rows(const gpai_method *method, const gpa_model *m,
                             const gpa_sample *s, gpa_error *err)
{
    const char *name = method->name;
    if (m == NULL || s == NULL || s->x == NULL || s->n == 0 || s->d == 0)
        return gpai_fail(err, GPA_INVALID, "%s: a model and rows are needed", name);
    if (s->d != gpa_model_dim(m))
        return gpai_fail(err, GPA_INVALID,
                         "%s: the rows have %zu inputs, the model takes %zu", name,
                         s->d, gpa_model_dim(m));
    if (gpa_method_find(method->name)->sees_y)
        return s->y != NULL
                   ? GPA_OK
                   : gpai_fail(err, GPA_INVALID, "%s: rows with y are needed", name);
    for (size_t i = 0; i < s->n * s->d; i++)
        if (!isfinite(s->x[i]))
            return gpai_fail(err, GPA_NUMERIC,
                             "%s: row %zu, input %zu is %s: only gpa and lc explain "
                             "rows with missing inputs",
                             name, i / s->d, i % s->d,
                             isnan(s->x[i]) ? "missing" : "infinite");
    return GPA_OK;
}

static gpa_status fill_unit(struct own *own, gpa_explain_options *e, size_t d,
                            gpa_error *err)
{
    if (e->unit != NULL)
        return GPA_OK;
    own->unit = gpai_calloc(d, sizeof *own->unit);
    if (own->unit == NULL)
        return gpai_nomem(err, "attribute");
    for (size_t k = 0; k < d; k++)
        own->unit[k] = 1;
    e->unit = own->unit;
    return GPA_OK;
}

/* Asks for f where the caller does not know it. */
static gpa_status fill_f(struct own *own, gpai_attribute *w, gpa_sample *s)
{
    const char *name = w->a->method->name;
    if (s->f == NULL) {
        if (w->a->method->sees_y && w->explain->budget > 0 && w->explain->budget < s->n)
            return gpai_fail(w->err, GPA_INVALID,
                             "%s: a budget of %zu rows, but %zu rows to predict", name,
                             w->explain->budget, s->n);
        own->f = gpai_calloc(s->n, sizeof *own->f);
        if (own->f == NULL)
            return gpai_nomem(w->err, name);
        gpa_status st = gpa_model_predict(w->model, s->x, s->n, own->f, w->err);
        if (st != GPA_OK)
            return st;
        w->a->rows = s->n;
        w->a->calls = 1;
        s->f = own->f;
    }
    for (size_t t = 0; t < s->n; t++)
        if (!isfinite(s->f[t]))
            return gpai_fail(w->err, GPA_NUMERIC,
                             "%s: the model gives %s for row %zu: a finite prediction "
                             "is needed",
                             name, isnan(s->f[t]) ? "NaN" : "infinity", t);
    return GPA_OK;
}

gpa_status gpa_attribute(gpa_attribution **out, const char *name, gpa_model *m,
                         const gpa_sample *s, const gpa_attribute_options *opt,
                         gpa_error *err)
{
    gpa_attribute_options o;
    gpa_explain_options e;
    struct own own = {0};
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "attribute: nowhere to put the result");
    *out = NULL;
    const gpai_method *method = gpai_method_find(name);
    if (method == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "attribute: no method \"%.40s\": see gpa methods",
                         name != NULL ? name : "");
    gpa_status st = check_rows(method, m, s, err);
    if (st == GPA_OK)
        st = gpai_attribute_resolve(&o, &e, method, opt, s->d, err);
    if (st != GPA_OK)
        return st;
    gpa_sample rows = *s;
    gpai_attribute w = {.model = m, .s = &rows, .opt = &o, .explain = &e, .err = err};
    st = gpai_attribution_new(&w.a, gpa_method_find(method->name), s->d, err);
    if (st == GPA_OK)
        st = fill_unit(&own, &e, s->d, err);
    if (st == GPA_OK)
        st = fill_f(&own, &w, &rows);
    if (st == GPA_OK)
        st = method->run(&w);
    gpai_free(own.f);
    gpai_free(own.unit);
    if (st != GPA_OK) {
        gpa_attribution_free(w.a);
        return st;
    }
    *out = w.a;
    return GPA_OK;
}

gpa_status gpai_attribute_predict(gpai_attribute *w, const double *x, size_t n,
                                  double *y)
{
    static const gpai_asked CHANGED = {.word = "changed row"};
    gpa_status st = gpai_model_predict(w->model, x, n, CHANGED, y, w->err);
    w->a->rows += n;
    w->a->calls++;
    for (size_t i = 0; st == GPA_OK && i < n; i++)
        if (!isfinite(y[i]))
            st = gpai_fail(w->err, GPA_NUMERIC,
                           "%s: the model gives %s at point %zu of %zu: every point "
                           "needs a finite prediction",
                           w->a->method->name, isnan(y[i]) ? "NaN" : "infinity", i + 1,
                           n);
    return st;
}

gpa_status gpai_attribute_progress(gpai_attribute *w, uint64_t done, uint64_t total)
{
    const gpa_attribute_options *o = w->opt;
    if (o->progress != NULL && o->progress(o->progress_ctx, done, total) != 0)
        return gpai_fail(w->err, GPA_STOPPED, "%s: stopped", w->a->method->name);
    return GPA_OK;
}

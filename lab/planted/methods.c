#include "lab/planted/methods.h"
#include "base/status.h"
#include "base/text/nearest.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Through gpa_explain; every method has an explanation of its own, so that what it asks
 * of the model is its own, too. */
static gpa_status ask_explain(struct answer *a, const struct asked_method *m,
                              const struct question *q, gpa_error *err)
{
    gpa_explain_options opt;
    gpa_explanation *e = NULL;
    gpa_explain_options_init(&opt);
    opt.seed = q->seed;
    opt.sigma = q->sigma;
    opt.unit = q->unit;
    opt.solver = m->solver;
    opt.culprit = m->culprit;
    opt.marginals = m->marginals;
    opt.marginal_rows = 512;
    /* the probabilities do not depend on the search that runs beside them: the shortest
     * one will do */
    if (m->culprit != GPA_CULPRIT_OFF)
        opt.max_iter = 1;
    if (isfinite(q->spread))
        opt.spread = q->spread;
    opt.inputs = m->all_numbers ? q->numbers : q->inputs;
    opt.plausible = m->rows ? GPA_PLAUSIBLE_REFERENCE : GPA_PLAUSIBLE_NONE;
    opt.reference = &q->reference;
    gpa_status st = gpa_explain(&e, q->model, &q->sample, &opt, err);
    if (st != GPA_OK)
        return st;
    a->rows = (double)gpa_explanation_summary(e)->model_rows;
    m->take(a, e);
    gpa_explanation_free(e);
    return GPA_OK;
}

/* Only their own rows and those of the observed points are counted. */
static void take_culprit(struct answer *a, const gpa_explanation *e)
{
    const gpa_culprit *c = gpa_explanation_culprit(e);
    if (c == NULL)
        return;
    a->rows = (double)gpa_explanation_summary(e)->rows_culprit +
              (double)gpa_explanation_rows(e);
    a->output = c->output;
    a->n_set = c->n_set90;
    a->verdict = c->verdict;
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        const gpa_alone *alone = gpa_explanation_alone(e, k);
        a->blame[k] = c->probability[k];
        a->single[k] = c->single[k];
        a->move[k] = c->median[k] * gpa_explanation_unit(e)[k];
        if (alone == NULL)
            continue;
        a->by_level[k] = alone->levels > 0;
        a->value[k] = alone->levels > 0 ? alone->level[alone->best] : alone->value;
    }
    memcpy(a->set, c->set90, c->n_set90 * sizeof *a->set);
}

static void take_delta(struct answer *a, const gpa_explanation *e)
{
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        a->blame[k] = fabs(gpa_explanation_delta(e)[k]);
        a->move[k] = gpa_explanation_delta_raw(e)[k];
    }
}

static void take_mean(struct answer *a, const gpa_explanation *e)
{
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        const gpa_marginal *m = gpa_explanation_marginal(e, k);
        a->blame[k] = m != NULL ? fabs(m->mean) : 0;
        a->move[k] = m != NULL ? m->mean * gpa_explanation_unit(e)[k] : (double)NAN;
    }
}

/* Through gpa_attribute, under its own name: the largest |score| is blamed. Only lc's
 * scores are changes of the inputs. */
static gpa_status ask_attribute(struct answer *a, const struct asked_method *m,
                                const struct question *q, gpa_error *err)
{
    gpa_explain_options explain;
    gpa_attribute_options opt;
    gpa_attribution *out = NULL;
    gpa_explain_options_init(&explain);
    explain.seed = q->seed;
    explain.sigma = q->sigma;
    explain.unit = q->unit;
    gpa_attribute_options_init(&opt);
    opt.explain = &explain;
    opt.reference = m->rows ? &q->reference : NULL;
    gpa_status st = gpa_attribute(&out, m->name, q->model, &q->sample, &opt, err);
    if (st != GPA_OK)
        return st;
    a->rows = (double)gpa_attribution_model_rows(out);
    for (size_t k = 0; k < gpa_attribution_dim(out); k++) {
        double score = gpa_attribution_score(out)[k];
        a->blame[k] = fabs(score);
        if (gpa_attribution_method(out)->sees_y)
            a->move[k] = score * q->unit[k];
    }
    gpa_attribution_free(out);
    return GPA_OK;
}

/* How far the input lies from the mean of the unlabelled rows, in their standard
 * deviations; several rows: on average, with its sign. */
static gpa_status ask_z(struct answer *a, const struct asked_method *m,
                        const struct question *q, gpa_error *err)
{
    const gpa_sample *b = &q->reference;
    (void)m;
    (void)err;
    for (size_t k = 0; k < b->d; k++) {
        double n = 0, sum = 0, square = 0, x = 0;
        for (size_t i = 0; i < b->n; i++)
            if (isfinite(b->x[i * b->d + k])) {
                sum += b->x[i * b->d + k];
                n++;
            }
        for (size_t i = 0; i < b->n; i++)
            if (isfinite(b->x[i * b->d + k]))
                square += pow(b->x[i * b->d + k] - sum / n, 2);
        for (size_t t = 0; t < q->sample.n; t++)
            x += q->sample.x[t * b->d + k] / (double)q->sample.n;
        double off = n > 0 ? fabs(x - sum / n) : 0, sd = n > 0 ? sqrt(square / n) : 0;
        a->blame[k] = sd > 0 ? off / sd : off > 0 ? HUGE_VAL : 0;
    }
    return GPA_OK;
}

/* One line makes a method take part everywhere. */
#define EXPLAIN(solver, culprit, marginals, take)                                      \
    ask_explain, GPA_SOLVER_##solver, GPA_CULPRIT_##culprit,                           \
        GPA_MARGINALS_##marginals, take
#define OTHER(ask) ask, GPA_SOLVER_FAST, GPA_CULPRIT_OFF, GPA_MARGINALS_NONE, NULL
enum { ROWS_TOO = 1, ALL_NUMBERS = 2, IN_TABLES = 4 };
#define WITH(bits)                                                                     \
    ((bits)&ROWS_TOO) != 0, ((bits)&ALL_NUMBERS) != 0, ((bits)&IN_TABLES) != 0
static const struct asked_method METHODS[] = {
    {"culprit", "culprit, rows", WITH(ROWS_TOO | IN_TABLES),
     EXPLAIN(FAST, ON, NONE, take_culprit)},
    {"numbers", "culprit, all numbers", WITH(ROWS_TOO | ALL_NUMBERS | IN_TABLES),
     EXPLAIN(FAST, ON, NONE, take_culprit)},
    {"culprit-basic", "culprit basic, rows", WITH(ROWS_TOO),
     EXPLAIN(FAST, BASIC, NONE, take_culprit)},
    {"culprit-model", "culprit, model only", WITH(0),
     EXPLAIN(FAST, ON, NONE, take_culprit)},
    {"fast", "|delta|, fast", WITH(IN_TABLES), EXPLAIN(FAST, OFF, NONE, take_delta)},
    {"mean", "|posterior mean|", WITH(ALL_NUMBERS),
     EXPLAIN(FAST, OFF, EXACT, take_mean)},
    {"paper-det", "|delta|, published", WITH(ALL_NUMBERS),
     EXPLAIN(PAPER_DET, OFF, NONE, take_delta)},
    {"lc", "|delta|, LC", WITH(ALL_NUMBERS), OTHER(ask_attribute)},
    {"lime", "|slope|, LIME", WITH(ALL_NUMBERS), OTHER(ask_attribute)},
    {"sv", "|Shapley|, rows", WITH(ROWS_TOO | ALL_NUMBERS), OTHER(ask_attribute)},
    {"z", "|z|, rows", WITH(ROWS_TOO | ALL_NUMBERS | IN_TABLES), OTHER(ask_z)},
};
enum { N_METHODS = sizeof METHODS / sizeof METHODS[0] };
_Static_assert((int)N_METHODS <= (int)METHODS_MOST, "room for all methods");

static gpa_status unknown(const char *word, gpa_error *err)
{
    const char *names[N_METHODS];
    char list[400] = "";
    int used = 0;
    for (size_t i = 0; i < N_METHODS; i++) {
        names[i] = METHODS[i].name;
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%s",
                         i > 0 ? ", " : "", names[i]);
    }
    const char *near = gpai_nearest(word, names, N_METHODS);
    if (near != NULL)
        return gpai_fail(err, GPA_INVALID, "--methods: no '%s'; did you mean '%s'?",
                         word, near);
    return gpai_fail(err, GPA_INVALID, "--methods: no '%s'; there are %s", word, list);
}

gpa_status methods_choose(const char *names, bool tables,
                          const struct asked_method **out, size_t *n, gpa_error *err)
{
    bool wanted[N_METHODS] = {false};
    for (const char *p = names; p != NULL;) {
        char word[64];
        size_t length = strcspn(p, ","), i = 0;
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        while (i < N_METHODS && strcmp(METHODS[i].name, word) != 0)
            i++;
        if (i == N_METHODS)
            return unknown(word, err);
        wanted[i] = true;
        p = p[length] == ',' ? p + length + 1 : NULL;
    }
    *n = 0;
    for (size_t i = 0; i < N_METHODS; i++)
        if (names != NULL ? wanted[i] : !tables || METHODS[i].tables)
            out[(*n)++] = &METHODS[i];
    return GPA_OK;
}

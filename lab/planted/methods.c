#include "lab/planted/methods.h"
#include "console/say.h"
#include "lab/write.h"
#include <math.h>
#include <string.h>

/* Through gpa_explain; every method has an explanation of its own, so that what it asks
 * of the model is its own, too. */
static gpa_status ask_explain(struct answer *a, const struct rival *r,
                              const struct question *q, gpa_error *err)
{
    gpa_explain_options opt;
    gpa_explanation *e = NULL;
    gpa_explain_options_init(&opt);
    opt.seed = q->seed;
    opt.sigma = q->sigma;
    opt.unit = q->unit;
    opt.marginals = GPA_MARGINALS_NONE;
    opt.culprit = GPA_CULPRIT_OFF;
    opt.plausible = r->rows ? GPA_PLAUSIBLE_REFERENCE : GPA_PLAUSIBLE_NONE;
    opt.reference = &q->background;
    r->set(&opt);
    gpa_status st = gpa_explain(&e, q->model, &q->sample, &opt, err);
    if (st != GPA_OK)
        return st;
    a->rows = (double)gpa_explanation_summary(e)->model_rows;
    r->take(a, e);
    gpa_explanation_free(e);
    return GPA_OK;
}

/* The probabilities do not depend on the search that runs beside them: the shortest one
 * will do. */
static void set_probabilities(gpa_explain_options *opt, gpa_culprit_mode mode)
{
    opt->culprit = mode;
    opt->solver = GPA_SOLVER_PAPER_DET;
    opt->max_iter = 1;
}

static void set_culprit(gpa_explain_options *opt)
{
    set_probabilities(opt, GPA_CULPRIT_ON);
}

static void set_basic(gpa_explain_options *opt)
{
    set_probabilities(opt, GPA_CULPRIT_BASIC);
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
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        a->blame[k] = c->probability[k];
        a->move[k] = c->median[k] * gpa_explanation_unit(e)[k];
    }
    memcpy(a->set, c->set90, c->n_set90 * sizeof *a->set);
}

static void set_fast(gpa_explain_options *opt)
{
    opt->solver = GPA_SOLVER_FAST;
}

static void set_paper(gpa_explain_options *opt)
{
    opt->solver = GPA_SOLVER_PAPER_DET;
}

static void take_delta(struct answer *a, const gpa_explanation *e)
{
    for (size_t k = 0; k < gpa_explanation_dim(e); k++) {
        a->blame[k] = fabs(gpa_explanation_delta(e)[k]);
        a->move[k] = gpa_explanation_delta_raw(e)[k];
    }
}

static void set_mean(gpa_explain_options *opt)
{
    opt->solver = GPA_SOLVER_FAST;
    opt->marginals = GPA_MARGINALS_EXACT;
    opt->marginal_rows = 512;
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
static gpa_status ask_method(struct answer *a, const struct rival *r,
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
    opt.reference = r->rows ? &q->background : NULL;
    gpa_status st = gpa_attribute(&out, r->name, q->model, &q->sample, &opt, err);
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
static gpa_status ask_z(struct answer *a, const struct rival *r,
                        const struct question *q, gpa_error *err)
{
    const gpa_sample *b = &q->background;
    (void)r;
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
static const struct rival RIVALS[] = {
    {"culprit", "culprit, rows", true, ask_explain, set_culprit, take_culprit},
    {"culprit-basic", "culprit basic, rows", true, ask_explain, set_basic,
     take_culprit},
    {"culprit-model", "culprit, model only", false, ask_explain, set_culprit,
     take_culprit},
    {"fast", "|delta|, fast", false, ask_explain, set_fast, take_delta},
    {"mean", "|posterior mean|", false, ask_explain, set_mean, take_mean},
    {"paper-det", "|delta|, published", false, ask_explain, set_paper, take_delta},
    {"lc", "|delta|, LC", false, ask_method, NULL, NULL},
    {"lime", "|slope|, LIME", false, ask_method, NULL, NULL},
    {"sv", "|Shapley|, rows", true, ask_method, NULL, NULL},
    {"z", "|z|, rows", true, ask_z, NULL, NULL},
};
enum { N_RIVALS = sizeof RIVALS / sizeof RIVALS[0] };
_Static_assert((int)N_RIVALS <= (int)RIVALS_MOST, "room for all methods");

size_t rival_count(void)
{
    return N_RIVALS;
}

const struct rival *rival_at(size_t i)
{
    return i < N_RIVALS ? &RIVALS[i] : NULL;
}

static gpa_status unknown(const char *name, size_t length, gpa_error *err)
{
    const char *names[N_RIVALS];
    char list[400] = "", word[64];
    size_t used = 0;
    for (size_t i = 0; i < N_RIVALS; i++) {
        names[i] = RIVALS[i].name;
        if (used + strlen(names[i]) + 3 > sizeof list)
            continue;
        memcpy(list + used, i > 0 ? ", " : "", i > 0 ? 2 : 0);
        used += i > 0 ? 2 : 0;
        memcpy(list + used, names[i], strlen(names[i]) + 1);
        used += strlen(names[i]);
    }
    length = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, name, length);
    word[length] = '\0';
    const char *near = word_nearest(word, names, N_RIVALS);
    if (near != NULL)
        return fail(err, GPA_INVALID, "--methods: no '%s'; did you mean '%s'?", word,
                    near);
    return fail(err, GPA_INVALID, "--methods: no '%s'; there are %s", word, list);
}

gpa_status rivals_choose(const char *names, const struct rival **out, size_t *n,
                         gpa_error *err)
{
    bool wanted[N_RIVALS] = {false};
    for (const char *p = names; p != NULL;) {
        size_t length = strcspn(p, ","), i = 0;
        while (i < N_RIVALS && (strlen(RIVALS[i].name) != length ||
                                memcmp(RIVALS[i].name, p, length) != 0))
            i++;
        if (i == N_RIVALS)
            return unknown(p, length, err);
        wanted[i] = true;
        p = p[length] == ',' ? p + length + 1 : NULL;
    }
    *n = 0;
    for (size_t i = 0; i < N_RIVALS; i++)
        if (names == NULL || wanted[i])
            out[(*n)++] = &RIVALS[i];
    return GPA_OK;
}

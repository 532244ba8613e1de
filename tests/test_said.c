/* What is said and what is shown agree, whatever the model: 500 random explanations,
 * each as a table for people and as JSON. */
#include "support.h"

#include "base/rng.h"
#include <gpa/gpa.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 500, N = 40, MOST = 5 };

/* A random model: slopes, one product, one step. */
struct shape {
    double slope[MOST], product, step;
};

struct world {
    size_t d, rows;
    struct shape shape;
    double x[N * MOST], y[N], f[N];
    gpa_input inputs[MOST];
    gpa_sample all;
    gpa_model *m;
};

static const char *const NAMES[MOST] = {"qalpha", "qbeta", "qgamma", "qdelta", "qeta"};
static const double LEVEL[3] = {0, 1, 2};
static const char *const LEVELS[3] = {"low", "middle", "high"};

static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const struct shape *s = ctx;
    for (size_t i = 0; i < n; i++) {
        const double *row = x + i * d;
        y[i] = s->product * row[0] * row[1] + (row[1] > 0.5 ? s->step : 0);
        for (size_t k = 0; k < d; k++)
            y[i] += s->slope[k] * row[k];
    }
    return 0;
}

static double value_of(gpai_rng *rng, const gpa_input *in)
{
    double z = gpai_rng_normal(rng);
    return in->levels > 0               ? floor(gpai_rng_unit(rng) * (double)in->levels)
           : in->kind == GPA_KIND_WHOLE ? fmin(fmax(nearbyint(2 + 2 * z), 0), 9)
                                        : z;
}

/* Rows, their outcomes, and a fault in the first: of an input, of the outcome, or none.
 */
static void build(struct world *w, uint64_t number)
{
    gpai_rng rng = gpai_rng_make(77, number);
    *w = (struct world){.d = 2 + number % (MOST - 1), .rows = number % 5 == 0 ? 3 : 1};
    for (size_t k = 0; k < w->d; k++) {
        size_t kind = number % 3 == 0 ? 0 : (size_t)(gpai_rng_unit(&rng) * 4);
        w->shape.slope[k] = gpai_rng_unit(&rng) < 0.25 ? 0 : 2 * gpai_rng_normal(&rng);
        w->inputs[k] = (gpa_input){
            .low = (double)NAN, .high = (double)NAN, .missing = (double)NAN};
        if (kind == 1) {
            w->inputs[k].kind = GPA_KIND_WHOLE;
            w->inputs[k].low = 0;
            w->inputs[k].high = 9;
        } else if (kind > 1) {
            w->inputs[k].kind = kind == 2 ? GPA_KIND_FLAG : GPA_KIND_CHOICE;
            w->inputs[k].levels = kind == 2 ? 2 : 3;
            w->inputs[k].level = LEVEL;
            w->inputs[k].level_name = LEVELS;
        }
    }
    w->shape.product = number % 2 == 0 ? gpai_rng_normal(&rng) : 0;
    w->shape.step = number % 7 < 3 ? 3 * gpai_rng_normal(&rng) : 0;
    for (size_t i = 0; i < N * w->d; i++)
        w->x[i] = value_of(&rng, &w->inputs[i % w->d]);
    assert_int_equal(gpa_model_from_callback(&w->m, predict, &w->shape, w->d, NULL),
                     GPA_OK);
    assert_int_equal(gpa_model_predict(w->m, w->x, N, w->f, NULL), GPA_OK);
    for (size_t i = 0; i < N; i++)
        w->y[i] = w->f[i] + 0.3 * gpai_rng_normal(&rng);
    size_t k = number % w->d;
    for (size_t i = 0; i < w->rows && number % 4 != 0; i++) {
        if (number % 4 == 1)
            w->y[i] += 4;
        else if (w->inputs[k].levels == 0)
            w->x[i * w->d + k] += number % 4 == 2 ? 4 : -3;
        else
            w->x[i * w->d + k] = w->x[i * w->d + k] > 0 ? 0 : 1;
    }
    w->all = (gpa_sample){.x = w->x, .y = w->y, .f = w->f, .n = N, .d = w->d};
    assert_int_equal(gpa_model_predict(w->m, w->x, N, w->f, NULL), GPA_OK);
}

static gpa_explanation *explain(struct world *w, uint64_t number)
{
    static const size_t where[3] = {0, 1, 2};
    static const size_t draws[4] = {16, 64, 256, 1024};
    gpa_explanation *e = NULL;
    gpa_explain_options o;
    gpa_error err;
    gpa_explain_options_init(&o);
    o.context = &w->all;
    o.context_rows = where;
    o.inputs = w->inputs;
    o.seed = number + 1;
    o.marginal_rows = draws[number % 4];
    if (number % 11 == 0)
        o.plausible = GPA_PLAUSIBLE_NONE;
    if (number % 13 == 0)
        o.marginals = GPA_MARGINALS_PLUGIN;
    const gpa_sample s = {.x = w->x, .y = w->y, .f = w->f, .n = w->rows, .d = w->d};
    if (gpa_explain(&e, w->m, &s, &o, &err) != GPA_OK)
        fail_msg("case %ju: %s", (uintmax_t)number, err.message);
    return e;
}

static gpa_text *written(const struct world *w, const gpa_explanation *e,
                         gpa_format format)
{
    gpa_report_info info;
    gpa_text *t = NULL;
    gpa_report_info_init(&info);
    info.features = NAMES;
    info.inputs = w->inputs;
    info.target = "yield";
    info.verbose = true;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_report_begin(t, format, &info, e, NULL), GPA_OK);
    assert_int_equal(gpa_report_explanation(t, format, &info, e, 0, NULL), GPA_OK);
    assert_int_equal(gpa_report_end(t, format, &info, NULL), GPA_OK);
    return t;
}

/* Whoever the sentence names is at least as probable as everybody it does not. */
static void check_names(const struct world *w, const gpa_culprit *c, const char *said)
{
    double least = 2, most = 0;
    for (size_t k = 0; k < w->d; k++) {
        double p = c->responsible[k];
        if (strstr(said, NAMES[k]) != NULL)
            least = p < least ? p : least;
        else
            most = p > most ? p : most;
    }
    if (!(least >= most - 1e-12))
        fail_msg("names one of %g, not one of %g: %s", least, most, said);
}

static bool is_shown(double p, int percent)
{
    return (int)floor(100 * p + 0.5) == percent;
}

/* Every "(42 %)" is the probability of an input, the outcome or the likeliest idea. */
static void check_percentages(const struct world *w, const gpa_culprit *c,
                              const char *said)
{
    for (const char *p = strchr(said, '('); p != NULL; p = strchr(p + 1, '(')) {
        int percent = 0, read = 0;
        if (sscanf(p, "(%d %%)%n", &percent, &read) < 1 || read == 0)
            continue;
        bool known = is_shown(c->output, percent) || is_shown(c->p_likeliest, percent);
        for (size_t k = 0; k < w->d; k++)
            known = known || is_shown(c->responsible[k], percent);
        if (!known)
            fail_msg("%d %% is nobody's: %s", percent, said);
    }
}

/* An idea of several inputs is named with its probability where it is not the fact, and
 * who is likelier comes first. Gives whether there was one. */
static bool check_idea(const gpa_culprit *c, const char *said)
{
    bool tied = c->verdict == GPA_VERDICT_TIED;
    bool unsure = tied || (c->verdict == GPA_VERDICT_OUTPUT && c->output < 0.8);
    const char *outcome = strstr(said, "the observed yield");
    char cell[16];
    if (tied && outcome != NULL)
        assert_true((c->output > c->responsible[c->first]) ==
                    (strncmp(said, "The first", 9) == 0));
    if (!unsure || c->n_likeliest < 2)
        return false;
    for (size_t i = 0; i < c->n_likeliest; i++)
        if (strstr(said, NAMES[c->likeliest[i]]) == NULL)
            fail_msg("not %s: %s", NAMES[c->likeliest[i]], said);
    snprintf(cell, sizeof cell, "(%d %%)", (int)floor(100 * c->p_likeliest + 0.5));
    if (c->p_likeliest >= 0.01 && strstr(said, cell) == NULL)
        fail_msg("no %s: %s", cell, said);
    if (strstr(said, c->exchanged ? "are exchanged (" : "are wrong (") == NULL)
        fail_msg("no idea: %s", said);
    return true;
}

/* A value that would look normal has the same digits in the sentence and in the table
 * behind it. Gives how many there were. */
static size_t check_values(const char *said, const char *flat)
{
    static const char words[] = " instead of ";
    const char *behind = strstr(flat, said) + strlen(said);
    size_t n = 0;
    for (const char *p = strstr(said, words); p != NULL; p = strstr(p + 1, words)) {
        char cell[64];
        const char *start = p;
        while (start > said && start[-1] != ' ')
            start--;
        int quote = *start == '\'';
        snprintf(cell, sizeof cell, " %.*s ", (int)(p - start) - 2 * quote,
                 start + quote);
        if (strstr(behind, cell) == NULL)
            fail_msg("the table has no '%s': %s", cell, flat);
        n++;
    }
    return n;
}

static void check_numbers(const struct world *w, const gpa_explanation *e)
{
    const gpa_culprit *c = gpa_explanation_culprit(e);
    double sum = 0;
    assert_in_range(c->verdict, GPA_VERDICT_NORMAL, GPA_VERDICT_OUTPUT);
    assert_true(c->output >= 0 && c->output <= 1);
    for (size_t k = 0; k < w->d; k++) {
        const gpa_alone *a = gpa_explanation_alone(e, k);
        assert_true(c->responsible[k] >= 0 && c->responsible[k] <= 1 + 1e-12);
        assert_true(c->responsible[k] <= c->responsible[c->first]);
        assert_true(c->responsible[k] == c->probability[k] * (1 - c->output));
        sum += c->responsible[k];
        if (!isnan(c->median[k]))
            assert_true(c->low[k] <= c->median[k] && c->median[k] <= c->high[k]);
        if (a != NULL && a->levels == 0)
            assert_true(a->low <= a->value && a->value <= a->high);
    }
    /* 1, and once more for each input beyond the first that is wrong at once */
    assert_true(sum + c->output >= 1 - 1e-9);
    assert_true(sum + c->output <= 1 + 2 * (1 - c->output) + 1e-9);
}

/* No interval without draws; a change outside its interval is explained. */
static void check_spread(const gpa_explanation *e, const json_t *one, const char *table)
{
    const gpa_summary *s = gpa_explanation_summary(e);
    bool known = gpa_explanation_spread_known(e), outside = false;
    json_t *m;
    size_t k;
    assert_true(known == !(s->ess < 50));
    json_array_foreach(json_object_get(one, "marginals"), k, m)
    {
        const json_t *ends = json_object_get(m, "interval90");
        assert_true(known || json_is_null(ends));
        assert_true(known || json_is_null(json_object_get(m, "density")));
        double map = json_number_value(json_object_get(m, "map"));
        outside = outside || (json_is_array(ends) &&
                              (map < json_number_value(json_array_get(ends, 0)) ||
                               map > json_number_value(json_array_get(ends, 1))));
    }
    const char *change = strstr(table, "the joint change:");
    assert_non_null(change);
    assert_true(known == (strstr(change, "90 % interval") != NULL));
    assert_true(known == (strstr(table, "is not known:") == NULL));
    assert_true(outside == (strstr(change, "Outside its 90 % interval") != NULL));
}

static void said_is_shown(void **state)
{
    (void)state;
    size_t verdicts[5] = {0}, few = 0, values = 0, ideas = 0;
    for (uint64_t number = 0; number < CASES; number++) {
        struct world w;
        build(&w, number);
        gpa_explanation *e = explain(&w, number);
        const gpa_culprit *c = gpa_explanation_culprit(e);
        assert_non_null(c);
        gpa_text *t = written(&w, e, GPA_FORMAT_JSON),
                 *table = written(&w, e, GPA_FORMAT_TABLE);
        json_t *j = json_loadb(gpa_text_data(t), gpa_text_length(t), 0, NULL);
        assert_non_null(j);
        const json_t *one = json_array_get(json_object_get(j, "explanations"), 0);
        const char *said =
            json_string_value(json_object_get(json_object_get(one, "verdict"), "text"));
        char *flat = strdup(gpa_text_data(table));
        for (char *p = flat; *p != '\0'; p++)
            *p = *p == '\n' ? ' ' : *p;
        verdicts[c->verdict]++;
        few += !gpa_explanation_spread_known(e);
        assert_non_null(strstr(flat, said));
        check_names(&w, c, said);
        check_percentages(&w, c, said);
        ideas += check_idea(c, said);
        values += check_values(said, flat);
        check_numbers(&w, e);
        if (strstr(said, "No plausible change") != NULL ||
            strstr(said, "Nothing unusual") != NULL)
            assert_null(strstr(flat, "closes"));
        check_spread(e, one, flat);
        json_decref(j);
        free(flat);
        gpa_text_free(table);
        gpa_text_free(t);
        gpa_explanation_free(e);
        gpa_model_free(w.m);
    }
    print_message("normal %zu, input %zu, tied %zu, output %zu; few draws %zu; ideas "
                  "%zu\n",
                  verdicts[1], verdicts[2], verdicts[3], verdicts[4], few, ideas);
    assert_true(ideas > 10);
    for (size_t i = 1; i < 5; i++)
        assert_true(verdicts[i] > 10); /* all kinds of answers were looked at */
    assert_true(few > 10 && few < CASES / 2);
    assert_true(values > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(said_is_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

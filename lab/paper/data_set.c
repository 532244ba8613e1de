#include "lab/paper/data_set.h"
#include "console/terminal.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Table 2 of the paper. */
static const struct data_set SETS[] = {
    {"diabetes", "Diabetes", "neural network", 0.08, 10, 0.4, false},
    {"boston", "Boston Housing", "random forest", 0.08, 10, 0.1, false},
    {"california", "California Housing", "boosted trees", 0.1, 1, 0.5, true}};
enum { N_SETS = sizeof SETS / sizeof SETS[0] };

const struct data_set *data_set_find(const char *name)
{
    size_t i = 0;
    while (i + 1 < N_SETS && strcmp(SETS[i].name, name) != 0)
        i++;
    return &SETS[i];
}

static gpa_status train(const struct paper *p, const struct data_set *set,
                        const char *folder, gpa_error *err)
{
    const char *data = p->a->text[OPT_DATA];
    const char *more[] = {data != NULL ? "--data" : NULL, data, NULL};
    say("training the model of %s (once; it is kept in %s)", set->label, folder);
    return scripts_make(&p->scripts, set->name, folder, more, err);
}

/* The folder of a set; whether its model is there. */
static bool trained(const struct paper *p, const struct data_set *set, char *folder,
                    size_t size)
{
    snprintf(folder, size, "%s/%s", p->scripts.work, set->name);
    return scripts_made(folder);
}

bool paper_has_california(const struct paper *p)
{
    char folder[4200];
    return p->a->given[OPT_DATA] ||
           trained(p, data_set_find("california"), folder, sizeof folder);
}

gpa_status study_set_words(gpa_study *s, gpa_error *err, const char *format, ...)
{
    char words[1000], *rest = NULL;
    gpa_status st = GPA_OK;
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    for (char *word = strtok_r(words, " ", &rest); word != NULL && st == GPA_OK;
         word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (value != NULL)
            *value++ = '\0';
        st = gpa_study_set(s, word, value, err);
    }
    return st;
}

/* What the paper chose for every set; what it told the other methods, with as few
 * samples for LIME as its numbers come from. */
static gpa_status set_choices(gpa_study *s, const struct paper *p,
                              const struct data_set *set, size_t top, bool together,
                              gpa_error *err)
{
    const gpai_options *a = p->a;
    double n = together ? (double)top : 1, rows = set->per_row ? n : 1;
    gpa_status st = study_set_words(
        s, err,
        "scale=none noise=constant nu=0.5 solver=%s seed=%ju threads=%zu top=%zu "
        "eta=%.17g kappa=%.17g cb=%.17g a0=%.17g",
        a->given[OPT_SOLVER] ? a->text[OPT_SOLVER] : "paper", (uintmax_t)p->seed,
        gpai_options_threads(a, 64), top, set->eta * rows, set->kappa / rows, set->cb,
        5 + n / 2);
    if (st != GPA_OK)
        return st;
    return study_set_words(s, err, "%s%s",
                           s->given.bit == IN_COMPARE
                               ? "lime-samples=10 intervals=100 sv=sample "
                                 "sv-configurations=100"
                               : "culprit=off",
                           together ? " collective" : "");
}

gpa_status data_set_files(gpa_study *s, const char *folder, gpa_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/model.json", folder);
    gpa_status st = gpa_study_set(s, "model", path, err);
    snprintf(path, sizeof path, "%s/train.csv", folder);
    if (st == GPA_OK && s->given.bit == IN_COMPARE)
        st = gpa_study_set(s, "reference", path, err);
    snprintf(path, sizeof path, "%s/test.csv", folder);
    return st == GPA_OK ? gpa_study_set_file(s, path, err) : st;
}

gpa_status data_set_ask(gpa_study **out, struct paper *p, const struct data_set *set,
                        const char *command, size_t top, bool together,
                        const char *more, gpa_error *err)
{
    char folder[4200];
    gpa_status st =
        trained(p, set, folder, sizeof folder) ? GPA_OK : train(p, set, folder, err);
    if (st == GPA_OK)
        st = gpa_study_new(out, command, err);
    if (st == GPA_OK)
        st = data_set_files(*out, folder, err);
    if (st == GPA_OK)
        st = set_choices(*out, p, set, top, together, err);
    if (st == GPA_OK)
        st = study_set_words(*out, err, "%s", more);
    if (st == GPA_OK)
        st = gpa_study_open(*out, err);
    if (st == GPA_OK) /* for compare no option says so */
        (*out)->explain.culprit = GPA_CULPRIT_OFF;
    return st;
}

size_t data_set_input(const gpa_study *s, const char *name)
{
    for (size_t k = 0; k < s->d; k++)
        if (strcmp(s->inputs[k], name) == 0)
            return k;
    return SIZE_MAX;
}

gpa_status data_set_scatter(struct paper *p, const gpa_study *s, const size_t inputs[2],
                            const double *delta, gpa_error *err)
{
    gpa_scatter_plot plot;
    gpa_scatter_plot_init(&plot);
    plot.width = PAPER_WIDTH;
    plot.n = s->n;
    plot.d = s->d;
    plot.x = s->x;
    plot.y = s->y;
    plot.names = s->inputs;
    plot.y_label = gpa_study_target(s);
    plot.inputs = inputs;
    plot.n_inputs = 2;
    plot.marked = gpa_study_chosen(s, &plot.n_marked);
    plot.delta = delta;
    return gpa_plot_scatter(p->svg, &plot, err);
}

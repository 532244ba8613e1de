#include "cli/other_methods.h"
#include "cli/say.h"
#include "cli/words.h"
#include <gpa/data.h>
#include <stdlib.h>
#include <string.h>

static gpa_status no_method(const char *name, gpa_error *err)
{
    const char *names[64], *near;
    size_t n = 0;
    while (n < 64 && n < gpa_method_count()) {
        names[n] = gpa_method_at(n)->name;
        n++;
    }
    near = word_nearest(name, names, n);
    if (near != NULL)
        return fail(err, GPA_INVALID, "--methods: no '%.60s'; did you mean '%s'?", name,
                    near);
    return fail(err, GPA_INVALID, "--methods: no '%.60s'; 'gpa methods' lists them",
                name);
}

/* --methods a,b: in the order given, each once. */
static gpa_status take_names(struct other_methods *o, const char *text, gpa_error *err)
{
    if (text == NULL)
        return GPA_OK;
    size_t length = strlen(text);
    o->list = room(length + 1, 1);
    o->names = room(length + 1, sizeof *o->names);
    if (o->list == NULL || o->names == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    memcpy(o->list, text, length + 1);
    for (char *word = o->list; word != NULL;) {
        char *comma = strchr(word, ',');
        if (comma != NULL)
            *comma = '\0';
        if (gpa_method_find(word) == NULL)
            return no_method(word, err);
        for (size_t i = 0; i < o->n_names; i++)
            if (strcmp(o->names[i], word) == 0)
                return fail(err, GPA_INVALID, "--methods: '%s' twice", word);
        o->names[o->n_names++] = word;
        word = comma != NULL ? comma + 1 : NULL;
    }
    return GPA_OK;
}

static gpa_status take_baseline(struct other_methods *o, const struct load *l,
                                const struct args *a, gpa_error *err)
{
    const char *text = a->text[OPT_BASELINE];
    size_t n = 0;
    if (text == NULL || strcmp(text, "zero") == 0)
        return GPA_OK;
    if (strcmp(text, "reference") == 0) {
        o->opt.baseline = GPA_BASELINE_REFERENCE;
        return l->reference.x != NULL
                   ? GPA_OK
                   : fail(err, GPA_INVALID,
                          "--baseline reference needs --reference FILE");
    }
    gpa_status st = gpa_numbers_read(text, &o->baseline, &n, err);
    if (st == GPA_OK && n != l->d)
        st = fail(err, GPA_INVALID, "--baseline: %zu numbers in %.200s, %zu inputs", n,
                  text, l->d);
    o->opt.baseline = GPA_BASELINE_GIVEN;
    o->opt.baseline_x = o->baseline;
    return st;
}

/* A whole number below `limit` from a cell of the draws. */
static bool index_of(double cell, size_t limit, size_t *out)
{
    if (!(cell >= 0) || !(cell < (double)limit))
        return false;
    *out = (size_t)cell;
    return (double)*out == cell;
}

/* One line of the draws: a reference row, then a permutation of the inputs. */
static gpa_status take_draw(struct other_methods *o, const struct load *l,
                            const gpa_table *t, size_t i, unsigned char *seen,
                            const char *path, gpa_error *err)
{
    size_t line = gpa_table_line(t, i), *order = o->sv_orders + i * l->d;
    const double *cells = gpa_table_numbers(t, 0, err);
    memset(seen, 0, l->d);
    if (cells == NULL)
        return GPA_DATA;
    if (!index_of(cells[i], l->reference.n, &o->sv_rows[i]))
        return fail(err, GPA_DATA,
                    "%.200s: line %zu: the first number is no row of the reference, "
                    "from 0 to %zu",
                    path, line, l->reference.n - 1);
    for (size_t k = 0; k < l->d; k++) {
        cells = gpa_table_numbers(t, k + 1, err);
        if (cells == NULL)
            return GPA_DATA;
        if (!index_of(cells[i], l->d, &order[k]) || seen[order[k]])
            return fail(err, GPA_DATA,
                        "%.200s: line %zu: no order of the %zu inputs, each once and "
                        "from 0",
                        path, line, l->d);
        seen[order[k]] = 1;
    }
    return GPA_OK;
}

static gpa_status take_draws(struct other_methods *o, const struct load *l,
                             const struct args *a, gpa_error *err)
{
    const char *path = a->text[OPT_SV_DRAWS];
    gpa_table_options how;
    gpa_table *t = NULL;
    unsigned char *seen = NULL;
    if (path == NULL)
        return GPA_OK;
    if (l->reference.x == NULL)
        return fail(err, GPA_INVALID, "--sv-draws needs --reference FILE");
    gpa_table_options_init(&how);
    how.no_header = true;
    gpa_status st = gpa_table_read(&t, path, &how, err);
    if (st != GPA_OK)
        return st;
    size_t n = gpa_table_rows(t);
    if (gpa_table_columns(t) != l->d + 1)
        st = fail(err, GPA_DATA, "%.200s: %zu numbers in a line, expected %zu", path,
                  gpa_table_columns(t), l->d + 1);
    if (st == GPA_OK) {
        o->sv_rows = room(n, sizeof *o->sv_rows);
        o->sv_orders = room(n * l->d, sizeof *o->sv_orders); /* as large as the file */
        seen = room(l->d, 1);
        if (o->sv_rows == NULL || o->sv_orders == NULL || seen == NULL)
            st = fail(err, GPA_NOMEM, "out of memory");
    }
    for (size_t i = 0; st == GPA_OK && i < n; i++)
        st = take_draw(o, l, t, i, seen, path, err);
    o->opt.sv_rows = o->sv_rows;
    o->opt.sv_orders = o->sv_orders;
    o->opt.sv_configurations = n;
    o->opt.shapley = GPA_SHAPLEY_SAMPLE;
    free(seen);
    gpa_table_free(t);
    return st;
}

static void take_numbers(struct other_methods *o, const struct args *a)
{
    gpa_attribute_options *p = &o->opt;
    const char *sv = a->text[OPT_SV];
    p->lime_samples = (size_t)a->count[OPT_LIME_SAMPLES];
    p->lime_l1 = a->given[OPT_LIME_L1] ? a->real[OPT_LIME_L1] : p->lime_l1;
    p->lime_sd = a->given[OPT_LIME_SD] ? a->real[OPT_LIME_SD] : p->lime_sd;
    p->intervals = (size_t)a->count[OPT_INTERVALS];
    if (a->given[OPT_INTERVALS])
        p->quadrature = GPA_QUADRATURE_TRAPEZOID;
    p->eig_rows = (size_t)a->count[OPT_EIG_ROWS];
    p->sv_configurations = (size_t)a->count[OPT_SV_CONFIGURATIONS];
    p->sv_antithetic = a->given[OPT_SV_ANTITHETIC];
    if (sv != NULL)
        p->shapley = strcmp(sv, "exact") == 0    ? GPA_SHAPLEY_EXACT
                     : strcmp(sv, "sample") == 0 ? GPA_SHAPLEY_SAMPLE
                                                 : GPA_SHAPLEY_AUTO;
}

gpa_status other_methods_read(struct other_methods *o, const struct load *l,
                              const struct args *a, gpa_error *err)
{
    gpa_attribute_options_init(&o->opt);
    take_numbers(o, a);
    o->opt.reference = l->reference.x != NULL ? &l->reference : NULL;
    gpa_status st = take_names(o, a->text[OPT_METHODS], err);
    if (st == GPA_OK)
        st = take_baseline(o, l, a, err);
    return st == GPA_OK ? take_draws(o, l, a, err) : st;
}

void other_methods_free(struct other_methods *o)
{
    free(o->sv_orders);
    free(o->sv_rows);
    gpa_numbers_free(o->baseline);
    free(o->names);
    free(o->list);
}

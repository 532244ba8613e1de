#include "study/other_methods.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/nearest.h"
#include "study/study.h"
#include <math.h>
#include <string.h>

static gpa_status no_method(const char *name, gpa_error *err)
{
    const char *names[64], *near;
    size_t n = 0;
    while (n < 64 && n < gpa_method_count()) {
        names[n] = gpa_method_at(n)->name;
        n++;
    }
    near = gpai_nearest(name, names, n);
    if (near != NULL)
        return gpai_fail(err, GPA_INVALID, "--methods: no '%.60s'; did you mean '%s'?",
                         name, near);
    return gpai_fail(err, GPA_INVALID,
                     "--methods: no '%.60s'; 'gpa methods' lists them", name);
}

/* --methods a,b: in the order given, each once. */
static gpa_status take_names(gpai_other_methods *o, const char *text, gpa_error *err)
{
    if (text == NULL)
        return GPA_OK;
    size_t length = strlen(text);
    o->list = gpai_calloc(length + 1, 1);
    o->names = gpai_calloc(length + 1, sizeof *o->names);
    if (o->list == NULL || o->names == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    memcpy(o->list, text, length + 1);
    for (char *word = o->list; word != NULL;) {
        char *comma = strchr(word, ',');
        if (comma != NULL)
            *comma = '\0';
        if (gpa_method_find(word) == NULL)
            return no_method(word, err);
        for (size_t i = 0; i < o->n_names; i++)
            if (strcmp(o->names[i], word) == 0)
                return gpai_fail(err, GPA_INVALID, "--methods: '%s' twice", word);
        o->names[o->n_names++] = word;
        word = comma != NULL ? comma + 1 : NULL;
    }
    return GPA_OK;
}

static gpa_status take_baseline(gpai_other_methods *o, const gpa_study *s,
                                gpa_error *err)
{
    const char *text = s->given.text[OPT_BASELINE];
    size_t n = 0;
    if (text == NULL || strcmp(text, "zero") == 0)
        return GPA_OK;
    if (strcmp(text, "reference") == 0) {
        o->opt.baseline = GPA_BASELINE_REFERENCE;
        return s->reference.x != NULL
                   ? GPA_OK
                   : gpai_fail(err, GPA_INVALID,
                               "--baseline reference needs --reference FILE");
    }
    o->opt.baseline = GPA_BASELINE_GIVEN;
    gpa_status st = gpai_option_numbers(&s->given, OPT_BASELINE, &o->opt.baseline_x, &n,
                                        &o->baseline, err);
    if (st == GPA_OK && n != s->d)
        st = gpai_fail(err, GPA_INVALID,
                       "--baseline: %zu numbers in %.200s, %zu inputs", n, text, s->d);
    return st;
}

/* The draws of sv as numbers: lines of a reference row and an order of the inputs. */
struct draws {
    gpa_table *table;     /* NULL: they were given as numbers */
    const double *number; /* n by d + 1, row-major */
    double *block;        /* owns those of the table */
    size_t n;
};

static gpa_status read_draws(struct draws *w, const char *path, size_t d,
                             gpa_error *err)
{
    gpa_table_options how;
    gpa_table_options_init(&how);
    how.no_header = true;
    gpa_status st = gpa_table_read(&w->table, path, &how, err);
    if (st != GPA_OK)
        return st;
    w->n = gpa_table_rows(w->table);
    if (gpa_table_columns(w->table) != d + 1)
        return gpai_fail(err, GPA_DATA, "%.200s: %zu numbers in a line, expected %zu",
                         path, gpa_table_columns(w->table), d + 1);
    w->block = gpai_calloc(w->n, (d + 1) * sizeof *w->block); /* as large as the file */
    if (w->block == NULL)
        return gpai_nomem(err, "compare");
    for (size_t k = 0; k <= d; k++) {
        const double *cells = gpa_table_numbers(w->table, k, err);
        if (cells == NULL)
            return GPA_DATA;
        for (size_t i = 0; i < w->n; i++)
            w->block[i * (d + 1) + k] = cells[i];
    }
    w->number = w->block;
    return GPA_OK;
}

/* A whole number below `limit`. */
static bool index_of(double cell, size_t limit, size_t *out)
{
    if (!(cell >= 0) || !(cell < (double)limit))
        return false;
    *out = (size_t)cell;
    return (double)*out == cell;
}

/* One line of the draws: a reference row, then a permutation of the inputs. */
static gpa_status take_draw(gpai_other_methods *o, const gpa_study *s,
                            const struct draws *w, size_t i, unsigned char *seen,
                            gpa_error *err)
{
    const char *path = s->given.text[OPT_SV_DRAWS];
    size_t line = w->table != NULL ? gpa_table_line(w->table, i) : i + 1;
    size_t d = s->d, *order = o->sv_orders + i * d;
    const double *cells = w->number + i * (d + 1);
    memset(seen, 0, d);
    if (!index_of(cells[0], s->reference.n, &o->sv_rows[i]))
        return gpai_fail(
            err, GPA_DATA,
            "%.200s: line %zu: the first number is no row of the reference, "
            "from 0 to %zu",
            path, line, s->reference.n - 1);
    for (size_t k = 0; k < d; k++) {
        if (!index_of(cells[k + 1], d, &order[k]) || seen[order[k]])
            return gpai_fail(err, GPA_DATA,
                             "%.200s: line %zu: no order of the %zu inputs, each once "
                             "and from 0",
                             path, line, d);
        seen[order[k]] = 1;
    }
    return GPA_OK;
}

static gpa_status take_draws(gpai_other_methods *o, const gpa_study *s, gpa_error *err)
{
    const char *path = s->given.text[OPT_SV_DRAWS];
    size_t d = s->d;
    struct draws w = {.number = s->given.numbers[OPT_SV_DRAWS].at,
                      .n = s->given.numbers[OPT_SV_DRAWS].n / (d + 1)};
    unsigned char *seen = NULL;
    if (path == NULL)
        return GPA_OK;
    if (s->reference.x == NULL)
        return gpai_fail(err, GPA_INVALID, "--sv-draws needs --reference FILE");
    if (w.number != NULL &&
        (w.n == 0 || s->given.numbers[OPT_SV_DRAWS].n % (d + 1) != 0))
        return gpai_fail(err, GPA_INVALID, "--sv-draws: %zu numbers, not lines of %zu",
                         s->given.numbers[OPT_SV_DRAWS].n, d + 1);
    gpa_status st = w.number == NULL ? read_draws(&w, path, d, err) : GPA_OK;
    if (st == GPA_OK) {
        o->sv_rows = gpai_calloc(w.n, sizeof *o->sv_rows);
        o->sv_orders = gpai_calloc(w.n, d * sizeof *o->sv_orders);
        seen = gpai_calloc(d, 1);
        if (o->sv_rows == NULL || o->sv_orders == NULL || seen == NULL)
            st = gpai_nomem(err, "compare");
    }
    for (size_t i = 0; st == GPA_OK && i < w.n; i++)
        st = take_draw(o, s, &w, i, seen, err);
    o->opt.sv_rows = o->sv_rows;
    o->opt.sv_orders = o->sv_orders;
    o->opt.sv_configurations = w.n;
    o->opt.shapley = GPA_SHAPLEY_SAMPLE;
    gpai_free(seen);
    gpai_free(w.block);
    gpa_table_free(w.table);
    return st;
}

static void take_numbers(gpai_other_methods *o, const gpai_options *given)
{
    gpa_attribute_options *p = &o->opt;
    const char *sv = given->text[OPT_SV];
    p->lime_samples = (size_t)given->count[OPT_LIME_SAMPLES];
    p->lime_l1 = given->given[OPT_LIME_L1] ? given->real[OPT_LIME_L1] : p->lime_l1;
    p->lime_sd = given->given[OPT_LIME_SD] ? given->real[OPT_LIME_SD] : p->lime_sd;
    p->intervals = (size_t)given->count[OPT_INTERVALS];
    if (given->given[OPT_INTERVALS])
        p->quadrature = GPA_QUADRATURE_TRAPEZOID;
    p->eig_rows = (size_t)given->count[OPT_EIG_ROWS];
    p->sv_configurations = (size_t)given->count[OPT_SV_CONFIGURATIONS];
    p->sv_antithetic = given->given[OPT_SV_ANTITHETIC];
    if (sv != NULL)
        p->shapley = strcmp(sv, "exact") == 0    ? GPA_SHAPLEY_EXACT
                     : strcmp(sv, "sample") == 0 ? GPA_SHAPLEY_SAMPLE
                                                 : GPA_SHAPLEY_AUTO;
}

/* The first missing input of a row; d: there is none. */
static size_t gap_in(const double *x, size_t d)
{
    size_t k = 0;
    while (k < d && isfinite(x[k]))
        k++;
    return k;
}

/* The reference for the others, which know no missing values: its rows without gaps. */
static gpa_status take_reference(gpai_other_methods *o, gpa_study *s, gpa_error *err)
{
    const gpa_sample *all = &s->reference;
    size_t gaps = 0, first = all->d, d = all->d;
    if (all->x == NULL)
        return GPA_OK;
    o->opt.reference = all;
    for (size_t i = 0; i < all->n; i++) {
        size_t k = gap_in(all->x + i * d, d);
        gaps += k < d;
        first = first == d ? k : first;
    }
    if (gaps == 0)
        return GPA_OK;
    if (gaps == all->n || s->given.given[OPT_SV_DRAWS])
        return gpai_fail(err, GPA_DATA,
                         "the reference has gaps (the first in %.80s), which %s",
                         s->inputs[first],
                         gaps == all->n ? "leaves no row for the methods beside gpa"
                                        : "--sv-draws cannot count over");
    o->complete_x = gpai_calloc((all->n - gaps) * d, sizeof *o->complete_x);
    if (o->complete_x == NULL)
        return gpai_nomem(err, "study");
    o->complete = (gpa_sample){.x = o->complete_x, .d = d};
    for (size_t i = 0; i < all->n; i++)
        if (gap_in(all->x + i * d, d) == d)
            memcpy(o->complete_x + o->complete.n++ * d, all->x + i * d,
                   d * sizeof *all->x);
    o->opt.reference = &o->complete;
    gpai_study_tell(s,
                    "%zu of %zu reference rows have gaps (the first in %.80s): the "
                    "methods beside gpa go without them",
                    gaps, all->n, s->inputs[first]);
    return GPA_OK;
}

gpa_status gpai_other_methods_read(gpai_other_methods *o, gpa_study *s, gpa_error *err)
{
    gpa_attribute_options_init(&o->opt);
    take_numbers(o, &s->given);
    gpa_status st = take_names(o, s->given.text[OPT_METHODS], err);
    if (st == GPA_OK)
        st = take_reference(o, s, err);
    if (st == GPA_OK)
        st = take_baseline(o, s, err);
    return st == GPA_OK ? take_draws(o, s, err) : st;
}

void gpai_other_methods_free(gpai_other_methods *o)
{
    gpai_free(o->sv_orders);
    gpai_free(o->sv_rows);
    gpai_free(o->baseline);
    gpai_free(o->complete_x);
    gpai_free(o->names);
    gpai_free(o->list);
}

#include "cli/load.h"
#include "cli/columns.h"
#include "cli/say.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

gpa_status load_model(struct load *l, const struct args *a, gpa_error *err)
{
    gpa_model_options opt;
    *l = (struct load){.id = NO_COLUMN};
    gpa_model_options_init(&opt);
    if (!a->given[OPT_MODEL])
        return fail(err, GPA_INVALID,
                    "%s: --model is missing, e.g. --model mlp:model.json", a->command);
    opt.config = a->text[OPT_MODEL_CONFIG];
    if (a->given[OPT_BATCH])
        opt.batch_rows = (size_t)a->count[OPT_BATCH];
    if (a->given[OPT_MODEL_TIMEOUT])
        opt.timeout = a->real[OPT_MODEL_TIMEOUT];
    opt.workers = (size_t)a->count[OPT_MODEL_WORKERS];
    opt.auth = a->text[OPT_MODEL_AUTH];
    return gpa_model_open(&l->model, a->text[OPT_MODEL], &opt, err);
}

static gpa_status read_table(gpa_table **out, const struct args *a, const char *path,
                             gpa_error *err)
{
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.text_column = a->text[OPT_ID];
    opt.no_header = a->given[OPT_NO_HEADER];
    if (strcmp(path, "-") == 0 && isatty(STDIN_FILENO) == 1)
        say("reading the data from the terminal (or name a file)");
    return gpa_table_read(out, path, &opt, err);
}

static gpa_status take_room(struct load *l, gpa_error *err)
{
    size_t n = l->n, d = l->d;
    bool fits = d == 0 || n <= (SIZE_MAX / sizeof(double) - 2 * n - 2 * d) / d;
    l->block = fits ? room(n * d + 2 * n + 2 * d, sizeof(double)) : NULL;
    l->features = room(d, sizeof *l->features);
    l->ids = l->id != NO_COLUMN ? room(n, sizeof *l->ids) : NULL;
    if (l->block == NULL || l->features == NULL ||
        (l->id != NO_COLUMN && l->ids == NULL))
        return fail(err, GPA_NOMEM, "out of memory for %zu rows of %zu inputs", n, d);
    l->x = l->block;
    l->f = l->x + n * d;
    l->score = l->f + n;
    l->center = l->score + n;
    l->unit = l->center + d;
    return GPA_OK;
}

static gpa_status take_inputs(struct load *l, gpa_error *err)
{
    bool refuse = gpa_model_refuses_missing(l->model);
    gpa_status st = gpa_table_matrix(l->table, l->columns, l->d, refuse, l->x, err);
    if (st == GPA_DATA && refuse) {
        char message[sizeof err->message];
        memcpy(message, err->message, sizeof message);
        return fail(err, st, "%.380s; fill it in, or drop the row", message);
    }
    for (size_t k = 0; k < l->d; k++)
        l->features[k] = gpa_table_name(l->table, l->columns[k]);
    for (size_t i = 0; l->ids != NULL && i < l->n; i++) {
        const char *id = gpa_table_text(l->table, i, l->id);
        l->ids[i] = id != NULL ? id : "";
    }
    return st;
}

static gpa_status take_target(struct load *l, const char *file, gpa_error *err)
{
    const char *name = gpa_table_name(l->table, l->target);
    l->y = gpa_table_numbers(l->table, l->target, err);
    if (l->y == NULL) {
        char message[sizeof err->message];
        memcpy(message, err->message, sizeof message);
        return fail(err, GPA_DATA, "%.380s; is '%.40s' the target? use --target",
                    message, name);
    }
    for (size_t i = 0; i < l->n; i++)
        if (!isfinite(l->y[i]))
            return fail(err, GPA_DATA,
                        "%.200s: line %zu: no value of the target '%.80s'", file,
                        gpa_table_line(l->table, i), name);
    l->sample = (gpa_sample){.x = l->x, .y = l->y, .n = l->n, .d = l->d};
    return GPA_OK;
}

/* Whether the command can do without scores: the rows are named, the noise is given. */
static bool scores_needless(const struct args *a)
{
    return a->bit == IN_EXPLAIN && a->given[OPT_B0] && !a->given[OPT_FAIL_ABOVE] &&
           (a->given[OPT_ROWS] || a->given[OPT_ALL_ROWS]);
}

static gpa_status take_scores(struct load *l, const struct args *a, gpa_error *err)
{
    gpa_status st = GPA_OK;
    l->sigma = a->real[OPT_SIGMA];
    if (!a->given[OPT_SIGMA]) {
        st = l->n < 2 ? GPA_NUMERIC : gpa_residual_sigma(&l->sample, &l->sigma, err);
        if (st == GPA_NUMERIC && scores_needless(a)) {
            l->sigma = l->collective = (double)NAN;
            for (size_t i = 0; i < l->n; i++)
                l->score[i] = (double)NAN;
            return GPA_OK;
        }
    }
    if (st == GPA_NUMERIC)
        return fail(
            err, GPA_DATA, "sigma cannot be taken from %zu row%s%s: give --sigma", l->n,
            l->n == 1 ? "" : "s", l->n == 1 ? "" : " whose y - f do not differ");
    if (st != GPA_OK)
        return st;
    return gpa_score(&l->sample, l->sigma, l->score, &l->collective, err);
}

gpa_status load_rows(struct load *l, const struct args *a, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if ((st = load_model(l, a, err)) != GPA_OK ||
        (st = read_table(&l->table, a, a->file, err)) != GPA_OK)
        return st;
    l->n = gpa_table_rows(l->table);
    if (l->n == 0)
        return fail(err, GPA_DATA, "%.200s: no rows", a->file);
    l->nameless = a->given[OPT_NO_HEADER];
    if ((st = choose_columns(l, a, err)) != GPA_OK ||
        (st = take_room(l, err)) != GPA_OK || (st = take_inputs(l, err)) != GPA_OK)
        return st;
    return gpa_model_set_inputs(l->model, l->d, l->features, err);
}

gpa_status load_open(struct load *l, const struct args *a, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if ((st = load_rows(l, a, err)) != GPA_OK ||
        (st = take_target(l, a->file, err)) != GPA_OK ||
        (st = gpa_predict_observed(l->model, &l->sample, l->f, err)) != GPA_OK)
        return st;
    l->sample.f = l->f;
    gpa_digest(l->f, l->n * sizeof *l->f, l->probe);
    l->all = (gpa_background){.n = l->n,
                              .d = l->d,
                              .total = l->n,
                              .x = l->x,
                              .y = l->y,
                              .f = l->f,
                              .score = l->score};
    return take_scores(l, a, err);
}

static void warn_constant(const struct load *l, const bool *constant, size_t n,
                          const char *where)
{
    char names[400] = "";
    size_t used = 0, count = 0;
    for (size_t k = 0; k < l->d; k++) {
        if (!constant[k])
            continue;
        count++;
        if (used + 60 < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s",
                                     used > 0 ? ", " : "", l->features[k]);
        else if (names[used - 1] != '.')
            used += (size_t)snprintf(names + used, sizeof names - used, ", ...");
    }
    if (count > 0 && n < 5)
        say("warning: fewer than 5 rows in %s: the unit of every input is 1", where);
    else if (count > 0)
        say("warning: without spread in %s, unit 1: %s", where, names);
}

static gpa_status fit_scale(struct load *l, const double *x, size_t n,
                            const char *where, gpa_error *err)
{
    bool *constant = room(l->d, sizeof *constant);
    if (constant == NULL)
        return fail(err, GPA_NOMEM, "out of memory");
    gpa_status st = gpa_scale_fit(x, n, l->d, l->center, l->unit, constant, err);
    if (st == GPA_OK)
        warn_constant(l, constant, n, where);
    free(constant);
    return st;
}

/* The inputs' columns in the reference file, by their names. */
static gpa_status find_inputs(const struct load *l, const gpa_table *t, size_t *columns,
                              gpa_error *err)
{
    for (size_t k = 0; k < l->d; k++) {
        gpa_status st = gpa_table_find(t, l->features[k], &columns[k], err);
        if (st != GPA_OK)
            return st;
        if (gpa_table_numbers(t, columns[k], err) == NULL)
            return GPA_DATA;
    }
    return GPA_OK;
}

static bool is(const struct args *a, enum option_id id, const char *word)
{
    return a->given[id] && strcmp(a->text[id], word) == 0;
}

/* Reads --reference where an option wants it; says so where none does. */
static gpa_status read_reference(struct load *l, const struct args *a, gpa_error *err)
{
    gpa_table *t = NULL;
    size_t *columns = NULL;
    bool scale = is(a, OPT_SCALE, "reference");
    bool plausible = is(a, OPT_PLAUSIBLE, "reference");
    /* without a word about what is plausible it stands in when the data has too few
     * rows */
    bool wanted =
        scale || plausible || !a->given[OPT_PLAUSIBLE] || a->bit == IN_COMPARE;
    if (a->given[OPT_REFERENCE] && !wanted)
        say("--reference is not used: only --scale reference and --plausible "
            "reference look at it");
    if (!scale && !plausible && !(wanted && a->given[OPT_REFERENCE]))
        return GPA_OK;
    if (!a->given[OPT_REFERENCE])
        return fail(err, GPA_INVALID, "%s reference needs --reference FILE",
                    scale ? "--scale" : "--plausible");
    gpa_status st = read_table(&t, a, a->text[OPT_REFERENCE], err);
    if (st != GPA_OK)
        goto done;
    size_t n = gpa_table_rows(t), d = l->d;
    columns = room(d, sizeof *columns);
    l->background = d > 0 && n > SIZE_MAX / d ? NULL : room(n * d, sizeof(double));
    if (columns == NULL || l->background == NULL) {
        st = fail(err, GPA_NOMEM, "out of memory for the reference");
        goto done;
    }
    l->reference = (gpa_sample){.x = l->background, .n = n, .d = d};
    st = find_inputs(l, t, columns, err);
    if (st == GPA_OK)
        st = gpa_table_matrix(t, columns, d, false, l->background, err);
done:
    free(columns);
    gpa_table_free(t);
    return st;
}

gpa_status load_scale(struct load *l, const struct args *a, gpa_error *err)
{
    gpa_status st = read_reference(l, a, err);
    if (st != GPA_OK)
        return st;
    if (!a->given[OPT_SCALE] || is(a, OPT_SCALE, "data"))
        return fit_scale(l, l->x, l->n, "the data", err);
    if (is(a, OPT_SCALE, "reference"))
        return fit_scale(l, l->background, l->reference.n, "the reference", err);
    if (!is(a, OPT_SCALE, "none"))
        return gpa_scale_read(a->text[OPT_SCALE], l->features, l->d, l->center, l->unit,
                              err);
    for (size_t k = 0; k < l->d; k++) {
        l->center[k] = 0;
        l->unit[k] = 1;
    }
    return GPA_OK;
}

/* Whether the user's terminal and files are in UTF-8, by the usual variables. */
static bool utf8_locale(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
               strstr(value, "utf-8") != NULL || strstr(value, "UTF8") != NULL;
    }
    return false;
}

static bool wants_colour(const struct args *a)
{
    const char *mode = a->given[OPT_COLOR] ? a->text[OPT_COLOR] : "auto";
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (strcmp(mode, "auto") != 0)
        return strcmp(mode, "always") == 0;
    return !a->given[OPT_OUT] && isatty(STDOUT_FILENO) == 1 &&
           (no == NULL || no[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* Columns of the terminal that shows the table; 0 when it goes elsewhere. */
static size_t terminal_width(const struct args *a)
{
    const char *told = getenv("COLUMNS");
    struct winsize size = {0};
    if (a->given[OPT_OUT] || isatty(STDOUT_FILENO) != 1)
        return 0;
    unsigned long width = told != NULL ? strtoul(told, NULL, 10) : 0;
    if (width > 0 && width < 10000)
        return (size_t)width;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void load_look(gpa_report_info *info, const struct args *a)
{
    info->colour = wants_colour(a);
    info->ascii = !utf8_locale();
    info->width = terminal_width(a);
}

gpa_report_info load_info(const struct load *l, const struct args *a,
                          const char *options)
{
    gpa_report_info info;
    gpa_report_info_init(&info);
    info.model_spec = gpa_model_spec(l->model);
    info.target = gpa_table_name(l->table, l->target);
    info.features = l->features;
    info.ids = l->ids;
    info.center = l->center;
    info.input_digest = gpa_table_digest(l->table);
    info.model_digest = l->probe;
    info.options_json = options;
    info.seed = a->given[OPT_SEED] ? a->count[OPT_SEED] : info.seed;
    info.background = &l->all;
    load_look(&info, a);
    return info;
}

void load_free(struct load *l)
{
    free(l->background);
    free(l->block);
    free(l->ids);
    free(l->features);
    free(l->columns);
    gpa_table_free(l->table);
    gpa_model_free(l->model);
}

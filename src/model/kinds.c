#include "model/kinds.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/input.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A level takes a code and the length of its name, besides the name. */
enum { LEVEL_BYTES = 16 };

/* "column 'region'", or "input 3", for a message. */
typedef struct called {
    char text[192];
} called;

static called name_input(const gpai_model_kinds *k, size_t input)
{
    called c;
    if (k->column != NULL && input < k->d)
        snprintf(c.text, sizeof c.text, "column '%s'",
                 gpai_show_text(k->column[input]).text);
    else
        snprintf(c.text, sizeof c.text, "input %zu", input + 1);
    return c;
}

static void drop_columns(gpai_model_kinds *k)
{
    for (size_t i = 0; k->column != NULL && i < k->d; i++)
        gpai_free(k->column[i]);
    gpai_free(k->column);
    k->column = NULL;
}

static void drop_kinds(gpai_model_kinds *k)
{
    gpai_free(k->truth);
    gpai_free(k->text);
    gpai_free(k->name);
    gpai_free(k->level);
    gpai_free(k->input);
    *k = (gpai_model_kinds){.d = k->d, .column = k->column};
}

void gpai_model_kinds_free(gpai_model_kinds *k)
{
    drop_kinds(k);
    drop_columns(k);
    k->d = 0;
}

gpa_status gpai_model_kinds_columns(gpai_model_kinds *to, size_t d,
                                    const char *const *names, gpa_error *err)
{
    if (names == NULL && d == to->d)
        return GPA_OK;
    gpai_model_kinds_free(to);
    to->d = d;
    if (names == NULL)
        return GPA_OK;
    to->column = gpai_calloc(d, sizeof *to->column);
    for (size_t k = 0; to->column != NULL && k < d; k++) {
        to->column[k] = gpai_strdup(names[k]);
        if (to->column[k] == NULL)
            drop_columns(to);
    }
    return to->column == NULL ? gpai_nomem(err, "model") : GPA_OK;
}

static bool is_text(const gpa_input *in)
{
    return in->writing == GPA_WRITING_LEVEL;
}

bool gpai_kinds_is_text(const gpai_model_kinds *k, size_t input)
{
    return k->input != NULL && is_text(&k->input[input]);
}

bool gpai_kinds_is_written(const gpai_model_kinds *k, size_t input)
{
    return k->input != NULL && k->input[input].writing != GPA_WRITING_NUMBER;
}

/* What level i is called, if need be by its number. */
static const char *name_of(const gpa_input *in, size_t i, char room[GPAI_NUMBER_ROOM])
{
    if (in->level_name != NULL)
        return in->level_name[i];
    gpai_number_text(in->level[i], room);
    return room;
}

struct sizes {
    size_t levels, text;
};

/* Counts in the levels of one input, and looks whether they can be searched. */
static gpa_status measure(struct sizes *all, const gpa_input *in, const char *name,
                          const char *who, gpa_error *err)
{
    char number[GPAI_NUMBER_ROOM];
    for (size_t i = 0; i < in->levels; i++) {
        bool ascends =
            isfinite(in->level[i]) && (i == 0 || in->level[i - 1] < in->level[i]);
        if (!ascends)
            return gpai_fail(err, GPA_INVALID,
                             "%s: %s: the codes of its levels do not ascend", who,
                             name);
        all->levels++;
        all->text += strlen(name_of(in, i, number)) + 1;
        if (all->text + all->levels * LEVEL_BYTES > GPAI_KINDS_MOST)
            return gpai_fail(
                err, GPA_INVALID,
                "%s: %s: the texts take more than %d bytes: --drop columns "
                "that only name the rows",
                who, name, GPAI_KINDS_MOST);
    }
    return GPA_OK;
}

static gpa_status take_memory(gpai_model_kinds *to, const struct sizes *all, size_t d,
                              gpa_error *err)
{
    to->input = gpai_calloc(d, sizeof *to->input);
    to->level = gpai_calloc(all->levels + 1, sizeof *to->level);
    to->name = gpai_calloc(all->levels + 1, sizeof *to->name);
    to->text = gpai_calloc(all->text + 1, 1);
    to->truth = gpai_calloc(d, sizeof *to->truth);
    if (to->input != NULL && to->level != NULL && to->name != NULL &&
        to->text != NULL && to->truth != NULL)
        return GPA_OK;
    drop_kinds(to);
    return gpai_nomem(err, "model");
}

/* The levels of one input, behind those that are there. */
static void copy_levels(gpai_model_kinds *to, gpa_input *in, const gpa_input *from,
                        struct sizes *used)
{
    char number[GPAI_NUMBER_ROOM];
    size_t longest = 0;
    in->levels = from->levels;
    in->level = to->level + used->levels;
    in->level_name = to->name + used->levels;
    for (size_t i = 0; i < from->levels; i++) {
        const char *name = name_of(from, i, number);
        size_t length = strlen(name) + 1;
        memcpy(to->text + used->text, name, length);
        to->level[used->levels] = from->level[i];
        to->name[used->levels++] = to->text + used->text;
        used->text += length;
        longest = length > longest ? length : longest;
    }
    to->longest += longest;
}

bool gpai_kinds_true(const char *text)
{
    return text[0] == 't' || text[0] == 'T';
}

static bool is_truth(const gpa_input *in)
{
    static const char *const WORDS[] = {"True",  "true",  "TRUE",
                                        "False", "false", "FALSE"};
    size_t found = 0;
    for (size_t i = 0; i < in->levels; i++)
        for (size_t w = 0; w < sizeof WORDS / sizeof WORDS[0]; w++)
            found += strcmp(in->level_name[i], WORDS[w]) == 0;
    return in->levels > 0 && found == in->levels;
}

bool gpai_kinds_is_truth(const gpai_model_kinds *k, size_t input)
{
    return k->truth != NULL && k->truth[input];
}

gpa_status gpai_model_kinds_copy(gpai_model_kinds *to, const gpa_input *inputs,
                                 size_t d, const char *who, gpa_error *err)
{
    struct sizes all = {0, 0}, used = {0, 0};
    bool plain = true;
    drop_kinds(to);
    gpa_status st = gpai_model_kinds_columns(to, d, NULL, err);
    for (size_t k = 0; k < d && st == GPA_OK; k++) {
        plain = plain && inputs[k].writing == GPA_WRITING_NUMBER;
        if (is_text(&inputs[k]))
            st = measure(&all, &inputs[k], name_input(to, k).text, who, err);
    }
    if (st == GPA_OK && !plain)
        st = take_memory(to, &all, d, err);
    for (size_t k = 0; st == GPA_OK && !plain && k < d; k++) {
        to->input[k].writing = inputs[k].writing;
        if (is_text(&inputs[k]))
            copy_levels(to, &to->input[k], &inputs[k], &used);
        to->truth[k] = is_truth(&to->input[k]);
    }
    return st;
}

gpa_status gpai_kinds_check(const gpai_model_kinds *k, const double *x, size_t n,
                            gpai_asked asked, const char *who, gpa_error *err)
{
    for (size_t j = 0; k->input != NULL && j < k->d; j++) {
        const gpa_input *in = &k->input[j];
        for (size_t i = 0; is_text(in) && i < n; i++) {
            double v = x[i * k->d + j];
            char number[GPAI_NUMBER_ROOM];
            if (isnan(v) || gpai_input_level(in, v) < in->levels)
                continue;
            gpai_number_text(v, number);
            return gpai_fail(err, GPA_INVALID,
                             "%s: %s %zu: %s holds text, and %s is the code of none of "
                             "its %zu levels",
                             who, gpai_asked_word(asked), gpai_asked_number(asked, i),
                             name_input(k, j).text, number, in->levels);
        }
    }
    return GPA_OK;
}

gpa_status gpai_kinds_refuse(const gpai_model_kinds *k, size_t input, const char *who,
                             const char *why, gpa_error *err)
{
    return gpai_fail(err, GPA_INVALID,
                     "%s: %s holds text; %s: encode it, give its codes names with "
                     "--levels, or --drop it",
                     who, name_input(k, input).text, why);
}

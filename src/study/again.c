#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "study/study.h"
#include <string.h>

/* More questions about rows that were opened once. */

gpa_status gpai_study_copy_kinds(gpai_known_kinds *to, const gpai_known_kinds *from,
                                 gpa_error *err)
{
    size_t d = from->d;
    *to = (gpai_known_kinds){.d = d,
                             .input = gpai_calloc(d, sizeof *to->input),
                             .reason = gpai_calloc(d, sizeof *to->reason)};
    if (to->input == NULL || to->reason == NULL)
        return gpai_nomem(err, "study");
    memcpy(to->input, from->input, d * sizeof *to->input);
    memcpy(to->reason, from->reason, d * sizeof *to->reason);
    return GPA_OK;
}

/* All that a question has for itself is empty. */
static void forget(gpa_study *s)
{
    s->kept = NULL;
    s->n_kept = 0;
    s->own_model = NULL;
    s->own_table = NULL;
    s->own_kinds = NULL;
    s->own_reference = NULL;
    s->progress = s->scoring = NULL;
    s->stage = NULL;
    s->chosen = (gpai_chosen){.n = 0};
    s->edits = NULL;
    s->n_edits = 0;
    s->slopes = s->start = NULL;
    s->limits = (gpai_limit_options){.lower = NULL};
    s->others = (gpai_other_methods){.names = NULL};
    s->shown_rows = NULL;
    s->shown_numbers = NULL;
    s->record = NULL;
    s->opened = s->ready = false;
}

gpa_status gpai_study_take_settings(gpa_study *s, const gpai_setting *more, size_t n,
                                    gpa_error *err)
{
    static const enum option_id ROWS[] = {OPT_ROWS, OPT_TOP, OPT_THRESHOLD,
                                          OPT_ALL_ROWS};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
        s->given.given[ROWS[i]] = false;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = gpa_study_set(s, more[i].name, more[i].value, err);
    return st;
}

gpa_status gpai_study_begin_again(gpa_study **out, const gpa_study *base,
                                  const gpai_options *given, const char *command,
                                  gpa_model *model, gpa_error *err)
{
    gpa_study *s = *out = gpai_calloc(1, sizeof *s);
    if (s == NULL)
        return gpai_nomem(err, "study");
    *s = *base;
    s->base = base;
    forget(s);
    s->model = model;
    s->given = *given;
    gpai_options_become(&s->given, command);
    s->known = s->found = s->followed = (gpai_known_kinds){.d = 0};
    const gpai_known_kinds *kinds = base->found.d > 0 ? &base->found : &base->known;
    gpa_status st = gpai_study_copy_kinds(&s->known, kinds, err);
    s->kinds = s->known.input;
    return st;
}

gpa_status gpai_study_end_again(gpa_study *s, gpa_error *err)
{
    s->opened = true;
    gpa_status st = gpai_choose_rows(&s->chosen, s, err);
    if (st == GPA_OK)
        st = gpai_study_settings(s, err);
    if (st == GPA_OK)
        st = gpai_study_tell_kinds(s, err);
    if (st == GPA_OK && s->given.bit == IN_COMPARE)
        st = gpai_other_methods_read(&s->others, s, err);
    if (st == GPA_OK && s->own_rows)
        st = gpai_study_look(s, err);
    else if (st == GPA_OK)
        gpai_study_look_together(s);
    if (st == GPA_OK)
        st = gpai_study_describe(s, err);
    s->ready = st == GPA_OK;
    return st;
}

gpa_status gpai_study_again(gpa_study **out, const gpa_study *base,
                            const gpai_options *given, const char *command,
                            const gpai_setting *more, size_t n, gpa_model *model,
                            gpa_error *err)
{
    gpa_status st = gpai_study_begin_again(out, base, given, command, model, err);
    if (st == GPA_OK)
        st = gpai_study_take_settings(*out, more, n, err);
    return st == GPA_OK ? gpai_study_end_again(*out, err) : st;
}

/* A word as a shell takes it: as it is where nothing in it means anything there. */
static void add_word(gpa_text *t, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_@%+=:,./-";
    gpai_text_add(t, " ");
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        gpai_text_add(t, word);
        return;
    }
    gpai_text_add(t, "'");
    for (const char *p = word; *p != '\0'; p++)
        if (*p == '\'')
            gpai_text_add(t, "'\\''");
        else
            gpai_text_bytes(t, p, 1);
    gpai_text_add(t, "'");
}

static void add_option(gpa_text *t, int option, const char *value)
{
    const gpai_option *o = &GPAI_OPTIONS[option];
    gpai_text_printf(t, " --%s", o->name);
    if (o->kind != OPTION_FLAG)
        add_word(t, value);
}

void gpai_study_command(gpa_text *t, const gpa_study *s, const char *ends)
{
    const gpai_options *o = &s->given;
    if (s->own_rows) {
        gpai_text_add(t, "printf '%s'");
        add_word(t, gpa_text_data(s->own_csv));
        gpai_text_add(t, " | ");
    }
    gpai_text_printf(t, "gpa %s", o->command);
    for (int i = 0; i < OPTIONS; i++)
        if (o->given[i] && (GPAI_OPTIONS[i].commands & o->bit) != 0 &&
            GPAI_OPTIONS[i].kind != OPTION_LIST)
            add_option(t, i, o->text[i]);
    for (size_t i = 0; i < o->repeats; i++)
        add_option(t, o->repeat[i].option, o->repeat[i].text);
    gpai_text_add(t, ends != NULL ? ends : "");
    if (o->file != NULL && o->file[0] == '-' && o->file[1] != '\0')
        gpai_text_add(t, " --");
    if (o->file != NULL)
        add_word(t, o->file);
}

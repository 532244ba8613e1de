#ifndef GPAI_MODEL_KINDS_H
#define GPAI_MODEL_KINDS_H
#include "model/model.h"
#include <gpa/input.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* What gpa_model_set_inputs and gpa_model_set_kinds said, kept by an adapter whose
 * model takes text. */
typedef struct gpai_model_kinds {
    size_t d;
    char **column;    /* what the data calls the inputs; NULL: not known */
    gpa_input *input; /* writing, levels and their names; NULL: all are plain numbers */
    double *level;    /* that they point into, like the next two */
    const char **name;
    char *text;
    size_t longest; /* bytes of a row of texts at most */
    bool *truth;    /* of each input, see below */
} gpai_model_kinds;

/* Bytes that all levels of a model may take, with their names. */
enum { GPAI_KINDS_MOST = 1 << 26 };

/* There are d inputs, and they are called so; names may be NULL: the old ones stay. */
gpa_status gpai_model_kinds_columns(gpai_model_kinds *to, size_t d,
                                    const char *const *names, gpa_error *err);

/* A deep copy of what the d inputs are, where levels without a name are called by their
 * number. Replaces what was there. GPA_INVALID, said by `who`, when levels do not
 * ascend or take too much room. */
gpa_status gpai_model_kinds_copy(gpai_model_kinds *to, const gpa_input *inputs,
                                 size_t d, const char *who, gpa_error *err);
void gpai_model_kinds_free(gpai_model_kinds *k);

/* Whether input k is text, or a date; not a plain number. */
bool gpai_kinds_is_text(const gpai_model_kinds *k, size_t input);
bool gpai_kinds_is_written(const gpai_model_kinds *k, size_t input);

/* Whether all that input k is called is True and False, which pandas reads as such; and
 * which of them a text is. */
bool gpai_kinds_is_truth(const gpai_model_kinds *k, size_t input);
bool gpai_kinds_true(const char *text);

/* Whether every code of n rows is that of a level, or NaN: missing. If not, GPA_INVALID
 * names the row. */
gpa_status gpai_kinds_check(const gpai_model_kinds *k, const double *x, size_t n,
                            gpai_asked asked, const char *who, gpa_error *err);

/* GPA_INVALID about text that cannot be sent: "WHO: column 'region' holds text; WHY:
 * encode it, ..." */
gpa_status gpai_kinds_refuse(const gpai_model_kinds *k, size_t input, const char *who,
                             const char *why, gpa_error *err);

#endif

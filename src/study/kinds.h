#ifndef GPAI_STUDY_KINDS_H
#define GPAI_STUDY_KINDS_H
#include <gpa/input.h>
#include <gpa/status.h>
#include <stddef.h>

/* What each input is: inferred from rows, or as the user says. */

/* One column of the rows. */
typedef struct gpai_kind_column {
    const char *name;
    const double *value; /* that of row i is value[i * stride]; NaN is missing */
    size_t stride;       /* 1 is read fastest */
    gpa_writing writing; /* LEVEL: the values are the codes of these texts */
    const char *const *level_name;
    size_t levels;
    bool known;   /* the model file names its levels: it is no identifier */
    bool boolean; /* 0 and 1 are false and true, and nothing else is meant; two texts,
                   * if there are any, are what they are called in reports */
} gpai_kind_column;

typedef struct gpai_known_kinds {
    size_t d;
    gpa_input *input;    /* d */
    const char **reason; /* d: why, in a few words */
    void **kept;         /* what they point to */
    size_t n_kept, room;
} gpai_known_kinds;

/* Infers the kinds of d columns from n rows, in time that grows as n d. Nothing of the
 * columns is borrowed. To be closed in any case. */
gpa_status gpai_kinds_infer(gpai_known_kinds *k, const gpai_kind_column *columns,
                            size_t d, size_t n, gpa_error *err);

/* The same for input i alone, which is in no group (column.c). */
gpa_status gpai_kinds_infer_column(gpai_known_kinds *k, size_t i,
                                   const gpai_kind_column *column, size_t n,
                                   gpa_error *err);

void gpai_kinds_close(gpai_known_kinds *k);

/* Whether input i is held because all rows had one value. */
bool gpai_kinds_is_constant(const gpai_known_kinds *k, size_t i);

/* Input i, which is constant, has another value in a row that is asked about: it is a
 * choice with one level, the value it always had. `truths`: what 0 and 1 are called, or
 * NULL. */
gpa_status gpai_kinds_stray(gpai_known_kinds *k, size_t i, double always,
                            const char *const *truths, gpa_error *err);

/* --kind NAME=KIND for input i, whose column is given again. `flag` takes two values,
 * `choice` the 64 most frequent of a column of numbers, `whole` the range seen,
 * `number` no limits at all; text can be a flag, a choice or held. GPA_INVALID says why
 * not. A column leaves its one-hot group; the others stay one if there are two. Held,
 * it holds them. */
gpa_status gpai_kinds_set(gpai_known_kinds *k, size_t i, gpa_kind kind,
                          const gpai_kind_column *column, size_t n, gpa_error *err);

/* Input i may not move, nor may its one-hot group. */
void gpai_kinds_hold(gpai_known_kinds *k, size_t i);

/* Input i is of a kind with limits (NaN: none) that the user gives; it leaves its group
 * and has no levels. */
void gpai_kinds_limit(gpai_known_kinds *k, size_t i, gpa_kind kind, double low,
                      double high);

/* Groups count from 1 in the order of their first columns. */
gpa_status gpai_kinds_renumber(gpai_known_kinds *k, gpa_error *err);

/* --kind all=number: every input, except for text, which stays what it is. */
void gpai_kinds_all_numbers(gpai_known_kinds *k);

/* --levels NAME=a,b,c for input i: a flag when there are two names, otherwise a choice.
 * The values of a column of numbers are codes 0, 1, 2, …, or as many different ones as
 * there are names, in their order; otherwise GPA_INVALID. Of a column of text the names
 * were given to its dictionary. Levels that were not seen are not proposed. */
gpa_status gpai_kinds_levels(gpai_known_kinds *k, size_t i, const char *const *names,
                             size_t n_names, const gpai_kind_column *column, size_t n,
                             gpa_error *err);

/* "taken as: sex, smoker 0/1; children whole numbers 0-5; region one of 4; age, bmi
 * numbers": one line of less than `size` bytes (256 at least); where there are very
 * many inputs some are only counted. */
gpa_status gpai_kinds_line(const gpai_known_kinds *k, const char *const *names,
                           char *out, size_t size, gpa_error *err);

#endif

#ifndef GPAI_DATA_TABLE_H
#define GPAI_DATA_TABLE_H
#include "base/text/show.h"
#include <gpa/data.h>
#include <stdint.h>

/* How tables are filled. A reader goes over its bytes to add columns, reserves rows,
 * goes over the rows to put numbers, and, when a column turned out to be text or its
 * text was asked for, once more to put that text. So memory is 8 bytes per cell plus
 * kept text. */

enum { GPAI_MAX_COLUMNS = 1000000, GPAI_MAX_CELL = 1 << 20 };

#define GPAI_NO_ROW SIZE_MAX

/* How a file writes true and false. */
typedef enum gpai_spelling {
    GPAI_NO_BOOLEAN,
    GPAI_LOWER, /* true */
    GPAI_TITLE, /* True */
    GPAI_UPPER  /* TRUE */
} gpai_spelling;

typedef struct gpai_column {
    char *name;
    double *numbers; /* one per row; NULL once a cell is no number */
    size_t bad_row;  /* the first such cell; GPAI_NO_ROW */
    bool keep;       /* text was asked for */
    bool shared;     /* others are called so, too, but for their unit */
    bool padded;     /* a number has zeros in front, as a code may: its text is kept */
    size_t booleans; /* how many cells say true or false */
    size_t boolean;  /* the first of them */
    gpai_spelling spelling; /* how it says so */
    char *text;       /* the cells one after another, zero-terminated; NULL: not kept */
    size_t *start;    /* where each row's text starts; GPAI_NO_ROW: it is missing */
    size_t text_size; /* what all cells take as text */
    size_t text_used;
} gpai_column;

/* What else there is of a file whose columns can be read one by one. */
typedef struct gpai_later gpai_later;
struct gpai_later {
    gpa_status (*load)(gpai_later *l, gpa_table *t, const size_t *columns, size_t n,
                       gpa_error *err);
    void (*close)(gpai_later *l);
};

struct gpa_table {
    gpai_shown source; /* the file's name, for messages */
    gpai_column *column;
    size_t n_columns, room;
    size_t n_rows, row_room;
    size_t *line; /* NULL: the format has no lines */
    size_t *slot; /* hash table from names to column + 1; 0 is free */
    size_t
        *measured;  /* the same from names without their unit, of those that have one */
    size_t n_slots; /* of either */
    bool na_words;  /* missing text is written as a word: empty, NA, ... */
    bool mixes;     /* true and false may stand among numbers, as 1 and 0 */
    size_t commas;  /* columns of numbers that are written with a decimal comma */
    bool commas_may; /* such columns are looked for */
    char *bytes;     /* while it is read: those not yet forgotten; NULL: none may be */
    bool again;      /* some were, and are needed once more: the table is of no use */
    gpai_later *later; /* columns not read yet, if the file is one of columns */
    char digest[GPA_DIGEST_SIZE]; /* empty: not known */
};

gpa_status gpai_table_new(gpa_table **out, const char *source, gpa_error *err);

/* Whether there is a column of that name. */
bool gpai_table_lookup(const gpa_table *t, const char *name, size_t length,
                       size_t *column);

/* "bmi [kg/m2]" is bmi, measured in kg/m2: how long the name is, and where its unit
 * begins, up to the last bracket; NULL where it has none. */
size_t gpai_name_unit(const char *name, const char **unit);

/* Whether no other column is called as this one is without its unit. */
bool gpai_table_unique(const gpa_table *t, size_t column);

/* Adds a column; the caller has seen to it that the name is new. */
gpa_status gpai_table_add(gpa_table *t, const char *name, size_t length,
                          gpa_error *err);

/* Adds x1, x2, … */
gpa_status gpai_table_add_numbered(gpa_table *t, size_t n, gpa_error *err);

/* Makes room for at most `rows` rows, of which every cell is then put; marks the column
 * whose text is to be kept (may be NULL or unknown). */
gpa_status gpai_table_reserve(gpa_table *t, size_t rows, bool lines,
                              const char *text_column, gpa_error *err);

/* Puts a number; `length` bytes will be needed should it be asked for as text. */
static inline void gpai_table_put(gpa_table *t, size_t row, size_t column, double value,
                                  size_t length)
{
    gpai_column *c = &t->column[column];
    c->text_size += length + 1;
    if (c->numbers != NULL)
        c->numbers[row] = value;
}

/* Puts true or false, 1 and 0 where numbers are wanted. */
void gpai_table_put_boolean(gpa_table *t, size_t row, size_t column, bool value,
                            gpai_spelling spelling);

/* How a cell says true or false; GPAI_NO_BOOLEAN: it says neither. */
gpai_spelling gpai_boolean(const char *text, size_t length, bool *value);

/* Says that a cell is no number. */
void gpai_table_put_bad(gpa_table *t, size_t row, size_t column, size_t length);

/* Puts a number that is no text anywhere: NaN is missing, an infinity no number. */
void gpai_table_put_real(gpa_table *t, size_t row, size_t column, double value);

/* After the numbers: settles the rows and says whether a pass for text is wanted. */
gpa_status gpai_table_settle(gpa_table *t, size_t rows, bool *want_text,
                             gpa_error *err);

/* Whether the text of a column is wanted, as far as is known while numbers are put. */
bool gpai_table_wants_text(const gpa_table *t, size_t column);

/* Where to write a cell's text (length + 1 bytes); NULL when it is not kept. Called
 * with the rows in order. */
char *gpai_table_put_text(gpa_table *t, size_t row, size_t column, size_t length);

/* Says that a cell has no text, not even an empty one. */
void gpai_table_put_no_text(gpa_table *t, size_t row, size_t column);

/* The same for what gpai_table_put_real put. */
void gpai_table_put_real_text(gpa_table *t, size_t row, size_t column, double value);

/* Whether a cell says nothing: NaN among numbers. Among texts a null; in CSV, which has
 * none, an empty cell or a word such as NA (gpai_missing), in quotes or not. Elsewhere
 * the texts "" and "nan" are texts like others. */
bool gpai_table_missing(const gpa_table *t, size_t row, size_t column);

/* The words for false and true in a column that says nothing else (and has numbers, 0
 * and 1); NULL in others. */
const char *const *gpai_table_booleans(const gpa_table *t, size_t column);

/* Takes columns of text for numbers whose cells all are whole or have a decimal comma,
 * where one cell of the table says for sure that this is no sign between thousands.
 * Once the text is put. */
gpa_status gpai_table_take_commas(gpa_table *t, gpa_error *err);

/* Whether a cell is a number with a decimal comma: "1,5". */
bool gpai_decimal_comma(const char *cell);

/* A number with a decimal comma, as a table that has such columns writes it. */
bool gpai_table_comma(const gpa_table *t, const char *text, double *value);

/* Whether a column of text holds numbers, but for a few cells or a decimal comma. */
bool gpai_table_meant_as_numbers(const gpa_table *t, size_t column);

/* Whether a column of numbers has some like 007, which may be codes: both its numbers
 * and its text are there. */
bool gpai_table_padded(const gpa_table *t, size_t column);

/* The caller's options over the defaults. */
gpa_status gpai_table_settle_options(gpa_table_options *own,
                                     const gpa_table_options *opt, gpa_error *err);

/* gpa_table_read that may leave columns for later: a file of columns then has its names
 * and rows only. */
gpa_status gpai_table_open(gpa_table **out, const char *path,
                           const gpa_table_options *opt, gpa_error *err);

/* Reads those columns which were left, before anything else is asked of them; once. */
gpa_status gpai_table_load(gpa_table *t, const size_t *columns, size_t n,
                           gpa_error *err);

/* The digest that a table of this file has. */
gpa_status gpai_table_digest(const char *path, char digest[GPA_DIGEST_SIZE],
                             gpa_error *err);

/* Frees the numbers of a column from a row on, which are not asked for again. */
void gpai_table_let_go(gpa_table *t, size_t column, size_t row);

/* Centre and unit from a JSON file: {"center":[…],"unit":[…]} in the order of the
 * inputs, or objects by name. GPA_INVALID when an input is missing or a unit is not
 * positive. */
gpa_status gpai_scale_read(const char *path, const char *const *inputs, size_t d,
                           double *center, double *unit, gpa_error *err);

#endif

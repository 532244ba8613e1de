#ifndef GPA_INPUT_H
#define GPA_INPUT_H
#include <gpa/export.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an input is, and so which values it can have. */
typedef enum gpa_kind {
    GPA_KIND_NUMBER = 0, /* any number within low and high */
    GPA_KIND_WHOLE = 1,  /* the whole numbers from low to high */
    GPA_KIND_FLAG = 2,   /* one of two levels */
    GPA_KIND_CHOICE = 3, /* one of several levels, or one column of a one-hot group */
    GPA_KIND_HELD = 4    /* never moved: a constant, an identifier, or frozen */
} gpa_kind;

/** How the numbers of an input stand for text: in the table, in reports, and for models
 * that take text. */
typedef enum gpa_writing {
    GPA_WRITING_NUMBER = 0, /* they are what they are */
    GPA_WRITING_LEVEL = 1,  /* a level's code: the model is given its name */
    GPA_WRITING_DATE = 2,   /* days since 1970-01-01: 2024-02-29 */
    GPA_WRITING_TIME = 3    /* seconds since then: 2024-02-29 12:00:00 */
} gpa_writing;

/** Names as on the command line ("whole"); NULL for a value outside the enum. */
GPA_API const char *gpa_kind_name(gpa_kind kind);

/**
 * One input of the model, a column of the rows. An array element: this struct is frozen
 * and never grows. Everything is borrowed.
 */
typedef struct gpa_input {
    gpa_kind kind;
    gpa_writing writing;
    bool inferred;    /* from the rows; false: the user said so */
    bool whole;       /* NUMBER: only whole ones were seen; proposals are rounded */
    double low, high; /* NUMBER: what cannot be passed, NaN: nothing; WHOLE: the ends */
    double missing; /* a number that stands for a missing value, never proposed; NaN */

    /* FLAG and CHOICE, unless one-hot: the values there are, ascending, and what they
     * are called (NULL: they speak for themselves) */
    size_t levels;
    const double *level;
    const char *const *level_name;
    const unsigned char *rare; /* levels that are not proposed; NULL: all are */

    /* one-hot: the columns of one group share its number, from 1; 0: none */
    size_t group;
    bool dropped;      /* all columns 0 is a level of the group, too */
    const char *name;  /* the group's; NULL: that of the column */
    const char *label; /* the level that this column stands for; NULL: its name */
} gpa_input;

#ifdef __cplusplus
}
#endif
#endif

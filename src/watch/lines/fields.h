#ifndef GPA_WATCH_LINES_FIELDS_H
#define GPA_WATCH_LINES_FIELDS_H
#include "watch/lines/lines.h"
#include <gpa/study.h>

/* One line to one row: an object of JSON, or cells of CSV below a header. */

enum { ID_MOST = 256 }; /* bytes of a row's name */

/* Why a line is no row; the words of the record. */
enum trouble {
    FINE,
    BLANK,
    OVER_LONG,
    MALFORMED,
    BAD_VALUE,
    MISSING_VALUE,
    DUPLICATE,
    NO_Y,
    NO_ROW,
    NO_MODEL,
    NO_PREDICTION,
    DROPPED,
    TROUBLES
};
const char *trouble_word(enum trouble t);

struct fields {
    const gpa_study *s;
    const char *id_name; /* NULL: rows have numbers */
    bool units; /* some names have one, as others are called the same without it */
    bool csv;
    char separator;
    size_t *role;       /* of CSV, by column: an input, d the target, d + 1 the id */
    size_t columns;     /* of CSV; 0: the header is still to come */
    unsigned char *got; /* d + 2: how each was found */
    char *scratch;
    size_t room;
};

/* What a line holds. */
struct fields_row {
    double *x; /* d, the caller's; NaN where there is nothing */
    double y;  /* NaN: none */
    char id[ID_MOST + 1];
    size_t id_length; /* 0: none */
    bool any;         /* an input has a value */
};

gpa_status fields_open(struct fields *f, const gpa_study *s, const char *id_name,
                       gpa_error *err);
void fields_close(struct fields *f);

/* The first line says what the lines are. *header: it is one, not a row. */
gpa_status fields_begin(struct fields *f, const struct line *line, bool *header,
                        gpa_error *err);

/* Whether a line that is no row is a header once more, as where one file follows
 * another: its columns are then those of the lines to come. */
bool fields_again(struct fields *f, const struct line *line);

/* Reads a line; `why` says what is wrong with it. */
enum trouble fields_read(struct fields *f, const struct line *line,
                         struct fields_row *row, gpa_error *why);

/* Whether it is an object of JSON. */
bool line_is_json(const struct line *line);
bool line_is_blank(const struct line *line);

#endif

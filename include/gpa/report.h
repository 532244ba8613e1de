#ifndef GPA_REPORT_H
#define GPA_REPORT_H
#include <gpa/compare.h>
#include <gpa/explain.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Growing text; what reports are written into. */
typedef struct gpa_text gpa_text;

GPA_API GPA_CHECKED gpa_status gpa_text_new(gpa_text **out, gpa_error *err);
GPA_API void gpa_text_free(gpa_text *t);
GPA_API const char *gpa_text_data(const gpa_text *t); /* zero-terminated */
GPA_API size_t gpa_text_length(const gpa_text *t);
GPA_API void gpa_text_clear(gpa_text *t);

/** Reference rows, to see the explained ones against: all of a file, or some of them.
 * Borrowed. Fill with gpa_background_init. */
typedef struct gpa_background {
    size_t struct_size;
    size_t n, d;
    size_t total;        /* how many rows there were */
    const size_t *rows;  /* n ascending row numbers; NULL: 0, 1, … */
    const double *x;     /* n by d, row-major */
    const double *y, *f; /* n each */
    const double *score; /* n anomaly scores */
} gpa_background;

#define gpa_background_init(b) gpa_background_init_sized((b), sizeof *(b))
GPA_API void gpa_background_init_sized(gpa_background *b, size_t size);

/**
 * What a report says about the whole run. All pointers are borrowed; NULL means unknown
 * (features then become x1, x2, …; ids the row numbers).
 */
typedef struct gpa_report_info {
    size_t struct_size;
    const char *model_spec;
    const char *target;          /* name of y */
    const char *const *features; /* d names */
    const char *const *ids;      /* names of all rows, by row number */
    const double *center;        /* d; with the explanation's units it is `scale` */
    const char *input_digest, *model_digest;
    const char *options_json; /* a JSON object: the options as given */
    uint64_t seed;
    bool colour;           /* ANSI colours in tables */
    bool ascii;            /* no glyphs beyond ASCII in tables */
    const size_t *id_rows; /* n_ids ascending row numbers that `ids` are for; NULL: the
                              i-th id is that of row i */
    size_t n_ids;
    const char *version; /* of the library that made the result; NULL: this one */
    bool full;           /* JSON with what pictures need: target, f along the inputs, */
    const gpa_background *background; /* and these rows (NULL: none) */
    size_t width;                     /* columns of a line in tables; 0: about 100 */
    size_t explanations;              /* how many there will be; 0: not known */
    const size_t *marked; /* n_marked rows that are explained, for pictures of all */
    size_t n_marked;
    const gpa_input *inputs;  /* d: what each input is; NULL: numbers */
    const char *const *notes; /* what the user should know about the whole table */
    size_t n_notes;
    bool
        verbose; /* tables: also the change of all inputs together, settings and cost */
    const char *const *units; /* d: what each input is measured in ("kg/m2"; NULL: not
                                 known); NULL: of none */
    const char *target_unit;  /* and y */
    bool paths;               /* pages name files with their folders */
    const char *shard_json;   /* JSON: which part of a job this is, a JSON object; NULL:
                                 all of it */
} gpa_report_info;

#define gpa_report_info_init(info) gpa_report_info_init_sized((info), sizeof *(info))
GPA_API void gpa_report_info_init_sized(gpa_report_info *info, size_t size);

/** How a list of explanations is written. */
typedef enum gpa_format {
    GPA_FORMAT_TABLE = 0,
    GPA_FORMAT_JSON = 1,
    GPA_FORMAT_CSV = 2,
    GPA_FORMAT_HTML = 3
} gpa_format;

/**
 * A report is a beginning, any number of explanations, and an end; each call appends to
 * `t`, so a caller may write `t` out and clear it in between. `index` counts
 * explanations from 0. The beginning needs the first explanation (for units, solver and
 * sizes); NULL when there is none.
 */
GPA_API GPA_CHECKED gpa_status gpa_report_begin(gpa_text *t, gpa_format format,
                                                const gpa_report_info *info,
                                                const gpa_explanation *first,
                                                gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_report_explanation(gpa_text *t, gpa_format format,
                                                      const gpa_report_info *info,
                                                      const gpa_explanation *e,
                                                      size_t index, gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_report_end(gpa_text *t, gpa_format format,
                                              const gpa_report_info *info,
                                              gpa_error *err);

/**
 * The answer in words, for those who show it themselves: a JSON object of the sentences
 * (`sentence` is the verdict) and of `lines`, one per input and one of the outcome, the
 * likeliest first, with the very words and digits of tables and pages. Objects may get
 * further keys.
 */
GPA_API GPA_CHECKED gpa_status gpa_report_answer(gpa_text *t,
                                                 const gpa_report_info *info,
                                                 const gpa_explanation *e,
                                                 gpa_error *err);

/** Scores of rows: what gpa_report_scores writes. Borrowed arrays. Fill with
 * gpa_score_list_init. */
typedef struct gpa_score_list {
    size_t struct_size;
    const gpa_sample *sample; /* with y and f */
    const double *score;      /* one per row of the sample */
    const size_t *order;      /* n_shown row numbers, in the order to show */
    size_t n_shown;
    double sigma;
    double collective;           /* eq. 2; NaN, the default, leaves it out */
    const char *const *left_out; /* one per row: why it has no score, in a word; NULL:
                                    it has; NULL: all have */
} gpa_score_list;

#define gpa_score_list_init(list) gpa_score_list_init_sized((list), sizeof *(list))
GPA_API void gpa_score_list_init_sized(gpa_score_list *list, size_t size);

/** Writes scores as a table, JSON or CSV. */
GPA_API GPA_CHECKED gpa_status gpa_report_scores(gpa_text *t, gpa_format format,
                                                 const gpa_report_info *info,
                                                 const gpa_score_list *list,
                                                 gpa_error *err);

/**
 * Writes a whole comparison: of each row the scores of all methods side by side, then
 * how consistent they are with gpa, which of them react to y, and what they asked of
 * the model. One call makes a complete report.
 */
GPA_API GPA_CHECKED gpa_status gpa_report_comparison(gpa_text *t, gpa_format format,
                                                     const gpa_report_info *info,
                                                     const gpa_comparison *c,
                                                     gpa_error *err);

#ifdef __cplusplus
}
#endif
#endif

#ifndef GPA_STUDY_H
#define GPA_STUDY_H
#include <gpa/compare.h>
#include <gpa/data.h>
#include <gpa/explain.h>
#include <gpa/model.h>
#include <gpa/report.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A question: this model, this table, these columns, these rows, these limits and
 * settings. It is told options by the names of the command's (`gpa explain --help`
 * lists them; without the dashes), opened once, and then answers as often as it is
 * asked.
 *
 *     gpa_study *s = NULL;
 *     st = gpa_study_new(&s, "explain", err);
 *     st = gpa_study_set(s, "model", "model.json", err);
 *     st = gpa_study_set(s, "target", "y", err);
 *     st = gpa_study_set_file(s, "data.csv", err);
 *     st = gpa_study_open(s, err);
 *     st = gpa_study_explain(s, NULL, 0, false, take, ctx, err);
 *     gpa_study_free(s);
 *
 * A study belongs to one thread at a time.
 */
typedef struct gpa_study gpa_study;

/** An empty question of one of the commands "score", "explain", "compare", "model" or
 * "bench", which decides what options there are. */
GPA_API GPA_CHECKED gpa_status gpa_study_new(gpa_study **out, const char *command,
                                             gpa_error *err);

/** Frees it; NULL is fine. */
GPA_API void gpa_study_free(gpa_study *s);

/**
 * Sets an option by name and value ("top", "5"); a value of NULL or "" sets a flag. "_"
 * stands for "-". Options that may be repeated are added to. The text is copied.
 * GPA_INVALID for a name or value that the command would refuse, in its words.
 */
GPA_API GPA_CHECKED gpa_status gpa_study_set(gpa_study *s, const char *name,
                                             const char *value, gpa_error *err);

/**
 * Sets an option that is the name of a file of numbers on the command line to the
 * numbers themselves, which are copied: "delta-init", "slope-nodes", "baseline",
 * "sv-draws" (lines of a reference row and an order of the inputs) and "scale" (all
 * centres, then all units).
 */
GPA_API GPA_CHECKED gpa_status gpa_study_set_numbers(gpa_study *s, const char *name,
                                                     const double *numbers, size_t n,
                                                     gpa_error *err);

/** The data: a file ("-": standard input), or a table, which stays the caller's and
 * must outlive the study. */
GPA_API GPA_CHECKED gpa_status gpa_study_set_file(gpa_study *s, const char *path,
                                                  gpa_error *err);
GPA_API void gpa_study_set_table(gpa_study *s, const gpa_table *table);

/** The i-th option of a command, without dashes and in the order of its help; NULL
 * beyond the last. */
GPA_API const char *gpa_study_option(const char *command, size_t i);

/** The model, in place of the option "model", which then only names it in reports; it
 * stays the caller's and must outlive the study. */
GPA_API void gpa_study_set_model(gpa_study *s, gpa_model *m);

/**
 * A function as the model, likewise; the study makes a model of it. `d` says how many
 * inputs it has (0: as many as the data gives), `names` what they are called (NULL: not
 * known); they are borrowed until the study is open.
 */
GPA_API void gpa_study_set_predict(gpa_study *s, gpa_predict_fn predict, void *ctx,
                                   size_t d, const char *const *names);

/**
 * Reference rows, in place of the option "reference"; the table stays the caller's and
 * must outlive the study. `observed`: it has the target's column too, and the noise,
 * the units and what is plausible are judged by these rows alone, and not by those of
 * the data: what suits new rows, also a single one.
 */
GPA_API void gpa_study_set_reference(gpa_study *s, const gpa_table *table,
                                     bool observed);

/** Told how far it is, from the calling thread; non-zero ends in GPA_STOPPED. */
GPA_API void gpa_study_set_progress(gpa_study *s, gpa_progress_fn progress, void *ctx);

/**
 * Resolves the question: opens the model, reads the data, decides which columns are
 * what, predicts and scores every row, finds units, limits and the chosen rows. Once.
 */
GPA_API GPA_CHECKED gpa_status gpa_study_open(gpa_study *s, gpa_error *err);

/**
 * The first part of it alone: the model, the table, which columns are what. Nothing is
 * asked of the model. gpa_study_rows, _dim, _input, _target and _x are there
 * afterwards, and options about rows and inputs, and reference rows, can still be set;
 * then gpa_study_open does the rest.
 */
GPA_API GPA_CHECKED gpa_status gpa_study_open_rows(gpa_study *s, gpa_error *err);

/** What was decided and the user should know, one line each; NULL at the end. Also
 * there when gpa_study_open failed. */
GPA_API const char *gpa_study_note(const gpa_study *s, size_t i);

/** What was resolved; borrowed, and there until the study is freed. */
GPA_API size_t gpa_study_rows(const gpa_study *s);
GPA_API size_t gpa_study_dim(const gpa_study *s);
GPA_API gpa_model *gpa_study_model(const gpa_study *s);
GPA_API const char *gpa_study_input(const gpa_study *s, size_t k);     /* its name */
GPA_API const gpa_input *gpa_study_kind(const gpa_study *s, size_t k); /* what it is */
GPA_API const char *gpa_study_target(const gpa_study *s);
GPA_API const double *gpa_study_x(const gpa_study *s); /* rows by dim, row-major */
GPA_API const double *gpa_study_y(const gpa_study *s);
GPA_API const double *gpa_study_f(const gpa_study *s);
GPA_API const double *
gpa_study_score(const gpa_study *s); /* eq. 1; NaN without sigma */
GPA_API double gpa_study_sigma(const gpa_study *s);
GPA_API double gpa_study_collective(const gpa_study *s); /* mean score, eq. 2 */
GPA_API const double *gpa_study_center(const gpa_study *s);
GPA_API const double *gpa_study_unit(const gpa_study *s);

/** The rows that the options choose, in the order to show. */
GPA_API const size_t *gpa_study_chosen(const gpa_study *s, size_t *n);

/** What reports say about this question, ready to be given to them; borrowed. */
GPA_API const gpa_report_info *gpa_study_info(const gpa_study *s);

/**
 * Explains `n` rows, each on its own on as many workers as "threads" says, or all of
 * them `together` by one shared change; `rows` NULL: the chosen ones, and with the
 * option "collective" together. Every explanation is handed to `sink` in the order of
 * the rows, from the calling thread, and freed afterwards. The same bytes at any number
 * of threads.
 */
GPA_API GPA_CHECKED gpa_status gpa_study_explain(gpa_study *s, const size_t *rows,
                                                 size_t n, bool together,
                                                 gpa_explanation_sink sink, void *ctx,
                                                 gpa_error *err);

/**
 * The same for a caller who keeps them: `out` has room for as many as there are, and
 * receives explanations that are to be freed; none when it fails.
 */
GPA_API GPA_CHECKED gpa_status gpa_study_explanations(gpa_study *s, const size_t *rows,
                                                      size_t n, bool together,
                                                      gpa_explanation **out,
                                                      gpa_error *err);

/** Every method on `n` rows (NULL: the chosen ones), to be freed. */
GPA_API GPA_CHECKED gpa_status gpa_study_compare(gpa_study *s, const size_t *rows,
                                                 size_t n, gpa_comparison **out,
                                                 gpa_error *err);

#ifdef __cplusplus
}
#endif
#endif

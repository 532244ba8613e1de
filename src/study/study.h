#ifndef GPAI_STUDY_STUDY_H
#define GPAI_STUDY_STUDY_H
#include "study/options.h"
#include "study/other_methods.h"
#include "study/rows.h"
#include "study/settings.h"
#include <gpa/study.h>

#define GPAI_NO_COLUMN SIZE_MAX

enum { GPAI_STUDY_NOTES = 16, GPAI_STUDY_NOTE_SIZE = 512 };

/* A question and everything that was resolved for it. */
struct gpa_study {
    gpai_options given;
    void **kept; /* texts and numbers of options that were set one by one; owned */
    size_t n_kept;
    gpa_progress_fn progress;
    void *progress_ctx;

    gpa_model *model, *own_model; /* own: to be freed */
    struct {                      /* a model is to be made of it; NULL: there is one */
        gpa_predict_fn predict;
        void *ctx;
        size_t d;
        const char *const *names; /* d, or NULL */
    } function;
    const gpa_table *table;
    gpa_table *own_table;
    const gpa_table *reference_table; /* NULL: --reference, if anything wants it */
    bool observed;                    /* the reference has the target, too */

    size_t n, d;
    size_t target, id;   /* columns; id is GPAI_NO_COLUMN without --id */
    size_t *columns;     /* d, the inputs in the model's order */
    const char **inputs; /* d, their names; borrowed from the table */
    gpa_input *kinds;    /* d: what they are */
    const char **ids;    /* n, or NULL; borrowed */
    double *block;       /* owns the arrays below */
    double *x, *f, *score, *center, *unit;
    const double *y;
    gpa_sample sample;        /* all rows */
    double sigma, collective; /* NaN when nobody needs them and they are not known */
    double *reference_block;  /* owns the rows of `reference` */
    gpa_sample reference;     /* with y and f when it is observed; empty: not used */
    char model_digest[GPA_DIGEST_SIZE];

    gpai_chosen chosen;
    gpa_explain_options explain; /* borrows from the rest */
    double *slopes, *start;      /* read from files */
    gpai_limit_options limits;
    gpai_other_methods others;

    gpa_background all;    /* the rows for reports */
    gpa_background shown;  /* all of them, or some of very many */
    size_t *shown_rows;    /* owned by `shown` */
    double *shown_numbers; /* likewise */
    gpa_text *record;      /* the options as JSON */
    gpa_report_info info;
    bool begun, rows_open, opened, ready; /* twice is a mistake */

    char notes[GPAI_STUDY_NOTES][GPAI_STUDY_NOTE_SIZE];
    size_t n_notes;
};

/* What the options of a command line ask; they are borrowed. */
gpa_status gpai_study_from(gpa_study **out, const gpai_options *given, gpa_error *err);

/* The model alone; the model and the inputs of the table's rows, nothing asked yet:
 * what gpa_study_open begins with. */
gpa_status gpai_study_open_model(gpa_study *s, gpa_error *err);
gpa_status gpai_study_open_rows(gpa_study *s, gpa_error *err);

/* Predictions, scores; then units and the reference rows. */
gpa_status gpai_study_open_scores(gpa_study *s, gpa_error *err);
gpa_status gpai_study_open_units(gpa_study *s, gpa_error *err); /* units.c */

/* "sha256:…" of the bytes of a file, whatever is in it. */
gpa_status gpai_study_digest(const char *path, char digest[GPA_DIGEST_SIZE],
                             gpa_error *err);

/* Which columns are the target, the id and the model's inputs (columns.c). */
gpa_status gpai_choose_columns(gpa_study *s, gpa_error *err);

/* Writes down the options and fills s->info, what reports say (info.c). */
gpa_status gpai_study_describe(gpa_study *s, gpa_error *err);

/* Adds a note; beyond the last place it is dropped. */
void gpai_study_say(gpa_study *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

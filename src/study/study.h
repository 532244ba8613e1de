#ifndef GPAI_STUDY_STUDY_H
#define GPAI_STUDY_STUDY_H
#include "engine/explain.h"
#include "study/inputs.h"
#include "study/kinds.h"
#include "study/options.h"
#include "study/other_methods.h"
#include "study/rows.h"
#include "study/settings.h"
#include <gpa/study.h>

#define GPAI_NO_COLUMN SIZE_MAX

/* An option and its value, by name. */
typedef struct gpai_setting {
    const char *name, *value;
} gpai_setting;

/* An input, or the target (d), as it is taken to be. */
typedef struct gpai_edit {
    size_t input;
    double value;
} gpai_edit;

enum { GPAI_STUDY_NOTES = 32, GPAI_STUDY_NOTE_SIZE = 1024 };

/* A question and everything that was resolved for it. */
struct gpa_study {
    const gpa_study *base; /* what is resolved belongs to it; NULL: to this one */
    gpai_options given;
    void **kept; /* texts and numbers of options that were set one by one; owned */
    size_t n_kept;
    gpa_progress_fn progress, scoring;
    void *progress_ctx, *scoring_ctx;
    gpa_stage_fn stage;
    void *stage_ctx;

    gpa_model *model, *own_model; /* own: to be freed */
    struct {                      /* a model is to be made of it; NULL: there is one */
        gpa_predict_fn predict;
        void *ctx;
        size_t d;
        const char *const *names; /* d, or NULL */
    } function;
    const gpa_table *table;
    gpa_table *own_table;
    const gpa_table *reference_table; /* NULL: --reference, or none */
    gpa_table *own_reference;
    size_t *reference_columns; /* d: the inputs in it */
    bool observed;             /* it has the target, too, and says what is normal */
    bool by_reference;         /* it says what the inputs are, not the file */
    size_t stuck; /* an input that changes in it, but not in the file; d: none */

    size_t n, d;
    size_t target, id;    /* columns; id is GPAI_NO_COLUMN without --id */
    size_t *columns;      /* d, the inputs in the model's order */
    const char **inputs;  /* d, their names; borrowed from the table */
    const char **called;  /* d: the same without units, for reports */
    const char **measure; /* d: what they are measured in; NULL: not known */
    const char *target_called, *target_measure;
    gpai_source *sources;   /* d: where their numbers come from */
    gpai_known_kinds known; /* what they are, and why */
    gpai_known_kinds found; /* the same before limits were set; empty: there are none */
    gpai_known_kinds followed; /* from gpai_study_await: the same, but for inputs that
                                  never changed; those by what is normal now */
    gpa_input *kinds, *own_kinds; /* d: what they are; owned by `known`, or own */
    const char **ids;             /* n, or NULL; borrowed */
    double *block;                /* owns the arrays below */
    double *x, *f, *score, *center, *unit;
    const double *y;
    unsigned char *unfit; /* n: non-zero: left out */
    size_t n_unfit;
    gpa_sample sample; /* the rows that can be used; all that anything rests on */
    size_t *row;       /* sample.n: where each stands in the data; NULL: i-th is i */
    size_t *place;     /* n: where a row stands in `sample`; NULL: i-th is i */
    double *fit_block; /* owns the sample and these where rows were left out */
    double sigma, collective; /* NaN when nobody needs them and they are not known */
    double *reference_block;  /* owns the rows of `reference` */
    gpa_sample reference;     /* with y and f when it is observed; empty: not used */
    char model_digest[GPA_DIGEST_SIZE];

    gpai_chosen chosen;
    gpai_edit *edits; /* --set: the rows are explained with these values */
    size_t n_edits;
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
    bool own_rows;     /* the rows are the caller's own: own.c */
    gpa_text *own_csv; /* as a file would have them */
    char own_digest[GPA_DIGEST_SIZE];
    bool begun, rows_open, kinds_open, opened, ready; /* twice is a mistake */

    char notes[GPAI_STUDY_NOTES][GPAI_STUDY_NOTE_SIZE];
    bool told[GPAI_STUDY_NOTES]; /* it is in the reports, too */
    size_t n_notes;
    char taken[GPAI_STUDY_NOTE_SIZE];       /* "taken as: …" */
    const char *tell[1 + GPAI_STUDY_NOTES]; /* it and those, for the reports */
    size_t n_tell;
};

/* What the options of a command line ask; they are borrowed. */
gpa_status gpai_study_from(gpa_study **out, const gpai_options *given, gpa_error *err);

/* The model alone; the model and the inputs of the table's rows, nothing asked yet:
 * what gpa_study_open begins with. */
gpa_status gpai_study_open_model(gpa_study *s, gpa_error *err);
gpa_status gpai_study_open_rows(gpa_study *s, gpa_error *err);

/* All that is known before the model is asked: the rows, and what the inputs are. */
gpa_status gpai_study_open_kinds(gpa_study *s, gpa_error *err);

/* The inputs lie in x by then: a long table need not be kept twice. */
void gpai_study_let_columns_go(gpa_study *s);

/* Told, while gpa_study_open asks the model about all rows in their order, how many
 * have their prediction. Non-zero: enough, the others are left out. */
void gpai_study_set_scoring(gpa_study *s, gpa_progress_fn scoring, void *ctx);

/* Predictions, scores; then units and the reference rows. */
gpa_status gpai_study_open_scores(gpa_study *s, gpa_error *err);
gpa_status gpai_study_open_units(gpa_study *s, gpa_error *err); /* units.c */

/* The reference in steps (units.c): its table and columns; its rows, as numbers; where
 * it is observed, its outcomes and predictions. */
gpa_status gpai_study_open_reference(gpa_study *s, gpa_error *err);
gpa_status gpai_study_take_reference(gpa_study *s, gpa_error *err);
gpa_status gpai_study_observe(gpa_study *s, gpa_error *err);

/* The inputs (inputs.c): which are texts, and their codes; once the reference is there,
 * what they are, and the model is told; their numbers. gpai_study_fill: the inputs of a
 * table as a row-major matrix. */
gpa_status gpai_study_find_input(const gpa_study *s, const char *option,
                                 const char *name, size_t length, size_t *input,
                                 gpa_error *err); /* settings.c */
/* The first column of the inferred one-hot group that is called so (settings.c). */
bool gpai_study_find_group(const gpa_study *s, const char *name, size_t length,
                           size_t *input);
/* The input that COL=REST names, the longest such name, as both may hold "=", with its
 * unit or without, and how long that name is; s->d: it is none. settings.c */
size_t gpai_study_named(const gpa_study *s, const char *text, size_t *length);
gpa_status gpai_study_open_sources(gpa_study *s, gpa_error *err);
/* A value of input k, or of the target (d), from text: a number, a date, a level by its
 * name, or nothing for a missing one (settings.c). */
gpa_status gpai_study_read_value(const gpa_study *s, size_t k, const char *text,
                                 double *value, gpa_error *err);
gpa_status gpai_study_open_inputs(gpa_study *s, gpa_error *err);
gpa_status gpai_study_take_inputs(gpa_study *s, gpa_error *err);
void gpai_study_close_inputs(gpa_study *s);
gpa_status gpai_study_fill(const gpa_study *s, const gpa_table *t,
                           const size_t *columns, double *x, gpa_error *err);

/* What is known of the column of input k before its kind is. */
gpai_kind_column gpai_study_kind_column(const gpa_study *s, size_t k);

/* The numbers of input k, one per row of the file or of the reference. */
const double *gpai_study_column(const gpa_study *s, size_t k, bool reference);

/* Inputs that never change (constant.c). Who says what the inputs are: the file, or the
 * reference where it has more rows, or where an input changes that is the same in all
 * rows of the file; the latter is said once the kinds are known. */
void gpai_study_find_judge(gpa_study *s);
void gpai_study_tell_stuck(gpa_study *s);
/* Rows that have another value in an input that never changes may go back: those of the
 * file, which is said, or others. For good. */
gpa_status gpai_study_suspect(gpa_study *s, gpa_error *err);
gpa_status gpai_study_suspect_rows(gpa_study *s, const gpa_sample *normal,
                                   const gpa_sample *rows, gpa_error *err);
/* The same for one explanation after the other, of a study from gpai_study_await. What
 * an input that never changed is now, by these rows: one level, the value that it
 * always has, or whatever is inferred from them if they have several. Then s->kinds for
 * other rows: it is held while they have the value that it always has. Nothing of rows
 * that were explained before is left in it. */
gpa_status gpai_study_follow(gpa_study *s, const gpa_sample *normal, gpa_error *err);
void gpai_study_suspect_now(gpa_study *s, const gpa_sample *normal,
                            const gpa_sample *rows);

/* "sha256:…" of a file of data, as its table has it. */
gpa_status gpai_study_digest(const char *path, char digest[GPA_DIGEST_SIZE],
                             gpa_error *err);

/* Names without units, and units, as columns and --units say (measures.c). */
gpa_status gpai_study_take_measures(gpa_study *s, gpa_error *err);

/* A copy that lives as long as the study; NULL without memory. */
char *gpai_study_keep_text(gpa_study *s, const char *text, size_t length);

/* Which columns are the target, the id and the model's inputs (columns.c). */
gpa_status gpai_choose_columns(gpa_study *s, gpa_error *err);

/* Writes down the options and fills s->info, what reports say (info.c). */
gpa_status gpai_study_describe(gpa_study *s, gpa_error *err);

/* Another question about the rows of a study that is open: `given` are its options, or
 * those of them that hold here, and `more` are added. All that was resolved stays;
 * rows, changes, limits and settings are chosen anew. It has a model of its own, a
 * clone, which stays the caller's as does `base`; different ones may be asked at the
 * same time. again.c */
gpa_status gpai_study_again(gpa_study **out, const gpa_study *base,
                            const gpai_options *given, const char *command,
                            const gpai_setting *more, size_t n, gpa_model *model,
                            gpa_error *err);

/* The same in steps: what is resolved; the options (each adds to those before, rows are
 * chosen anew); the rest. */
gpa_status gpai_study_begin_again(gpa_study **out, const gpa_study *base,
                                  const gpai_options *given, const char *command,
                                  gpa_model *model, gpa_error *err);
gpa_status gpai_study_take_settings(gpa_study *s, const gpai_setting *more, size_t n,
                                    gpa_error *err);
gpa_status gpai_study_end_again(gpa_study *s, gpa_error *err);

/* n rows of the caller's own in place of those of a study that is open, which say what
 * is normal: what `gpa explain --reference FILE` asks. `cells` are d inputs and the
 * target of each as text (NULL: missing), `ids` their names, or NULL. own.c */
gpa_status gpai_study_own(gpa_study **out, const gpa_study *base,
                          const gpai_options *given, const char *command,
                          const gpai_setting *more, size_t n_more,
                          const char *const *cells, const char *const *ids, size_t n,
                          gpa_model *model, gpa_error *err);

/* The same with rows that are still to come: all that can be settled once, with the
 * model of `base`. */
gpa_status gpai_study_await(gpa_study **out, const gpa_study *base,
                            const gpai_options *given, gpa_error *err);

/* What new rows are judged by, as it stands by now. */
typedef struct gpai_normal {
    gpa_sample rows;    /* with y and f */
    const double *unit; /* d */
    double sigma;
    gpai_known *known; /* found for the rows above; NULL: nothing yet */
} gpai_normal;

/* To be called when any of it has changed, and at the end. */
void gpai_normal_forget(gpai_normal *n);

/* Predictions of new rows, which messages call `word` and their numbers. */
gpa_status gpai_study_predict(const gpa_study *s, const double *x, size_t n,
                              const char *word, const size_t *number, double *f,
                              gpa_error *err);

/* Who is responsible for what is strange about rows, f of which is known, all of them
 * together: the first stage of an explanation. `s` is from gpai_study_await. */
gpa_status gpai_study_blame(gpa_study *s, const gpa_sample *rows, gpai_normal *normal,
                            gpa_explanation **out, gpa_error *err);

/* The words of a command line that asks this question, for a shell; `ends` are more of
 * its words, or NULL. again.c */
void gpai_study_command(gpa_text *t, const gpa_study *s, const char *ends);

/* Shown every explanation after its stages (gpa_explain_options.stage). */
void gpai_study_set_stage(gpa_study *s, gpa_stage_fn stage, void *ctx);

/* The chosen rows as they are asked about, with what --set makes of them: n by d, and n
 * each; f is asked of the model. To be freed with gpai_free: x is the block. */
gpa_status gpai_study_edited(gpa_study *s, double **x, double **y, double **f,
                             gpa_error *err);

/* Adds a note; beyond the last place it is dropped. `tell`: it changes the reading of
 * the answers, so every report has it. */
void gpai_study_say(gpa_study *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gpai_study_tell(gpa_study *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What sigma is, where it comes from reference rows. */
void gpai_study_tell_sigma(gpa_study *s);

/* Predictions of the rows; those that cannot be used are left out, said, and counted
 * (usable.c). */
gpa_status gpai_study_open_usable(gpa_study *s, gpa_error *err);

/* Leaves a row out for the reason `why` (or, --strict, refuses it); reasons count from
 * 1, and have names, those of "left_out" in scores; NULL: there is no such. */
gpa_status gpai_study_leave_out(gpa_study *s, size_t row, int why, gpa_error *err);
const char *gpai_study_unfit_name(int why);
/* Why rows with missing inputs are left out: it is the model, or the way to it. */
const char *gpai_study_refuser(const gpa_study *s);

/* The predictions of a file of scores (--scores) in place of the model's
 * (jobs/scored.c). */
gpa_status gpai_study_take_scored(gpa_study *s, gpa_error *err);

/* Why a row that was left out cannot be asked for: never GPA_OK. */
gpa_status gpai_study_refuse(const gpa_study *s, size_t row, gpa_error *err);

/* The kinds again, to be changed; what they point to stays where it is. again.c */
gpa_status gpai_study_copy_kinds(gpai_known_kinds *to, const gpai_known_kinds *from,
                                 gpa_error *err);

/* "taken as: …", for the reports. */
gpa_status gpai_study_tell_kinds(gpa_study *s, gpa_error *err);

/* What is strange about the whole table, as notes (looks.c). */
gpa_status gpai_study_look(gpa_study *s, gpa_error *err);
/* The part of it that is about the chosen rows. */
void gpai_study_look_together(gpa_study *s);
/* Numbers far from all that is usual, where rows are only scored. */
void gpai_study_look_far(gpa_study *s);

#endif

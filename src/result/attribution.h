#ifndef GPAI_RESULT_ATTRIBUTION_H
#define GPAI_RESULT_ATTRIBUTION_H
#include <gpa/attribute.h>

enum { GPAI_ATTRIBUTION_NOTES = 4, GPAI_ATTRIBUTION_NOTE_SIZE = 200 };

/* What every method of the comparison fills. */
struct gpa_attribution {
    const gpa_method *method;
    size_t d;
    double *score; /* d; owns the block that sd is part of, too */
    double *sd;    /* d */
    bool has_sd;
    double *responsible; /* d, where has_responsible, and P(no input) */
    bool has_responsible;
    double output;
    gpa_explanation *explanation; /* what gpa found there, owned; NULL of others, and of
                                     one that was read, which has the words instead */
    gpa_verdict verdict;
    char *verdict_text;   /* owned, or NULL */
    uint64_t rows, calls; /* asked of the model */
    size_t iterations;
    bool converged;
    const char *extra_name; /* static text, or extra_room, or NULL */
    char extra_room[48];    /* for a name that was read */
    double extra;
    double eta, sigma; /* what gpa settled on, for lc to share; else NaN */
    char notes[GPAI_ATTRIBUTION_NOTES][GPAI_ATTRIBUTION_NOTE_SIZE];
    size_t n_notes;
};

/* Zero scores, converged, nothing asked. */
gpa_status gpai_attribution_new(gpa_attribution **out, const gpa_method *method,
                                size_t d, gpa_error *err);

/* Adds a line the user should read; beyond the last place it is dropped. */
void gpai_attribution_note(gpa_attribution *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

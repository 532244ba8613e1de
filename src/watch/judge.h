#ifndef GPA_WATCH_JUDGE_H
#define GPA_WATCH_JUDGE_H
#include "watch/normal.h"

/* Rows, several at a time: the model is asked once for all of them, then each is judged
 * in its turn. */

enum { BATCH_ROWS = 256 };

/* A line, whatever came of it. */
struct item {
    enum trouble trouble; /* FINE: it is row number `row` of the batch */
    bool late;            /* no line: something that is over */
    bool waits;           /* it is half a row, whose other half is to come */
    size_t row;
    uint64_t line; /* its number in the stream, from 1 */
    uint64_t count;
    size_t id, why; /* where these begin in `texts`; SIZE_MAX: none */
};

struct counts {
    uint64_t lines, rows, anomalies, duplicates, dropped;
    uint64_t problems[TROUBLES];
    uint64_t explanations, model_failures;
    double model_seconds;
};

/* Something was said. */
typedef gpa_status judge_said_fn(void *ctx, gpa_error *err);

struct judge {
    judge_said_fn *said; /* called after each explanation: somebody waits for it */
    void *said_ctx;
    gpa_study *study; /* from gpai_study_await */
    const gpa_study *base;
    struct normal normal;
    struct episodes episodes;
    struct records records;
    struct counts counts;
    bool warming; /* these rows say what is normal: they are scored only */
    bool rebase;
    uint64_t rebase_after;
    uint64_t at; /* rows so far */
    size_t
        limit; /* rows of a batch: few while many are explained, as that takes time */
    size_t d, n, rows;
    struct item item[4 * BATCH_ROWS];
    double *block, *x, *y, *f, *score, *blame;
    size_t line[BATCH_ROWS];    /* that each row stands on */
    size_t failure[BATCH_ROWS]; /* why it has no prediction, in `texts` */
    gpa_text *texts;
};

gpa_status judge_open(struct judge *j, const gpa_study *base,
                      const gpai_options *explain, const gpai_options *a,
                      gpa_error *err);
void judge_close(struct judge *j);

/* Room for another row of inputs; to be judged when it is full. There is always room
 * for a few items that are no rows. */
double *judge_room(struct judge *j);
bool judge_full(const struct judge *j);
/* What came of a line, by its number; FINE: a row whose inputs stand in judge_room. */
void judge_add(struct judge *j, enum trouble t, bool waits, uint64_t line,
               const char *id, const char *why, double y);

/* Something to say besides, about n lines before this one. */
void judge_late(struct judge *j, enum trouble t, const char *id, const char *why,
                uint64_t n);

/* Judges all of them; what is to be said is in records.text. */
gpa_status judge_all(struct judge *j, gpa_error *err);

/* Nothing will follow: open episodes end, unless there is to be a line out per line in.
 */
gpa_status judge_end(struct judge *j, gpa_error *err);

#endif

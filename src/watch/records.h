#ifndef GPA_WATCH_RECORDS_H
#define GPA_WATCH_RECORDS_H
#include "study/options.h"
#include "watch/episodes.h"

/* What is in force: it is in every record. */
struct force {
    double sigma;
    double threshold; /* the score beyond which a row is an anomaly */
    double offset;    /* y is judged less this */
    uint64_t renewed; /* rows of the reference that were replaced so far */
};

/* What is said: lines of JSON (gpa-watch/1), or on a terminal lines for people. */

struct records {
    gpa_text *text;  /* to be written out */
    gpa_text *aside; /* --every: events of the line at hand */
    gpa_report_info info;
    const struct force *force;
    bool every, rows, episodes;
    bool people;   /* a terminal */
    bool begun;    /* a record has begun and is to be ended */
    uint64_t live; /* the episode whose line is the last on the terminal */
};

gpa_status records_open(struct records *r, const gpa_study *s,
                        const struct force *force, const gpai_options *a,
                        gpa_error *err);
void records_close(struct records *r);

/* A row that was judged; `e` of an anomaly, NULL otherwise. */
struct judged {
    const char *id;
    double y, f, score;
    const struct episode *episode; /* NULL: none */
    bool warm_up;
    const char *waits; /* why there is no score yet; NULL: there is */
};
gpa_status record_row(struct records *r, const struct judged *j,
                      const gpa_explanation *e, gpa_error *err);

/* "open", "update", "close" or "new-normal". `why` an episode ended; or NULL. */
gpa_status record_episode(struct records *r, const char *event, const char *why,
                          const struct episode *x, const gpa_explanation *e,
                          gpa_error *err);

/* A line that is no row, and its number (0: its id tells). */
void record_problem(struct records *r, enum trouble t, const char *id, uint64_t line,
                    const char *text);
/* The same for what is no line of its own: it came of n others. */
void record_late(struct records *r, enum trouble t, const char *id, const char *text,
                 uint64_t n);

/* All of a line was said. */
void record_end(struct records *r);

#endif

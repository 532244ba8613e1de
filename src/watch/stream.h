#ifndef GPA_WATCH_STREAM_H
#define GPA_WATCH_STREAM_H
#include "console/out.h"
#include "watch/judge.h"
#include "watch/lines/seen.h"
#include "watch/lines/warm.h"
#include <sys/stat.h>

/* Where the lines that were judged end, to go on there. */
struct position {
    uint64_t bytes;  /* from the beginning of the file */
    uint64_t last;   /* of them: the last line, with its end; of a long one its end */
    uint64_t key;    /* of these */
    uint64_t inside; /* the rest of that line, which was too long, is passed over */
    uint64_t number; /* lines of it, a header among them */
};

/* A watch as a whole. */
struct watch {
    const gpai_options *a;
    gpai_options explain; /* the question about each row */
    gpa_table *reference;
    gpa_study *base;
    struct lines lines;
    struct fields fields;
    struct warm warm;
    struct judge judge;
    struct seen seen;     /* with --id */
    struct halves halves; /* with --wait */
    uint64_t taken;       /* lines with inputs, as --wait counts */
    struct outputs outputs;
    struct out out;
    gpa_text *header; /* the first line of CSV */
    struct position position;
    uint64_t written; /* --out: how long it is */
    uint64_t out_key; /* of its end; 0: it is no file (place_out_key) */
    gpa_text *state;  /* --state: what the file held */
    size_t state_at;
    struct stat state_file; /* as we left it, or found it; st_ino 0: not yet */
    double saved;           /* when it was saved last, in seconds */
    bool unsaved;           /* something happened since */
    uint64_t save_failures;
    double lag; /* seconds from reading lines to having said all of them */
    struct metrics *metrics;
    gpa_text *counters; /* for them */
    bool open;          /* what is normal is known */
    bool begun;         /* what the lines are is known */
};

#endif

#ifndef GPA_LAB_PLANTED_MARKS_H
#define GPA_LAB_PLANTED_MARKS_H
#include "console/terminal.h"
#include "lab/planted/methods.h"

/* How well a method did on a case, by measure. NaN: does not apply. */
enum measure {
    RECALL, /* share of the culprits among as many first ones; ties share it */
    OUTPUT, /* P(the output is at fault) */
    HOLDS,  /* 1 when the 90 % set holds the culprit */
    SIZE,   /* of the 90 % set */
    ERROR,  /* relative, of the move of the culprit */
    ROWS,   /* model rows */
    /* of those that give probabilities and a verdict */
    RIGHT,       /* 1 when it says input and its first one is the culprit */
    WRONG,       /* 1 when it says input and its first one is not */
    ACCUSES,     /* 1 when it says input though the output is at fault */
    SURPRISE,    /* -ln P(the culprit), were one input at fault */
    SURE,        /* the largest such P */
    HIT,         /* 1 when that is the culprit's */
    IMPOSSIBLE,  /* 1 when what it proposes for its first one cannot exist */
    SAYS_OUTPUT, /* 1 when it says that y or the model is at fault */
    SAYS_TIED,   /* 1 when it says that it cannot tell */
    SAYS_NORMAL, /* 1 when it sees nothing unusual */
    MEASURES
};

struct mark {
    double of[MEASURES];
};

/* Every method on every case. */
struct marking {
    const struct fault_set *set;
    const struct asked_method *const *methods;
    size_t n_methods;
    uint64_t seed;
    struct mark *marks; /* [method * n_faults + case] */
    struct progress *progress;
};

/* Works on `threads` workers; the marks do not depend on their number. */
gpa_status marks_take(struct marking *m, size_t threads, gpa_error *err);

#endif

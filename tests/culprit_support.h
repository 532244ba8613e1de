#ifndef TEST_CULPRIT_SUPPORT_H
#define TEST_CULPRIT_SUPPORT_H

/* What the tests of the culprit search share. */
#include "support.h"

#include "engine/culprit/culprit.h"

/* One question to the culprit search, from rows to verdict. */
struct question {
    gpa_model *model;
    size_t n, d;
    const double *x, *y, *unit, *f;
    const gpai_limits *limits;
    gpai_culprit_options opt;
};

struct answer {
    gpai_problem p;
    gpai_space s;
    gpai_profile r;
    gpai_culprit c;
};

static inline gpa_status look(struct answer *a, const struct question *q,
                              gpa_error *err)
{
    *a = (struct answer){.p = {.model = q->model,
                               .n = q->n,
                               .d = q->d,
                               .x = q->x,
                               .y = q->y,
                               .unit = q->unit,
                               .a = 1,
                               .eta = 2,
                               .nu = 0.1}};
    gpa_status st = gpai_space_open(&a->s, &a->p, q->limits, err);
    if (st == GPA_OK)
        st = gpai_problem_open(&a->p, gpai_culprit_rows(&a->s, q->n), err);
    if (st == GPA_OK)
        st = gpai_culprit_ask(&a->r, &a->p, &a->s, q->opt.sigma, q->f, err);
    if (st == GPA_OK)
        st = gpai_culprit_weigh(&a->c, &a->p, &a->s, &a->r, &q->opt, err);
    return st;
}

static inline void forget(struct answer *a)
{
    gpai_culprit_close(&a->c);
    gpai_profile_close(&a->r);
    gpai_problem_close(&a->p);
    gpai_space_close(&a->s);
}

static inline void look_well(struct answer *a, const struct question *q)
{
    gpa_error err = {GPA_OK, ""};
    if (look(a, q, &err) != GPA_OK)
        fail_msg("%s", err.message);
}

#endif

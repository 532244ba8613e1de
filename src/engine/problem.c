#include "engine/problem.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/workspace.h"

/* A probe buffer beyond this many doubles (32 MiB) buys no speed any more; a call is
 * then handed to the model in several pieces. */
enum { MOST_DOUBLES = 1 << 22 };

static size_t fitting_rows(const gpai_problem *p, size_t largest)
{
    size_t rows = MOST_DOUBLES / (p->d > 0 ? p->d : 1);
    size_t batch = gpa_model_batch(p->model);
    if (rows > batch)
        rows = batch;
    if (rows > largest)
        rows = largest;
    return rows > 0 ? rows : 1;
}

static size_t lay_out(gpai_problem *p, double *base, bool *overflow)
{
    gpai_arena a = {.base = base};
    p->probe = gpai_take(&a, p->capacity, p->d);
    p->base = gpai_take(&a, p->n, p->d);
    *overflow = a.overflow;
    return a.used;
}

gpa_status gpai_problem_open(gpai_problem *p, size_t largest, gpa_error *err)
{
    bool overflow;
    p->capacity = fitting_rows(p, largest);
    size_t need = lay_out(p, NULL, &overflow);
    p->block = overflow ? NULL : gpai_calloc(need, sizeof *p->block);
    if (p->block == NULL)
        return gpai_nomem(err, "explain");
    lay_out(p, p->block, &overflow);
    return GPA_OK;
}

void gpai_problem_close(gpai_problem *p)
{
    gpai_free(p->block);
    p->block = NULL;
}

bool gpai_problem_affords(const gpai_problem *p, uint64_t rows)
{
    return p->budget == 0 || (p->rows <= p->budget && rows <= p->budget - p->rows);
}

#include "engine/problem.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/workspace.h"

/* A probe buffer beyond this many doubles (32 MiB) buys no speed any more; a call is
 * then handed to the model in several pieces. Chosen: more than any cache holds. */
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

static void lay_out(void *work, gpai_arena *a)
{
    gpai_problem *p = work;
    p->probe = gpai_take(a, p->capacity, p->d);
    p->base = gpai_take(a, p->n, p->d);
}

gpa_status gpai_problem_open(gpai_problem *p, size_t largest, gpa_error *err)
{
    p->capacity = fitting_rows(p, largest);
    p->block = gpai_carve(lay_out, p);
    return p->block != NULL ? GPA_OK : gpai_nomem(err, "explain");
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

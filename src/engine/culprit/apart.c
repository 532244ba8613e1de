#include "engine/culprit/apart.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include <math.h>

/* What the rows say one by one. */
struct apart {
    gpai_single *row; /* axes: of the row at hand */
    double *share;    /* axes by GPAI_MOVES_MOST: mean over the rows */
    double *log;      /* axes: ln of the product of their evidence */
    double *block;
    size_t axes;
};

static void lay_out(void *work, gpai_arena *a)
{
    struct apart *w = work;
    w->row = gpai_take_bytes(a, w->axes, sizeof *w->row);
    w->share = gpai_take(a, w->axes, GPAI_MOVES_MOST);
    w->log = gpai_take(a, w->axes, 1);
}

/* Adds a cell's share to the cells of another line, as far as they lie in it; what is
 * beyond its ends is at them. *at: the first that may have some of it. */
static void add_cell(const gpai_single *line, double left, double right, double share,
                     size_t *at, double *to)
{
    size_t last = line->count - 1;
    while (*at < last && line->edge[*at + 1] <= left)
        ++*at;
    double width = right - left;
    for (size_t i = *at; i <= last; i++) {
        double from = i == 0 ? left : fmax(left, line->edge[i]);
        double end = i == last ? right : fmin(right, line->edge[i + 1]);
        bool all = !(width > 0) || !isfinite(width);
        if (all || end > from)
            to[i] += share * (all ? 1 : (end - from) / width);
        if (all || i == last || line->edge[i + 1] >= right)
            return;
    }
}

/* Adds the shares of a row's places to those of the same axis. */
static void add_row(const gpai_single *row, const gpai_single *all, double part,
                    double *to)
{
    bool none = !isfinite(row->log_evidence);
    for (size_t i = 0, at = 0; i < row->count; i++) {
        double share = part * (none ? 1 / (double)row->count
                                    : exp(row->log[i] - row->log_evidence));
        if (row->line)
            add_cell(all, row->edge[i], row->edge[i + 1], share, &at, to);
        else
            to[i] += share;
    }
}

/* Both ideas about one axis. */
static double join(const double *share, double apart, gpai_single *one)
{
    double both = gpai_log_add(one->log_evidence, apart);
    double varies = isfinite(both) ? exp(apart - both) : 0;
    for (size_t i = 0; i < one->count && isfinite(both); i++)
        one->log[i] =
            both + log((isfinite(one->log_evidence) ? exp(one->log[i] - both) : 0) +
                       varies * share[i]);
    one->log_evidence = both;
    return varies;
}

gpa_status gpai_apart_singles(const gpai_evidence *e, const bool *blind,
                              gpai_single *one, double *varies, gpa_error *err)
{
    struct apart w = {.axes = e->s->axes};
    gpai_evidence row = *e;
    w.block = gpai_carve(lay_out, &w);
    if (w.block == NULL)
        return gpai_nomem(err, "culprit");
    gpa_status st = GPA_OK;
    row.order = NULL;
    for (size_t j = 0; j < e->rows && st == GPA_OK; j++) {
        row.first = gpai_evidence_row(e, j);
        row.rows = 1;
        row.gains = false; /* of all rows together: some may be as they should */
        st = gpai_singles_weigh(&row, w.row, err);
        for (size_t i = 0; i < w.axes && st == GPA_OK; i++) {
            w.log[i] += w.row[i].log_evidence;
            add_row(&w.row[i], &one[i], 1 / (double)e->rows,
                    w.share + i * GPAI_MOVES_MOST);
        }
    }
    for (size_t i = 0; i < w.axes && st == GPA_OK; i++) {
        double apart = e->gains && blind[i] ? -HUGE_VAL : GPAI_APART_ODDS + w.log[i];
        varies[i] = join(w.share + i * GPAI_MOVES_MOST, apart, &one[i]);
    }
    gpai_free(w.block);
    return st;
}

#include "engine/culprit/culprit.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/culprit/apart.h"
#include "engine/culprit/density/context.h"
#include "engine/culprit/several/boxes.h"
#include "engine/culprit/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* docs/methods.md, "Who did it". b = a sigma^2 / 2, a likelihood sharper than the
 * noise; a wrong y is off by N(0, (6 sigma)^2), or by anything that f can be: 1.5 times
 * its spread. All were chosen on planted faults. A wrong unit or decimal point takes y
 * farther than that: ten times as far is a tenth as likely, without end. */
static const double NOISE_RATIO = 2, OUTPUT_NEAR = 6, OUTPUT_FAR = 1.5, FARTHER = 10;

/* What puts a row in its place among those that are weighed together. */
struct row {
    double off, y;
    const double *x;
    size_t d, place;
};

/* What weighing needs besides its result. */
struct work {
    const gpai_culprit_options *opt;
    gpai_evidence e;                    /* in the eyes of the first density */
    gpai_evidence seen[GPAI_DENSITIES]; /* of each */
    size_t eyes;                        /* densities, or 1 without any */
    gpai_densities densities;
    gpai_causes causes;
    gpai_exchanges exchanges;
    gpai_single *other; /* axes: what the second density says */
    gpai_subset *again; /* GPAI_SUBSETS_MOST */
    double *varies;     /* axes */
    double *residual;   /* n */
    size_t *rows;       /* n: the rows in their own order */
    struct row *row;    /* n: for that */
    double *width;      /* axes: how far the axis moves f */
    bool *blind;        /* axes: f hardly notices */
    double *weight;     /* subsets */
    gpai_ranked *order;
    size_t paired[GPAI_PAIRED], n_paired; /* axes of which all pairs are weighed */
    double *block;
};

static void lay_out_work(void *work, gpai_arena *a)
{
    struct work *w = work;
    size_t axes = w->e.s->axes;
    w->residual = gpai_take(a, w->e.p->n, 1);
    w->rows = gpai_take_bytes(a, w->e.p->n, sizeof *w->rows);
    w->row = gpai_take_bytes(a, w->e.p->n, sizeof *w->row);
    w->width = gpai_take(a, axes, 1);
    w->blind = gpai_take_bytes(a, axes, sizeof *w->blind);
    w->weight = gpai_take(a, axes + GPAI_SUBSETS_MOST, 1);
    w->order = gpai_take_bytes(a, axes, sizeof *w->order);
    if (w->eyes == 1)
        return;
    w->other = gpai_take_bytes(a, axes, sizeof *w->other);
    w->again = gpai_take_bytes(a, GPAI_SUBSETS_MOST, sizeof *w->again);
    w->varies = gpai_take(a, axes, 1);
}

/* How far each axis moves f, and whether that is less than anybody would notice: not if
 * f has no value in places. */
static void find_widths(struct work *w)
{
    static const double BLIND = 0.1; /* of the noise */
    double range[2];
    for (size_t i = 0; i < w->e.s->axes; i++) {
        for (size_t t = 0; t < w->e.p->n; t++)
            w->width[i] += gpai_profile_reach(w->e.profile, i, t);
        w->blind[i] = !(w->width[i] > BLIND * w->opt->sigma * (double)w->e.p->n) &&
                      gpai_profile_lost(w->e.profile, i, range) == 0;
    }
}

/* What says what is plausible, without those that must not. */
static gpa_status open_densities(struct work *w, bool *silent, gpa_error *err)
{
    gpai_densities *b = &w->densities;
    const gpai_crowd *crowd = w->opt->crowd;
    size_t count = 0;
    gpa_status st = gpai_densities_open(b, crowd, w->e.p, w->e.s, NULL, err);
    if (st != GPA_OK || crowd == NULL || !crowd->joint)
        return st;
    st = gpai_context_check(&b->q[b->count - 1], w->blind, silent, &count, err);
    if (st != GPA_OK || count == 0)
        return st;
    gpai_densities_close(b);
    st = gpai_densities_open(b, crowd, w->e.p, w->e.s, silent, err);
    return st == GPA_OK ? gpai_exchanges_again(&w->exchanges, b, silent, err) : st;
}

static int by_distance(const void *one, const void *two)
{
    const struct row *a = one, *b = two;
    if (a->off != b->off)
        return a->off < b->off ? 1 : -1;
    for (size_t k = 0; k < a->d; k++)
        if (a->x[k] != b->x[k] && !isnan(a->x[k]) && !isnan(b->x[k]))
            return a->x[k] < b->x[k] ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* The rows by how far they are off, then by what they are: whatever their order in the
 * file, and whatever the sign of y. */
static void sort_rows(struct work *w)
{
    const gpai_problem *p = w->e.p;
    for (size_t t = 0; t < p->n; t++)
        w->row[t] = (struct row){.off = fabs(p->y[t] - w->e.profile->base[t]),
                                 .y = p->y[t],
                                 .x = p->x + t * p->d,
                                 .d = p->d,
                                 .place = t};
    qsort(w->row, p->n, sizeof *w->row, by_distance);
    for (size_t i = 0; i < p->n; i++)
        w->rows[i] = w->row[i].place;
    w->e.order = w->rows;
}

static gpa_status open_work(struct work *w, bool *silent, gpa_error *err)
{
    const gpai_culprit_options *o = w->opt;
    w->eyes = o->crowd != NULL && o->crowd->plain != NULL ? 2 : 1;
    w->block = gpai_carve(lay_out_work, w);
    if (w->block == NULL)
        return gpai_nomem(err, "culprit");
    find_widths(w);
    gpa_status st = open_densities(w, silent, err);
    if (st != GPA_OK)
        return st;
    sort_rows(w);
    for (size_t t = 0; t < w->e.p->n; t++)
        w->residual[t] = w->e.p->y[t] - w->e.profile->base[t];
    w->e.residual = w->residual;
    w->e.rows = w->e.p->n;
    w->e.gains = o->crowd != NULL;
    w->e.b = GPAI_LIKELIHOOD_SHAPE * o->sigma * o->sigma / NOISE_RATIO;
    for (size_t i = 0; i < w->eyes; i++) {
        w->seen[i] = w->e;
        w->seen[i].plausible = o->crowd != NULL ? &w->densities.q[i] : NULL;
    }
    w->e = w->seen[0];
    return GPA_OK;
}

static void close_work(struct work *w)
{
    gpai_densities_close(&w->densities);
    gpai_free(w->block);
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_culprit *c = work;
    GPAI_TAKE_EACH(a, c->d, 1, &c->probability, &c->single, &c->median, &c->low,
                   &c->high);
    GPAI_TAKE_EACH(a, c->axes, 1, &c->axis_probability, &c->axis_single,
                   &c->axis_evidence, &c->varies, &c->guessed);
    GPAI_TAKE_EACH(a, c->d, 1, &c->evidence[0], &c->evidence[1], &c->evidence[2],
                   &c->evidence[3]);
    c->set90 = gpai_take_bytes(a, c->d, sizeof *c->set90);
    c->silent = gpai_take_bytes(a, c->axes, sizeof *c->silent);
    c->alone = gpai_take_bytes(a, c->axes, sizeof *c->alone);
    c->subset = gpai_take_bytes(a, c->axes + GPAI_SUBSETS_MOST, sizeof *c->subset);
}

static gpa_status open_result(gpai_culprit *c, const gpai_space *s, gpa_error *err)
{
    *c = (gpai_culprit){.d = s->d, .axes = s->axes};
    c->block = gpai_carve(lay_out, c);
    return c->block != NULL ? GPA_OK : gpai_nomem(err, "culprit");
}

void gpai_culprit_close(gpai_culprit *c)
{
    gpai_free(c->block);
    *c = (gpai_culprit){0};
}

/* A flat input has equal shares and reaches 1/2 at a border: rounding must not choose.
 */
double gpai_culprit_quantile(const gpai_single *alone, double u)
{
    double sum = 0;
    if (!isfinite(alone->log_evidence))
        return (double)NAN;
    for (size_t i = 0; i < alone->count; i++) {
        double share = exp(alone->log[i] - alone->log_evidence);
        sum += share;
        if (sum < u - 1e-9)
            continue;
        if (!alone->cells)
            return alone->value[i];
        double right = alone->edge[i + 1], back = fmin(fmax((sum - u) / share, 0), 1);
        return right - back * (right - alone->edge[i]);
    }
    return alone->value[alone->count - 1];
}

/* What delta is if this axis alone moved. */
static void show_alone(gpai_culprit *c, const gpai_axis *a, const gpai_single *alone)
{
    if (a->kind == GPAI_AXIS_CHOICE || a->gap) {
        size_t columns = a->kind == GPAI_AXIS_CHOICE ? a->members : 1;
        for (size_t j = 0; j < columns; j++) {
            size_t k = a->kind == GPAI_AXIS_CHOICE ? a->member[j] : a->input;
            c->median[k] = c->low[k] = c->high[k] = (double)NAN;
        }
        return;
    }
    static const double u[3] = {0.5, 0.05, 0.95};
    double *to[3] = {&c->median[a->input], &c->low[a->input], &c->high[a->input]};
    for (int i = 0; i < 3; i++) {
        double v = gpai_culprit_quantile(alone, u[i]);
        *to[i] = a->kind == GPAI_AXIS_STEP ? gpai_axis_snap(a, v) : v;
    }
}

/* Appends the axes of the `top` largest values that are not in the list yet, and to
 * which f is not blind. */
static size_t choose(struct work *w, const double *value, size_t top, size_t *list,
                     size_t have)
{
    gpai_rank(value, w->e.s->axes, w->order);
    for (size_t i = 0; i < top && i < w->e.s->axes; i++) {
        size_t axis = w->order[i].place, j = 0;
        if (w->e.gains && w->blind[axis])
            continue;
        while (j < have && list[j] != axis)
            j++;
        if (j == have)
            list[have++] = axis;
    }
    return have;
}

_Static_assert(GPAI_CROWD_CELLS % (2 * GPAI_PAIR_CELLS) == 0 &&
                   GPAI_CROWD_CELLS % GPAI_TRIPLE_CELLS == 0,
               "borders of cells are among the marks of gpai_crowd");

/* What several rows say together is narrower than what one does: it takes more cells;
 * of triples that would be too many. Where nothing is plausible the outer cells of the
 * prior are wide. */
static size_t cells_of(const struct work *w, size_t size, size_t cells)
{
    if (w->e.plausible == NULL)
        return 4 * cells;
    return w->e.p->n > 1 && size == 2 ? 2 * cells : cells;
}

static size_t few_cells(const struct work *w, size_t size)
{
    return cells_of(w, size, size == 2 ? GPAI_PAIR_CELLS : GPAI_TRIPLE_CELLS);
}

/* Weighs so many subsets that stand behind the others, on few cells a line. */
static gpa_status add_subsets(gpai_culprit *c, struct work *w, size_t size,
                              size_t count, gpa_error *err)
{
    gpai_subset *to = c->subset + c->subsets;
    gpa_status st = GPA_OK;
    c->subsets += count;
    if (w->eyes > 1)
        memcpy(w->again, to, count * sizeof *to);
    for (size_t i = 0; i < w->eyes && st == GPA_OK; i++) {
        gpai_subset *said = i == 0 ? to : w->again;
        st = gpai_subsets_weigh(&w->seen[i], few_cells(w, size), said, count, err);
        for (size_t j = 0; j < count; j++) {
            to[j].part[i] = said[j].log_evidence;
            to[j].narrow = to[j].narrow || said[j].narrow;
        }
    }
    for (size_t j = 0; j < count; j++)
        to[j].log_evidence = gpai_densities_join(&w->densities, to[j].part);
    return st;
}

static void include(gpai_culprit *c, struct work *w)
{
    w->causes.subset = c->subset;
    w->causes.subsets = c->subsets;
    c->input_evidence = gpai_causes_inputs(&w->causes, w->weight, c->axis_probability);
}

/* The likeliest subset of so many axes that has not been looked at as closely as it
 * deserves by now; as many as there are: none. Few cells say nothing of one that is
 * narrower than they are, and without reference rows little of what is far out, where
 * cells are wide. Where nothing is unusual everybody has a share. A look is as close as
 * what was looked at seemed to deserve: what turns out to have more is looked at again.
 */
static size_t find_rough(const gpai_culprit *c, const struct work *w, size_t size)
{
    static const double MORE = 2, AGAIN = 0.25; /* of what it seemed; of `least` */
    const double least = w->e.plausible == NULL           ? 3e-4 /* of the answer */
                         : gpai_causes_normal(&w->causes) ? 2.5e-2
                         : size == 2                      ? 7e-3
                                                          : 4e-3;
    size_t best = c->subsets;
    for (size_t i = 0; i < c->subsets; i++) {
        const gpai_subset *s = &c->subset[i];
        bool may = s->seen == 0 ? s->narrow || w->weight[i] > least
                                : w->weight[i] > fmax(AGAIN * least, MORE * s->seen);
        if (s->size == size && !s->exchanged && may &&
            (best == c->subsets || w->weight[i] > w->weight[best]))
            best = i;
    }
    return best;
}

/* Looks closer at a subset in the eyes of the densities that matter. `level`: ln of the
 * evidence with which it would have half of the answer. */
static gpa_status look_closer(struct work *w, gpai_boxes **boxes, size_t cells,
                              double level, gpai_subset *s, gpa_error *err)
{
    static const double LITTLE = -4; /* ln: of what all say */
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < w->eyes && st == GPA_OK; i++) {
        gpai_subset one = *s;
        one.log_evidence = s->part[i];
        if (s->part[i] + w->densities.share[i] < s->log_evidence + LITTLE && !s->narrow)
            continue;
        if (boxes[i] == NULL)
            st = gpai_boxes_open(&boxes[i], &w->seen[i], s->size, 2 * cells, err);
        if (st != GPA_OK)
            break;
        gpai_boxes_weigh(boxes[i], s->narrow ? 2 * cells : cells,
                         level - w->densities.share[i], &one);
        s->part[i] = one.log_evidence;
    }
    s->log_evidence = gpai_densities_join(&w->densities, s->part);
    return st;
}

/* Subsets with a share in the answer are looked at as closely as it takes: what has
 * none next to others that seemed likelier may have one when those are known. */
static gpa_status refine(gpai_culprit *c, struct work *w, size_t size, gpa_error *err)
{
    size_t cells = few_cells(w, size);
    gpai_boxes *boxes[GPAI_DENSITIES] = {NULL};
    gpa_status st = GPA_OK;
    for (size_t count = 0; count < 3 * c->subsets && st == GPA_OK; count++) {
        size_t best = find_rough(c, w, size);
        if (best == c->subsets)
            break;
        gpai_subset *s = &c->subset[best];
        double p = fmin(fmax(w->weight[best], 1e-12), 1 - 1e-12);
        double level = s->log_evidence + log1p(-p) - log(p);
        st = look_closer(w, boxes, cells, level, s, err);
        s->seen = fmax(1 / (1 + exp(fmin(level - s->log_evidence, 700))), 1e-300);
        include(c, w);
    }
    for (size_t i = 0; i < w->eyes; i++)
        gpai_boxes_close(boxes[i]);
    return st;
}

/* Every axis alone in the eyes of one density. */
static gpa_status weigh_alone(struct work *w, size_t i, gpai_single *alone,
                              double *varies, gpa_error *err)
{
    const gpai_evidence *e = &w->seen[i];
    gpa_status st = gpai_singles_weigh(e, alone, err);
    if (st == GPA_OK && e->rows > 1)
        st = gpai_apart_singles(e, w->blind, alone, varies, err);
    return st;
}

/* What both densities say of an axis; its places are those of the one that says more.
 */
static double join_alone(gpai_culprit *c, struct work *w, size_t axis)
{
    gpai_single *one = &c->alone[axis], *two = w->other + axis;
    const double log[GPAI_DENSITIES] = {one->log_evidence,
                                        w->eyes > 1 ? two->log_evidence : -HUGE_VAL};
    const double *share = w->densities.share;
    if (w->eyes > 1 && log[1] + share[1] > log[0] + share[0]) {
        *one = *two;
        c->varies[axis] = w->varies[axis];
    }
    return gpai_densities_join(&w->densities, log);
}

static gpa_status weigh_singles(gpai_culprit *c, struct work *w, gpa_error *err)
{
    gpa_status st = weigh_alone(w, 0, c->alone, c->varies, err);
    if (st == GPA_OK && w->eyes > 1)
        st = weigh_alone(w, 1, w->other, w->varies, err);
    for (size_t i = 0; i < c->axes && st == GPA_OK; i++) {
        double seen = join_alone(c, w, i);
        double unseen = gpai_unjudged_weigh(&w->e, &c->alone[i], c->output_evidence);
        c->axis_evidence[i] = gpai_log_add(seen, unseen);
        c->guessed[i] = isfinite(unseen) ? exp(unseen - c->axis_evidence[i]) : 0;
        c->subset[c->subsets++] =
            (gpai_subset){.axis = {i}, .size = 1, .log_evidence = c->axis_evidence[i]};
        show_alone(c, &w->e.s->axis[i], &c->alone[i]);
    }
    return st;
}

/* A subset of axes in their order. */
static gpai_subset subset_of(const size_t *axis, size_t size)
{
    gpai_subset s = {.size = size};
    memcpy(s.axis, axis, size * sizeof *axis);
    gpai_sort_indices(s.axis, size);
    return s;
}

/* Pairs of the axes that are likeliest alone or change f most, and of the likeliest
 * with others. */
static gpa_status weigh_pairs(gpai_culprit *c, struct work *w, gpa_error *err)
{
    size_t list[GPAI_SIDES_MOST], have = 0, count = 0;
    for (size_t top = 1; top <= c->axes && have + 2 <= GPAI_PAIRED; top++) {
        have = choose(w, c->axis_evidence, top, list, have);
        have = choose(w, w->width, top, list, have);
    }
    w->n_paired = have;
    memcpy(w->paired, list, have * sizeof *list);
    for (size_t top = 1; top <= c->axes && have < GPAI_SIDES_MOST; top++)
        have = choose(w, w->width, top, list, have);
    for (size_t i = 0; i < w->n_paired; i++)
        for (size_t j = i + 1; j < (i == 0 ? have : w->n_paired); j++) {
            const size_t axis[2] = {list[i], list[j]};
            c->subset[c->subsets + count++] = subset_of(axis, 2);
        }
    return add_subsets(c, w, 2, count, err);
}

/* The likeliest pair of those that are not done; or as many as there are. */
static size_t find_pair(const gpai_culprit *c, const struct work *w, const bool *done)
{
    static const double LEAST = 0.03; /* chosen: three are rarer by far than two */
    size_t best = c->subsets;
    for (size_t i = c->axes; i < c->subsets; i++)
        if (c->subset[i].size == 2 && !c->subset[i].exchanged && !done[i - c->axes] &&
            w->weight[i] > (best < c->subsets ? w->weight[best] : LEAST))
            best = i;
    return best;
}

static bool is_listed(const gpai_subset *list, size_t n, const gpai_subset *s)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(list[i].axis, s->axis, sizeof s->axis) == 0)
            return true;
    return false;
}

/* Triples: the likeliest pairs, and every other axis besides. Three wrong inputs are
 * worth a look only where two may be. */
static gpa_status weigh_triples(gpai_culprit *c, struct work *w, gpa_error *err)
{
    bool done[GPAI_SUBSETS_MOST] = {false};
    gpai_subset *to = c->subset + c->subsets;
    size_t count = 0, pair;
    for (size_t i = 0; i < GPAI_EXTENDED; i++) {
        if ((pair = find_pair(c, w, done)) == c->subsets)
            break;
        done[pair - c->axes] = true;
        for (size_t j = 0; j < w->n_paired; j++) {
            const size_t *two = c->subset[pair].axis;
            const size_t axis[3] = {two[0], two[1], w->paired[j]};
            gpai_subset s = subset_of(axis, 3);
            if (axis[2] != two[0] && axis[2] != two[1] && !is_listed(to, count, &s))
                to[count++] = s;
        }
    }
    return add_subsets(c, w, 3, count, err);
}

static gpa_status weigh_inputs(gpai_culprit *c, struct work *w, gpa_error *err)
{
    c->input_evidence = -HUGE_VAL;
    if (c->axes == 0)
        return GPA_OK;
    gpa_status st = weigh_singles(c, w, err);
    if (st == GPA_OK && c->axes > 1)
        st = weigh_pairs(c, w, err);
    if (st != GPA_OK)
        return st;
    gpai_exchanges_weigh(&w->e, &w->exchanges, c->subset + c->subsets);
    c->subsets += w->exchanges.count;
    include(c, w);
    if (c->axes > 1)
        st = refine(c, w, 2, err);
    if (st != GPA_OK || !w->causes.triples || c->axes < 3)
        return st;
    st = weigh_triples(c, w, err);
    include(c, w);
    return st == GPA_OK ? refine(c, w, 3, err) : st;
}

/* Looked at as closely as if each row were a witness, they count for less. */
static void conclude(gpai_culprit *c, struct work *w)
{
    double inputs = c->input_evidence;
    w->causes.rows = w->e.p->n;
    c->output = gpai_causes_output(&w->causes, inputs);
    if (c->axes == 0)
        return;
    include(c, w);
    c->input_evidence = inputs;
    gpai_causes_single(&w->causes, c->axis_single);
}

static void find_likeliest(gpai_culprit *c, const struct work *w)
{
    for (size_t i = 0; i < c->subsets; i++)
        if (w->weight[i] > c->p_likeliest) {
            c->p_likeliest = w->weight[i];
            c->likeliest = i;
        }
}

/* ln of the evidence that y is off by N(0, far^2) or, less likely, by more: as much as
 * it takes. */
static double weigh_far(const gpai_evidence *e, double far)
{
    const double rarer = log(1 - 1 / FARTHER), each = -log(FARTHER);
    double most = 0, l = -HUGE_VAL, weight = rarer;
    for (size_t i = 0; i < e->rows; i++)
        most = fmax(most, fabs(e->residual[gpai_evidence_row(e, i)]));
    for (double reach = far;; reach *= FARTHER, weight += each) {
        l = gpai_log_add(l, gpai_output_weigh(e, reach) + weight);
        if (!(most > reach) || !isfinite(reach * FARTHER))
            return l;
    }
}

/* ln E_y of rows in which y is off by one amount. Reference rows know nothing of y. */
static double weigh_off(const struct work *w, const gpai_evidence *e)
{
    double near = OUTPUT_NEAR * w->opt->sigma;
    if (isnan(w->opt->spread))
        return weigh_far(e, near);
    double far = weigh_far(e, fmax(OUTPUT_FAR * w->opt->spread, near));
    return gpai_log_add(gpai_output_weigh(e, near), far) - GPAI_LN2;
}

/* Off by one amount in all rows, or in each by another (apart.h). */
static double weigh_output(const struct work *w)
{
    gpai_evidence row = w->e;
    double l = weigh_off(w, &w->e), each = GPAI_APART_ODDS;
    for (size_t t = 0; t < w->e.rows && w->e.rows > 1; t++) {
        row.first = t;
        row.rows = 1;
        each += weigh_off(w, &row);
    }
    return w->e.rows > 1 ? gpai_log_add(l, each) : l;
}

static void show_evidence(gpai_culprit *c, const gpai_space *s)
{
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < c->d; k++)
            c->evidence[i][k] = -HUGE_VAL;
    for (size_t i = 0; i < c->subsets; i++)
        for (size_t j = 0; j < c->subset[i].size; j++) {
            const gpai_axis *a = &s->axis[c->subset[i].axis[j]];
            bool group = a->kind == GPAI_AXIS_CHOICE;
            double *to =
                c->evidence[c->subset[i].exchanged ? 3 : c->subset[i].size - 1];
            for (size_t m = 0; m < (group ? a->members : 1); m++) {
                size_t k = group ? a->member[m] : a->input;
                to[k] = gpai_log_add(to[k], c->subset[i].log_evidence);
            }
        }
}

/* From axes to inputs. */
static void show_inputs(gpai_culprit *c, const gpai_space *s)
{
    for (size_t k = 0; k < c->d; k++) {
        size_t i = s->axis_of[k];
        if (i == s->axes)
            continue;
        bool group = s->axis[i].kind == GPAI_AXIS_CHOICE;
        c->probability[k] = c->axis_probability[i];
        c->single[k] = c->axis_single[i] / (double)(group ? s->axis[i].members : 1);
        if (c->probability[k] > c->probability[c->first])
            c->first = k;
    }
}

/* A group counts as one, and all its members are named. */
static void find_set90(gpai_culprit *c, struct work *w)
{
    double sum = 0;
    gpai_rank(c->axis_single, c->axes, w->order);
    for (size_t i = 0; i < c->axes; i++) {
        const gpai_axis *a = &w->e.s->axis[w->order[i].place];
        bool group = a->kind == GPAI_AXIS_CHOICE;
        for (size_t j = 0; j < (group ? a->members : 1); j++)
            c->set90[c->n_set90++] = group ? a->member[j] : a->input;
        sum += w->order[i].value;
        if (sum >= 0.9 - 1e-9) /* rounding must not add one */
            break;
    }
}

static void measure(struct work *w)
{
    double square = 0, sum = 0, n = (double)w->e.p->n;
    for (size_t t = 0; t < w->e.p->n; t++) {
        square += w->residual[t] * w->residual[t] / n;
        sum += w->residual[t];
    }
    w->causes.rms = sqrt(square) / w->opt->sigma;
    w->causes.errors = n > 1 ? fabs(sum) / sqrt(n) / w->opt->sigma : 0;
}

/* P(an input is at fault, and its true value lies where f has none). */
static double guessed(const gpai_culprit *c, const struct work *w)
{
    double sum = 0;
    for (size_t i = 0; i < c->subsets; i++)
        if (c->subset[i].size == 1)
            sum += w->weight[i] * c->guessed[c->subset[i].axis[0]];
    return (1 - c->output) * sum;
}

gpa_status gpai_culprit_weigh(gpai_culprit *c, const gpai_problem *p,
                              const gpai_space *s, const gpai_moves *moves,
                              const gpai_exchanges *exchanges, const gpai_profile *r,
                              const gpai_culprit_options *opt, gpa_error *err)
{
    struct work w = {.opt = opt,
                     .exchanges = *exchanges,
                     .e = {.p = p, .s = s, .moves = moves, .profile = r}};
    gpa_status st = open_result(c, s, err);
    if (st == GPA_OK)
        st = open_work(&w, c->silent, err);
    w.causes =
        (gpai_causes){.axes = s->axes,
                      .reference = opt->crowd != NULL,
                      .triples = opt->crowd != NULL && opt->mode == GPA_CULPRIT_ON,
                      .prior = opt->output_prior};
    if (st == GPA_OK) {
        measure(&w);
        w.causes.output = c->output_evidence = weigh_output(&w);
        st = weigh_inputs(c, &w, err);
    }
    if (st != GPA_OK)
        goto done;
    conclude(c, &w);
    c->reference = opt->crowd != NULL ? opt->crowd->rows : 0;
    find_likeliest(c, &w);
    show_inputs(c, s);
    show_evidence(c, s);
    find_set90(c, &w);
    w.causes.guessed = guessed(c, &w);
    c->verdict = gpai_causes_verdict(
        &w.causes, c->axes > 0 ? c->probability[c->first] : 0, c->output);
done:
    close_work(&w);
    if (st != GPA_OK)
        gpai_culprit_close(c);
    return st;
}

#ifndef GPAI_ENGINE_MAP_FAST_WORK_H
#define GPAI_ENGINE_MAP_FAST_WORK_H
#include "engine/map/additive.h"
#include "engine/map/fast.h"
#include "engine/map/linear_path.h"

/* What the stages of the fast solver share: fast_path.c (linear model), fast_rounds.c
 * (additive model), fast_settle.c (the end on a stepped f), fast_elsewhere.c (other
 * starts on it), fast.c (the whole). */

/* docs/methods.md, "The fast search": up to three linear steps, then rounds of
 * eight places per axis, and two and four for one row where f is smooth: measured to
 * ask 20 to 50 times fewer rows than the published algorithm for a lower objective.
 * Beyond 114 axes only those that moved and the 50 steepest are profiled, so that a
 * round stays at about a thousand rows. */
enum {
    GPAI_FAST_OFFSETS = 8,
    GPAI_FAST_SMOOTH_OFFSETS = 4, /* curves through four say what eight straight do */
    GPAI_FAST_NODES = GPAI_FAST_OFFSETS + 2, /* with 0 and the best point itself */
    GPAI_FAST_CHOICES = 64,  /* levels of a choice that are profiled at most */
    GPAI_FAST_SWITCHES = 24, /* of them that say how much it matters */
    GPAI_FAST_MOVING = 64,   /* beyond these only moving and steep axes are profiled */
    GPAI_FAST_STEEP = 50,
    GPAI_FAST_PROFILED = GPAI_FAST_MOVING + GPAI_FAST_STEEP,
    GPAI_FAST_ROUNDS = 3,
    GPAI_FAST_LEAN_STEPS = 2,       /* unless both fail */
    GPAI_FAST_LEAN_TRIES = 3,       /* points of the additive model asked in each */
    GPAI_FAST_TRIES = 5,            /* and where f is stepped: more find as much */
    GPAI_FAST_SETTLE = 3,           /* rounds at the end where f is stepped */
    GPAI_FAST_SETTLE_THOROUGH = 10, /* measured: enough to settle but for a few */
    GPAI_FAST_PARENTS = 8,          /* draws that others are bred from */
    GPAI_FAST_STEPS = 3,            /* of the linear model */
    GPAI_FAST_CALLS = 15,           /* of the model */
    GPAI_FAST_TOGETHER = 36         /* for several rows, whose rows are many */
};

#define GPAI_FAST_TOL GPAI_MAP_TOL

struct gpai_fast {
    gpai_search *q;
    const gpai_profile *profile; /* f along the axes at delta = 0, if known; or NULL */
    double h;                    /* width of the first slopes, in units */
    uint64_t before;             /* calls of other stages: they cost the search none */
    bool drawn;                  /* other starts of the prior were tried */
    bool stepped;                /* f stands still over whole stretches, as trees do */
    bool smooth;                 /* one row, and f moved with every bit of a change */
    bool lean;                   /* and numbers alone: fewer steps and candidates do */
    size_t wide;                 /* nodes of a profile at most */
    double *slope;               /* n by axes */
    double *square;  /* axes: squared slopes of all rows, or changes by a switch */
    double *probe_f; /* answers to probes or points */
    gpai_probe *probe;
    size_t *active; /* the axes a stage works on */
    size_t n_active;
    size_t *order; /* axes, steepest first: the columns' order does not matter */
    gpai_path_work path;
    gpai_additive additive;
    gpai_profile_view *view;
    double *seed; /* GPAI_ADDITIVE_CANDIDATES by d: points where a switch may answer */
    size_t seeds;
    double *look; /* as many: points from the given profile, for the second look */
    size_t looks;
    double *parent, *score; /* PARENTS by d; PARENTS: other starts, best first */
    double *kept;           /* d + n: where a step or a search began */
    double *node, *change;  /* axes by nodes; axes by nodes by n */
    double *block;
};

/* Axes that are profiled at most. */
size_t gpai_fast_profiled(const gpai_space *s);

void gpai_fast_all_active(gpai_fast *w);

/* Whether something can be switched, or must leap. */
bool gpai_fast_has_switches(const gpai_space *s);

/* Central differences of +-h along the active axes into w->slope, in one call; gives
 * the number of probes, two of an axis in a row.
 * gpai_fast_first_slopes: of all axes, and what switches of choices change; fills
 * w->square, too, and gives the number of probes, those of an axis in a row. */
gpa_status gpai_fast_slopes(gpai_fast *w, double h, size_t *count);
gpa_status gpai_fast_first_slopes(gpai_fast *w, double h, size_t *count);

/* The objective at the i-th probe, which moves one axis of the best point, whose
 * penalty is `here`. */
double gpai_fast_probed(const gpai_fast *w, size_t i, double here);

/* A view of active axis k from probes `first` on, `count` of them ascending but for the
 * best point itself, which is put among them. */
void gpai_fast_view(gpai_fast *w, size_t k, size_t first, size_t count);

/* Asks the first k of q->points and moves to the best of them if it is better by more
 * than `least`; gives the gain (0: stayed) and the largest change of a coordinate. */
gpa_status gpai_fast_try(gpai_fast *w, size_t k, double least, double *gain,
                         double *step);

/* Adds points halfway between the best point and the first few of k candidates. */
size_t gpai_fast_midpoints(gpai_search *q, size_t k, size_t first);

/* Places to profile on an axis, in any order; gives their number. */
typedef size_t gpai_fast_places(const gpai_fast *w, size_t axis, const double *how,
                                double *place);

/* Asks f at such places of the active axes, but for the best point's own, and builds
 * views of them around it. The best single move, and its objective (+inf: none), become
 * a candidate once gpai_fast_offer is called with it. */
gpa_status gpai_fast_profile(gpai_fast *w, gpai_fast_places *places, const double *how,
                             gpai_probe *best, double *lowest);
void gpai_fast_offer(gpai_fast *w, const gpai_probe *best, size_t at);

/* Adds the points where a switch may answer, once, behind k candidates of the first
 * round: before the local search has settled they would drag it elsewhere. */
size_t gpai_fast_add_seeds(gpai_fast *w, size_t k);

/* Whether those of the first m views that change at all stay exactly the same at a
 * tenth of their nodes. */
bool gpai_fast_stands_still(const gpai_fast *w, size_t m);

/* The axis on which a point differs most from the best one. */
size_t gpai_fast_main_axis(const gpai_search *q, const double *point);

/* Values of a choice but for the present one, at most GPAI_FAST_CHOICES - 1. */
size_t gpai_fast_levels(const gpai_fast *w, size_t axis, double *place);

/* Axes that have moved; with none, or at first, all (or the steepest of very many). */
void gpai_fast_choose(gpai_fast *w, bool first);

/* The stages. */
gpa_status gpai_fast_path(gpai_fast *w, gpai_map *result);
gpa_status gpai_fast_rounds(gpai_fast *w, bool thorough, gpai_map *result);

/* On a stepped f: rounds that test moves of every axis, alone, in pairs and together,
 * until none gains GPAI_FAST_TOL (thorough: not the finest either) or there were
 * enough. */
gpa_status gpai_fast_settle(gpai_fast *w, bool thorough, gpai_map *result);

/* One round of either kind: wide, along all axes; and the first of settling. */
gpa_status gpai_fast_wide_round(gpai_fast *w, gpai_map *result);
gpa_status gpai_fast_settle_round(gpai_fast *w, gpai_map *result);

/* Whether what was seen is so far from explained that settling would not help. */
bool gpai_fast_is_lost(const gpai_fast *w);

/* On a stepped f: searches from another start where what was seen is far from
 * explained, once (thorough: elsewhere in any case); gives the gain (0: stayed). */
gpa_status gpai_fast_elsewhere(gpai_fast *w, bool thorough, gpai_map *result,
                               double *gain);

/* The second look. Where nothing has moved yet the given profile makes candidates,
 * without asking anything; at the end eight at most are looked at (they were asked with
 * the first candidates). They come last so that the search is never worse for a profile
 * than without one. */
void gpai_fast_read_lines(gpai_fast *w);
gpa_status gpai_fast_look(gpai_fast *w, double *gain);

#endif

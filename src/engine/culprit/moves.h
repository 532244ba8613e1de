#ifndef GPAI_ENGINE_CULPRIT_MOVES_H
#define GPAI_ENGINE_CULPRIT_MOVES_H
#include "engine/space.h"

/* The prior of a culprit's move, in units; not the prior of the explanation. Chosen on
 * planted faults: so wide that a fault of several units is no surprise
 * (docs/methods.md, "Who did it"). */
#define GPAI_CULPRIT_ETA 0.1
#define GPAI_CULPRIT_NU  0.5

enum {
    GPAI_MOVES_LISTED = 24, /* alternatives that are asked one by one, at most */
    GPAI_MOVES_CELLS = 100, /* cells of a line. Chosen on planted faults */
    GPAI_MOVES_MOST = 200   /* with those that are cut again, at most */
};

/* What else the value of an axis might have been. Few values are listed, each with the
 * chance that the recorded one is a wrong reading of it; a number has a line of them,
 * cut into cells of equal chance. The space has the prior above. */
typedef struct gpai_moves {
    bool line;
    size_t count;                     /* listed values; of a line, places to ask at */
    double value[GPAI_MOVES_LISTED];  /* places on the axis, ascending */
    double chance[GPAI_MOVES_LISTED]; /* ln */
    double rank[GPAI_MOVES_LISTED];   /* ln of chance times plausibility */
    double mass;                      /* line: ln of the prior between the limits */
    double slope;                     /* line: places to ask at besides, +-; 0: none */
} gpai_moves;

/* Candidates of an axis that is not a line: all other levels, or the steps there are
 * (GPAI_STEPS_MOST at most), with ln chances; gives how many. `value` and `chance` have
 * room for gpai_candidates_most of the space. 0: the axis is a line. */
size_t gpai_candidates_most(const gpai_space *s);
size_t gpai_candidates(const gpai_space *s, size_t axis, double *value, double *chance);

/* The line of an axis, which is a number: where a share of the prior between its limits
 * lies below, and ln of the prior's mass there that stays within them, seen from a true
 * value at `value`. */
double gpai_line_mass(const gpai_axis *a);
double gpai_line_at(const gpai_space *s, const gpai_axis *a, double share);
double gpai_line_room(const gpai_space *s, const gpai_axis *a, double value);

/* The middles of `count` cells of a line, ascending, and ln of their chances. */
void gpai_line_cells(const gpai_space *s, const gpai_axis *a, size_t count,
                     double *value, double *chance);

/* Their count + 1 borders; the outermost cells end at their own middle quarter. */
void gpai_line_borders(const gpai_space *s, const gpai_axis *a, size_t count,
                       double *border);

#endif

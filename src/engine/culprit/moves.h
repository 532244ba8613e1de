#ifndef GPAI_ENGINE_CULPRIT_MOVES_H
#define GPAI_ENGINE_CULPRIT_MOVES_H
#include "engine/space.h"

/* The finest that moves are looked at: so many cells of equal prior probability.
 * Chosen: a cell is then narrower than the noise of any row whose culprit is worth
 * asking for. */
enum { GPAI_MOVES = 400 };

/* `count` equally likely moves of an axis under `prior` (not the space's own), given
 * that it moves: quantiles at (i + 1/2)/count of what the bounds leave of the prior,
 * ascending. STEP axes move by whole steps other than 0, CHOICE axes to another
 * category; the same value may then stand several times. */
void gpai_moves(const gpai_space *s, size_t axis, const gpai_prior *prior, size_t count,
                double *value);

/* GPAI_MOVES moves of every axis; axes without bounds share theirs. */
typedef struct gpai_move_table {
    const double **of; /* axes */
    double *numbers;
} gpai_move_table;

gpa_status gpai_move_table_open(gpai_move_table *t, const gpai_space *s,
                                const gpai_prior *prior, gpa_error *err);
void gpai_move_table_close(gpai_move_table *t);

#endif

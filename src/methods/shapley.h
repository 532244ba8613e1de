#ifndef GPAI_METHODS_SHAPLEY_H
#define GPAI_METHODS_SHAPLEY_H
#include "methods/attribute.h"

/* Shapley values of the game "the inputs in S are as in x, the others as in a reference
 * row" (eq. of section 4.1.3, with the reference rows as the distribution), mean over
 * reference rows. They are the mean of the values of the games of single reference
 * rows, in which the inputs that are the same in both rows play no part: such an input
 * asks nothing and gets 0. */

/* Inputs for the exact values. Chosen: a million subsets of each reference row. */
enum { GPAI_SHAPLEY_MOST = 20 };

/* Random permutations and reference rows, after Strumbelj and Kononenko: one chain of
 * points from the reference row to x, an input at a time, instead of two points for
 * each input. Also replays given draws. */
gpa_status gpai_shapley_sample(gpai_attribute *w);

/* Rows it asks, at most. */
uint64_t gpai_shapley_sample_rows(const gpai_attribute *w);

/* All subsets, all reference rows; for at most GPAI_SHAPLEY_MOST inputs. */
gpa_status gpai_shapley_exact(gpai_attribute *w);

/* Rows it asks. */
uint64_t gpai_shapley_exact_rows(const gpai_attribute *w);

/* Inputs that are not frozen. */
size_t gpai_shapley_players(const gpai_attribute *w);

#endif

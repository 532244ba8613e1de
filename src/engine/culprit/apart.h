#ifndef GPAI_ENGINE_CULPRIT_APART_H
#define GPAI_ENGINE_CULPRIT_APART_H
#include "engine/culprit/subsets.h"

/* Several rows: an input may be wrong in all of them by one amount, or in each by
 * another: a ramp, a sensor that is stuck or rattles. The evidence of the second idea
 * is the product of what the rows say one by one. It has a tenth of the chances of the
 * first (between even odds and one in ten thousand planted faults hardly differ). */
#define GPAI_APART_ODDS (-2.302585092994045684) /* ln 1/10 */

/* `one` has what the rows say together of every axis, and gets what both ideas do; the
 * places of its lines stay. varies: axes; the share of the second idea. blind: axes;
 * which f hardly notices, so that they gain nothing in any row. */
gpa_status gpai_apart_singles(const gpai_evidence *e, const bool *blind,
                              gpai_single *one, double *varies, gpa_error *err);

#endif

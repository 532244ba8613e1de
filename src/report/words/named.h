#ifndef GPAI_REPORT_WORDS_NAMED_H
#define GPAI_REPORT_WORDS_NAMED_H
#include "report/view.h"

/* The inputs that an answer names as wrong: one, or several together. */
typedef struct gpai_named {
    size_t input[3]; /* first columns, the first suspect first */
    size_t n;
    bool just;      /* they are an idea that has more than half: just these */
    bool exchanged; /* and that is that they stand in each other's place */
} gpai_named;

/* The likeliest idea: several inputs, the first suspect first; none where it is one. */
gpai_named gpai_view_idea(const gpai_view *v);

/* What the likeliest idea says, where it has more than half; else the first input and
 * those that are at fault with more than 80 % each, too. Of an explanation with a
 * verdict and inputs. */
gpai_named gpai_view_named(const gpai_view *v);

/* Whether input k is among them, or a category of a choice that is. */
bool gpai_view_has(const gpai_view *v, const gpai_named *w, size_t k);

/* Whether two inputs are categories of one choice, where nobody says what they are:
 * they share one probability. */
bool gpai_view_one_choice(const gpai_view *v, size_t j, size_t k);

#endif

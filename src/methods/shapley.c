#include "methods/shapley.h"
#include "base/status.h"

size_t gpai_shapley_players(const gpai_attribute *w)
{
    const unsigned char *frozen = w->explain->frozen;
    size_t players = 0;
    for (size_t k = 0; k < w->s->d; k++)
        players += frozen == NULL || !frozen[k];
    return players;
}

/* Exact values cost nothing more than sampled ones only for few inputs and reference
 * rows. Given draws are to be replayed. */
static bool exact(const gpai_attribute *w)
{
    enum { FEW = 12 }; /* chosen: 4096 subsets of one reference row are one batch */
    if (w->opt->shapley != GPA_SHAPLEY_AUTO || w->opt->sv_rows != NULL)
        return w->opt->shapley == GPA_SHAPLEY_EXACT;
    return gpai_shapley_players(w) <= FEW &&
           gpai_shapley_exact_rows(w) <= gpai_shapley_sample_rows(w);
}

gpa_status gpai_shapley(gpai_attribute *w)
{
    w->a->extra_name = "f(x) - mean f";
    if (!exact(w))
        return gpai_shapley_sample(w);
    if (gpai_shapley_players(w) > GPAI_SHAPLEY_MOST)
        return gpai_fail(
            w->err, GPA_INVALID,
            "sv: exact values of %zu inputs are out of reach (at most %d): "
            "sample them, or freeze inputs",
            gpai_shapley_players(w), GPAI_SHAPLEY_MOST);
    return gpai_shapley_exact(w);
}

#include "base/rng.h"
#include "methods/path.h"

enum { STREAM_ROWS = 3 }; /* of the seed: 0 to 2 serve slopes and samples */

/* Every reference row, or a seeded choice: each is taken with the probability that
 * brings the number out, so that one pass in their order is enough. */
static gpa_status ask_rows(gpai_attribute *w, gpai_path *p)
{
    const gpa_sample *all = w->opt->reference;
    size_t wanted = w->opt->eig_rows;
    gpai_rng rng = gpai_rng_make(w->explain->seed, STREAM_ROWS);
    gpa_status st = GPA_OK;
    for (size_t r = 0; r < all->n && wanted > 0 && st == GPA_OK; r++) {
        size_t left = all->n - r;
        if (wanted < left && gpai_rng_unit(&rng) * (double)left >= (double)wanted)
            continue;
        wanted--;
        st = gpai_path_ask(p, all->x + r * w->s->d, gpai_reference_f(w, r));
    }
    return st;
}

/* Expected integrated gradients: the mean of ig over reference rows as baselines. */
gpa_status gpai_eig(gpai_attribute *w)
{
    size_t all = w->opt->reference->n, wanted = w->opt->eig_rows;
    gpai_path p;
    gpa_status st = gpai_path_open(&p, w, wanted);
    if (st == GPA_OK)
        st = ask_rows(w, &p);
    if (st == GPA_OK)
        st = gpai_path_finish(&p, "f(x) - mean f");
    if (st == GPA_OK && wanted < all) {
        gpai_differences_error(&p.q, all);
        gpai_attribution_note(w->a, "eig: %zu of %zu reference rows, chosen by seed",
                              wanted, all);
    }
    gpai_path_close(&p);
    return st;
}

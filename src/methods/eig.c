#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include "methods/path.h"

enum { STREAM_ROWS = 3 }; /* of the seed: 0 to 2 serve slopes and samples */

/* The paths from reference row r to all rows. */
static gpa_status ask_row(gpai_attribute *w, gpai_path *p, gpai_differences *q,
                          size_t r, double *from)
{
    const gpa_sample *s = w->s;
    gpa_status st = GPA_OK;
    double f = gpai_reference_f(w, r);
    for (size_t t = 0; t < s->n && st == GPA_OK; t++) {
        const double *x = s->x + t * s->d;
        gpai_hold_frozen(w, x, w->opt->reference->x + r * s->d, from);
        st = gpai_path_ask(p, q, (gpai_end){from, f}, (gpai_end){x, s->f[t]},
                           1 / (double)s->n);
    }
    return st == GPA_OK ? gpai_differences_fold(q) : st;
}

/* Every reference row, or a seeded choice: each is taken with the probability that
 * brings the number out, so that one pass in their order is enough. */
static gpa_status ask_rows(gpai_attribute *w, gpai_path *p, gpai_differences *q,
                           double *from)
{
    size_t all = w->opt->reference->n, wanted = w->opt->eig_rows;
    gpai_rng rng = gpai_rng_make(w->explain->seed, STREAM_ROWS);
    gpa_status st = GPA_OK;
    for (size_t r = 0; r < all && wanted > 0 && st == GPA_OK; r++) {
        size_t left = all - r;
        if (wanted < left && gpai_rng_unit(&rng) * (double)left >= (double)wanted)
            continue;
        wanted--;
        st = ask_row(w, p, q, r, from);
    }
    return st;
}

/* Expected integrated gradients: the mean of ig over reference rows as baselines. */
gpa_status gpai_eig(gpai_attribute *w)
{
    size_t d = w->s->d, all = w->opt->reference->n, wanted = w->opt->eig_rows;
    gpai_path p = {0};
    gpai_differences q = {0};
    double *from = gpai_calloc(d, sizeof *from);
    gpa_status st =
        from == NULL ? gpai_nomem(w->err, "eig") : gpai_path_open(&p, w, wanted);
    if (st == GPA_OK)
        st = gpai_differences_open(&q, w,
                                   (uint64_t)wanted * w->s->n * gpai_path_rows(&p, d));
    if (st == GPA_OK)
        st = ask_rows(w, &p, &q, from);
    if (st == GPA_OK)
        st = gpai_differences_finish(&q);
    w->a->extra_name = "f(x) - mean f";
    if (st == GPA_OK)
        gpai_path_note(&p, w);
    if (st == GPA_OK && wanted < all) {
        gpai_differences_error(&q, all);
        gpai_attribution_note(w->a, "eig: %zu of %zu reference rows, chosen by seed",
                              wanted, all);
    }
    gpai_differences_close(&q);
    gpai_path_close(&p);
    gpai_free(from);
    return st;
}

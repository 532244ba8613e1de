#include "engine/surrogate/work.h"
#include "base/alloc.h"
#include "base/status.h"

/* Draws of the prior before the rounds. */
size_t gpai_surrogate_first(const gpai_surrogate *w)
{
    return w->draws < 2 * GPAI_SURROGATE_FIRST ? w->draws / 2 : GPAI_SURROGATE_FIRST;
}

size_t gpai_surrogate_round(const gpai_surrogate *w, size_t first)
{
    size_t per = (w->draws - first + GPAI_SURROGATE_ROUNDS - 1) / GPAI_SURROGATE_ROUNDS;
    return per > GPAI_SURROGATE_ROUND ? per : GPAI_SURROGATE_ROUND;
}

/* Draws of a test. */
size_t gpai_surrogate_tests(const gpai_surrogate *w)
{
    return w->draws >= GPAI_SURROGATE_FIRST ? GPAI_SURROGATE_TEST : 0;
}

/* Draws that are kept for tests: for two, where there are enough. */
size_t gpai_surrogate_kept(const gpai_surrogate *w)
{
    size_t enough = GPAI_SURROGATE_FIRST + GPAI_SURROGATE_LEAST * GPAI_SURROGATE_ROUND;
    return (w->draws > enough ? 2 : 1) * gpai_surrogate_tests(w);
}

static size_t values_of(const gpai_surrogate *w, size_t axis)
{
    return w->cells.quantiles.axis[axis].values;
}

static void lay_out_values(gpai_surrogate *w, gpai_arena *a)
{
    size_t all = 0;
    w->wide = w->axes == 1 ? GPAI_SWEEP_ALONE : GPAI_SWEEP_FINE;
    for (size_t i = 0; i < w->axes; i++) {
        all += values_of(w, i);
        w->wide = values_of(w, i) > w->wide ? values_of(w, i) : w->wide;
    }
    w->middle = gpai_take_bytes(a, w->axes, sizeof *w->middle);
    w->middles = gpai_take(a, all, 1);
}

static void lay_out_sweeps(gpai_surrogate *w, gpai_arena *a)
{
    w->sweeps = (gpai_sweeps){.k = &w->kriging,
                              .quantiles = &w->cells.quantiles,
                              .most_chains = GPAI_SURROGATE_CHAINS,
                              .most_sweeps = GPAI_SURROGATE_FINAL_SWEEPS};
    gpai_sweeps_lay_out(&w->sweeps, a);
    w->chain = gpai_take(a, GPAI_SURROGATE_CHAINS, w->axes);
    w->before = gpai_take(a, w->axes, w->wide);
    GPAI_TAKE_EACH(a, w->axes, 1, &w->centre, &w->scale);
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_surrogate *w = work;
    w->lik = gpai_take_bytes(a, GPAI_SURROGATE_FITS * w->n, sizeof *w->lik);
    w->table = gpai_take(a, GPAI_SURROGATE_FITS * w->n, GPAI_WIDENED + 1);
    GPAI_TAKE_EACH(a, w->n, 1, &w->error, &w->v_t);
    w->z = gpai_take(a, w->draws, w->axes);
    w->f = gpai_take(a, w->draws, w->n);
    GPAI_TAKE_EACH(a, w->draws, 1, &w->log_w, &w->root);
    w->log_q = gpai_take(a, GPAI_SURROGATE_FITS, w->ld);
    w->met = gpai_take_bytes(a, w->axes * GPAI_SURROGATE_TENTHS, sizeof *w->met);
    w->delta = gpai_take(a, w->batch + 1, w->p->d);
    w->snapped = gpai_take(a, GPAI_SURROGATE_CHUNK, w->axes);
    w->predicted = gpai_take(a, w->n, GPAI_SURROGATE_CHUNK);
    w->known_z = gpai_take(a, w->most, w->axes);
    w->known_f = gpai_take(a, w->most, w->n);
    w->use = gpai_take_bytes(a, w->paid->known, sizeof *w->use);
    for (size_t i = 0; i < GPAI_SURROGATE_FITS; i++)
        gpai_kriging_fit_lay_out(&w->fit[i], &w->kriging, a);
    lay_out_values(w, a);
    lay_out_sweeps(w, a);
}

static void lay_out_free(void *work, gpai_arena *a)
{
    gpai_surrogate *w = work;
    w->free_draws = (gpai_free_draws){.axes = w->axes, .room = GPAI_SURROGATE_FREE};
    gpai_free_draws_lay_out(&w->free_draws, a);
}

static void fill_middles(gpai_surrogate *w)
{
    double *at = w->middles;
    for (size_t i = 0; i < w->axes; i++) {
        const gpai_quantiles_axis *a = &w->cells.quantiles.axis[i];
        w->middle[i] = a->values > 0 ? at : NULL;
        for (size_t j = 0; j < a->values; j++)
            *at++ = gpai_lines_z(&w->cells.quantiles, i, a->value[j]);
    }
}

gpa_status gpai_surrogate_open(gpai_surrogate *w, const gpai_profile *profile,
                               uint64_t seed, uint64_t stream, gpa_error *err)
{
    bool lines = profile != NULL;
    gpa_status st = gpai_cells_open(&w->cells, w->s, err);
    if (st == GPA_OK && lines)
        st = gpai_lines_open(&w->lines, &w->cells.quantiles, profile, err);
    if (st == GPA_OK)
        st = gpai_kriging_open(&w->kriging, w->axes, w->n, w->draws + w->most,
                               lines ? &w->lines.warp : NULL, err);
    w->rng = gpai_rng_make(seed, stream);
    uint64_t first = gpai_rng_bits(&w->rng), second = gpai_rng_bits(&w->rng);
    w->moves = gpai_rng_make(second, 1);
    if (st == GPA_OK)
        st = gpai_sobol_open(&w->prior, w->axes, first, 0, err);
    if (st == GPA_OK)
        st = gpai_sobol_open(&w->free, w->axes, second, 1, err);
    if (st != GPA_OK)
        return st;
    w->block = gpai_carve(lay_out, w);
    w->free_block = gpai_carve_bare(lay_out_free, w);
    if (w->block == NULL || w->free_block == NULL)
        return gpai_nomem(err, "marginals");
    w->kriging.design = w->draws;
    fill_middles(w);
    return GPA_OK;
}

void gpai_surrogate_close(gpai_surrogate *w)
{
    gpai_free(w->free_block);
    gpai_free(w->block);
    gpai_sobol_close(&w->free);
    gpai_sobol_close(&w->prior);
    gpai_kriging_close(&w->kriging);
    gpai_lines_close(&w->lines);
    gpai_cells_close(&w->cells);
}

/* n places z as the surrogate knows them: all of a value are one. */
void gpai_surrogate_snap(const gpai_surrogate *w, double *z, size_t n)
{
    for (size_t k = 0; k < w->axes; k++) {
        const gpai_quantiles_axis *a = &w->cells.quantiles.axis[k];
        for (size_t i = 0; i < n && w->middle[k] != NULL; i++)
            z[i * w->axes + k] =
                w->middle[k][gpai_quantiles_index(a, z[i * w->axes + k])];
    }
}

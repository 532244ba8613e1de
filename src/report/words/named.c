#include "report/words/named.h"
#include "report/words/sentence.h"
#include <math.h>
#include <string.h>

bool gpai_view_one_choice(const gpai_view *v, size_t j, size_t k)
{
    const gpa_culprit *c = v->c;
    const size_t both[2] = {j, k};
    if (v->info->inputs != NULL || j == k || c->probability[j] != c->probability[k] ||
        c->single[j] != c->single[k])
        return false;
    for (int i = 0; i < 2; i++) {
        double x = v->x[both[i]], move = gpai_raw(c->median[both[i]], v->unit[both[i]]);
        if ((x != 0 && x != 1) || (move != 0 && fabs(move) != 1))
            return false;
    }
    return true;
}

bool gpai_view_has(const gpai_view *v, const gpai_named *w, size_t k)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->input[i] == k || gpai_view_one_choice(v, w->input[i], k))
            return true;
    return false;
}

/* Ideas that have no majority each may have inputs in common, and these are as sure as
 * one has to be that is accused alone (engine/culprit/verdict.c). */
static void take_sure(const gpai_view *v, gpai_named *w)
{
    static const double SURE = 0.8;
    for (size_t i = 0; i < v->inputs && w->n < 3; i++) {
        if (w->n > 0 && !(gpai_view_blame(v, v->order[i]) > SURE))
            return;
        if (!gpai_view_has(v, w, v->order[i]))
            w->input[w->n++] = v->order[i];
    }
}

/* By the numbers that are shown; what is shown alike by what each would explain alone.
 */
static bool is_before(const gpai_view *v, size_t j, size_t k)
{
    double p = gpai_view_blame(v, j), q = gpai_view_blame(v, k);
    bool alike = strcmp(gpai_cell_percent(p).text, gpai_cell_percent(q).text) == 0;
    return alike ? v->c->single[j] > v->c->single[k] : p > q;
}

static void sort(const gpai_view *v, gpai_named *w)
{
    for (size_t i = 1; i < w->n; i++)
        for (size_t at = i; at > 0 && is_before(v, w->input[at], w->input[at - 1]);
             at--) {
            size_t k = w->input[at];
            w->input[at] = w->input[at - 1];
            w->input[at - 1] = k;
        }
}

gpai_named gpai_view_idea(const gpai_view *v)
{
    const gpa_culprit *c = v->c;
    gpai_named w = {.just = gpai_view_just(v)};
    w.exchanged = c->exchanged && c->n_likeliest == 2;
    for (size_t i = 0; c->n_likeliest > 1 && i < c->n_likeliest; i++)
        w.input[w.n++] = v->kinds.first[c->likeliest[i]];
    sort(v, &w);
    return w;
}

gpai_named gpai_view_named(const gpai_view *v)
{
    gpai_named w = {.n = 0};
    if (gpai_view_just(v))
        return gpai_view_idea(v);
    take_sure(v, &w);
    sort(v, &w);
    return w;
}

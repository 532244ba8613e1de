#include "cli/background.h"
#include "cli/say.h"
#include <stdlib.h>
#include <string.h>

/* How many evenly spaced rows there may be. */
static size_t most_rows(size_t d)
{
    size_t most = d > 0 ? BACKGROUND_NUMBERS / d : BACKGROUND_ROWS;
    return most > BACKGROUND_ROWS ? BACKGROUND_ROWS : most > 0 ? most : 1;
}

static size_t mark(bool *kept, const struct load *l, const struct selection *chosen,
                   size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < most; i++) /* i n / most, without overflow */
        kept[i * (l->n / most) + i * (l->n % most) / most] = true;
    for (size_t i = 0; i < chosen->n; i++)
        kept[chosen->rows[i]] = true;
    for (size_t i = 0; i < l->n; i++)
        n += kept[i];
    return n;
}

static void copy(struct background *b, const struct load *l, const bool *kept, size_t n)
{
    size_t d = l->d, at = 0;
    double *x = b->numbers, *y = x + n * d, *f = y + n, *score = f + n;
    for (size_t i = 0; i < l->n; i++) {
        if (!kept[i])
            continue;
        memcpy(x + at * d, l->x + i * d, d * sizeof *x);
        y[at] = l->y[i];
        f[at] = l->f[i];
        score[at] = l->score[i];
        b->rows[at++] = i;
    }
    b->view = (gpa_background){.n = n,
                               .d = d,
                               .total = l->n,
                               .rows = b->rows,
                               .x = x,
                               .y = y,
                               .f = f,
                               .score = score};
}

gpa_status background_make(struct background *b, const struct load *l,
                           const struct selection *chosen, gpa_error *err)
{
    size_t most = most_rows(l->d);
    b->view = l->all;
    if (l->n <= most)
        return GPA_OK;
    bool *kept = room(l->n, sizeof *kept);
    size_t n = kept != NULL ? mark(kept, l, chosen, most) : 0;
    b->rows = kept != NULL ? room(n, sizeof *b->rows) : NULL;
    /* no more than the table took */
    b->numbers = kept != NULL ? room(n * (l->d + 3), sizeof *b->numbers) : NULL;
    gpa_status st = GPA_OK;
    if (b->rows == NULL || b->numbers == NULL)
        st = fail(err, GPA_NOMEM, "out of memory");
    else
        copy(b, l, kept, n);
    free(kept);
    return st;
}

void background_free(struct background *b)
{
    free(b->numbers);
    free(b->rows);
}

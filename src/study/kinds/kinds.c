#include "study/kinds.h"
#include "base/alloc.h"
#include "base/status.h"
#include "study/kinds/parts.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BREAKS_ONE_IN = 200 };

size_t gpai_kinds_tolerated(size_t n)
{
    return n >= 2 * BREAKS_ONE_IN ? n / BREAKS_ONE_IN : 1;
}

void *gpai_kinds_room(gpai_known_kinds *k, size_t n, size_t size)
{
    if (!gpai_grow(&k->kept, &k->room, k->n_kept + 1, sizeof *k->kept))
        return NULL;
    void *room = gpai_calloc(n > 0 ? n : 1, size);
    if (room != NULL)
        k->kept[k->n_kept++] = room;
    return room;
}

char *gpai_kinds_text(gpai_known_kinds *k, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : gpai_kinds_room(k, (size_t)length + 1, 1);
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

/* The names, one after another, behind the pointers to them. */
static const char **copy_names(gpai_known_kinds *k, const char *const *name, size_t n)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += strlen(name[i]) + 1;
    const char **out = gpai_kinds_room(k, n, sizeof *out);
    char *text = out == NULL ? NULL : gpai_kinds_room(k, size, 1);
    for (size_t i = 0; text != NULL && i < n; i++) {
        out[i] = strcpy(text, name[i]);
        text += strlen(text) + 1;
    }
    return text == NULL ? NULL : out;
}

gpa_status gpai_kinds_put_levels(gpai_known_kinds *k, size_t i, const double *value,
                                 const char *const *name, size_t n, gpa_error *err)
{
    gpa_input *in = &k->input[i];
    double *copy = gpai_kinds_room(k, n, sizeof *copy);
    const char **names = name == NULL ? NULL : copy_names(k, name, n);
    if (copy == NULL || (name != NULL && names == NULL))
        return gpai_nomem(err, "kinds");
    for (size_t l = 0; l < n; l++)
        copy[l] = value != NULL ? value[l] : (double)l;
    in->levels = n;
    in->level = copy;
    in->level_name = names;
    in->rare = NULL;
    return GPA_OK;
}

struct seen {
    size_t count, first, level;
};

static int most_seen(const void *a, const void *b)
{
    const struct seen *s = a, *t = b;
    if (s->count != t->count)
        return s->count > t->count ? -1 : 1;
    return s->first < t->first ? -1 : s->first > t->first;
}

gpa_status gpai_kinds_mark_rare(gpai_known_kinds *k, size_t i, const size_t *count,
                                const size_t *first, gpa_error *err)
{
    gpa_input *in = &k->input[i];
    unsigned char *rare = gpai_kinds_room(k, in->levels, 1);
    struct seen *order = gpai_calloc(in->levels + 1, sizeof *order);
    gpa_status st = GPA_OK;
    if (rare == NULL || order == NULL) {
        st = gpai_nomem(err, "kinds");
        goto done;
    }
    for (size_t l = 0; l < in->levels; l++)
        order[l] = (struct seen){count[l], first[l], l};
    qsort(order, in->levels, sizeof *order, most_seen);
    for (size_t r = 0; r < in->levels; r++)
        if (r >= GPAI_MOST_PROPOSED || order[r].count == 0)
            rare[order[r].level] = 1;
    in->rare = memchr(rare, 1, in->levels) != NULL ? rare : NULL;
done:
    gpai_free(order);
    return st;
}

bool gpai_kinds_is_constant(const gpai_known_kinds *k, size_t i)
{
    return k->input[i].kind == GPA_KIND_HELD && k->input[i].inferred &&
           k->reason[i] != NULL && strcmp(k->reason[i], GPAI_ONE_VALUE) == 0;
}

gpa_status gpai_kinds_stray(gpai_known_kinds *k, size_t i, double always,
                            const char *const *truths, gpa_error *err)
{
    gpa_input *in = &k->input[i];
    gpa_status st = GPA_OK;
    if (in->writing != GPA_WRITING_LEVEL)
        st = gpai_kinds_put_levels(k, i, truths != NULL ? NULL : &always, truths,
                                   truths != NULL ? 2 : 1, err);
    unsigned char *rare = st == GPA_OK ? gpai_kinds_room(k, in->levels, 1) : NULL;
    if (rare == NULL)
        return gpai_nomem(err, "kinds");
    for (size_t l = 0; l < in->levels; l++)
        rare[l] = in->level[l] != always;
    in->rare = in->levels > 1 ? rare : NULL;
    in->kind = GPA_KIND_CHOICE;
    return GPA_OK;
}

gpa_status gpai_kinds_infer(gpai_known_kinds *k, const gpai_kind_column *columns,
                            size_t d, size_t n, gpa_error *err)
{
    *k = (gpai_known_kinds){.d = d,
                            .input = gpai_calloc(d, sizeof *k->input),
                            .reason = gpai_calloc(d, sizeof *k->reason)};
    if (k->input == NULL || k->reason == NULL)
        return gpai_nomem(err, "kinds");
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < d && st == GPA_OK; i++)
        st = gpai_kinds_infer_column(k, i, &columns[i], n, err);
    if (st == GPA_OK)
        st = gpai_kinds_infer_groups(k, columns, n, err);
    return st;
}

void gpai_kinds_close(gpai_known_kinds *k)
{
    for (size_t i = 0; i < k->n_kept; i++)
        gpai_free(k->kept[i]);
    gpai_free(k->kept);
    gpai_free(k->input);
    gpai_free(k->reason);
    *k = (gpai_known_kinds){.d = 0};
}

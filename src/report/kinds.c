#include "report/kinds.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/view.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* All arrays in one block; those of groups are only as long as there are any. */
struct plan {
    gpai_kinds *s;
    const gpa_report_info *info;
    size_t grouped, levels; /* columns in groups; levels of all groups */
    gpai_placed *order;     /* grouped: the columns by group */
    double *level;
    const char **level_name;
    char *labels; /* names with units, one after the other */
    size_t label_bytes;
    char *room; /* d names of columns that have none, or of groups */
};

enum { ROOM = 48 };

static const gpa_input NUMBER = {.kind = GPA_KIND_NUMBER,
                                 .low = (double)NAN,
                                 .high = (double)NAN,
                                 .missing = (double)NAN};

static void lay_out(void *work, gpai_arena *a)
{
    struct plan *p = work;
    size_t d = p->s->d;
    p->s->input = gpai_take_bytes(a, d, sizeof *p->s->input);
    p->s->name = gpai_take_bytes(a, d, sizeof *p->s->name);
    p->s->label = gpai_take_bytes(a, d, sizeof *p->s->label);
    p->labels = gpai_take_bytes(a, p->label_bytes, 1);
    p->s->first = gpai_take_bytes(a, d, sizeof *p->s->first);
    p->s->seen = gpai_take_bytes(a, d, sizeof *p->s->seen);
    p->order = gpai_take_bytes(a, p->grouped, sizeof *p->order);
    p->level = gpai_take(a, p->levels, 1);
    p->level_name = gpai_take_bytes(a, p->levels, sizeof *p->level_name);
    bool nameless = p->info->features == NULL;
    p->room = gpai_take_bytes(a, nameless || p->grouped > 0 ? d : 0, ROOM);
}

/* Each column by itself. */
static void take_columns(struct plan *p)
{
    gpai_kinds *s = p->s;
    for (size_t k = 0; k < s->d; k++) {
        const gpa_input *in = p->info->inputs != NULL ? &p->info->inputs[k] : &NUMBER;
        char *room = p->info->features == NULL ? p->room + k * ROOM : NULL;
        s->input[k] = *in;
        if (in->level == NULL)
            s->input[k].levels = 0;
        s->name[k] = gpai_name_input(p->info, k, room);
        s->first[k] = k;
    }
}

/* "red/blue/green", or only the first where that is too long. */
static const char *joined(const struct plan *p, size_t from, size_t to)
{
    char *room = p->room + p->order[from].k * ROOM;
    const char *first = p->s->name[p->order[from].k];
    size_t used = 0;
    if (first == room) /* made for a column that has none */
        return first;
    for (size_t i = from; i < to; i++) {
        const char *name = p->s->name[p->order[i].k];
        size_t length = strlen(name);
        if (used + length + 1 > ROOM)
            return first;
        memcpy(room + used, name, length);
        room[used + length] = '/';
        used += length + 1;
    }
    room[used - 1] = '\0';
    return room;
}

/* One choice in place of the columns from..to of the order. */
static void take_group(struct plan *p, size_t from, size_t to)
{
    gpai_kinds *s = p->s;
    size_t first = p->order[from].k, n = 0;
    gpa_input one = s->input[first];
    one.level = p->level;
    one.level_name = p->level_name;
    one.rare = NULL;
    if (one.dropped) {
        p->level[0] = -1;
        p->level_name[n++] = GPAI_NO_LEVEL;
    }
    for (size_t i = from; i < to; i++, n++) {
        const gpa_input *in = &s->input[p->order[i].k];
        p->level[n] = (double)(i - from);
        p->level_name[n] = in->label != NULL ? in->label : s->name[p->order[i].k];
    }
    one.levels = n;
    p->level += n;
    p->level_name += n;
    const char *name = one.name != NULL ? one.name : joined(p, from, to);
    for (size_t i = from; i < to; i++) {
        s->input[p->order[i].k] = one;
        s->name[p->order[i].k] = name;
        s->first[p->order[i].k] = first;
    }
}

static void take_groups(struct plan *p)
{
    const gpai_kinds *s = p->s;
    size_t n = 0;
    for (size_t k = 0; k < s->d && p->grouped > 0; k++)
        if (s->input[k].group > 0) /* by falling -group */
            p->order[n++] = (gpai_placed){-(double)s->input[k].group, 0, k};
    gpai_placed_sort(p->order, n);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && p->order[to].first == p->order[from].first;)
            to++;
        take_group(p, from, to);
    }
}

/* The unit of column k; NULL where it has none, or is one of a group. */
static const char *unit_of(const gpa_report_info *info, size_t k)
{
    bool grouped = info->inputs != NULL && info->inputs[k].group > 0;
    return info->units != NULL && !grouped ? info->units[k] : NULL;
}

/* What all names with units take; those of columns without a name are short. */
static size_t label_bytes(const gpa_report_info *info, size_t d)
{
    size_t bytes = 0;
    char room[GPAI_NAME_SIZE];
    for (size_t k = 0; k < d; k++)
        if (unit_of(info, k) != NULL)
            bytes += strlen(gpai_name_input(info, k, room)) + strlen(unit_of(info, k)) +
                     sizeof " []";
    return bytes;
}

static void take_labels(struct plan *p)
{
    char *next = p->labels, *end = p->labels + p->label_bytes;
    for (size_t k = 0; k < p->s->d; k++) {
        const char *unit = unit_of(p->info, k);
        p->s->label[k] = unit != NULL ? next : p->s->name[k];
        if (unit != NULL)
            next += 1 + snprintf(next, (size_t)(end - next), "%s [%s]", p->s->name[k],
                                 unit);
    }
}

static bool plain(const gpa_input *in)
{
    return (in->kind == GPA_KIND_NUMBER || in->kind == GPA_KIND_HELD) && !in->whole &&
           in->writing == GPA_WRITING_NUMBER && in->level_name == NULL;
}

gpa_status gpai_kinds_make(gpai_kinds *s, const gpa_report_info *info, size_t d,
                           gpa_error *err)
{
    struct plan p = {.s = s, .info = info};
    *s = (gpai_kinds){.d = d};
    for (size_t k = 0; info->inputs != NULL && k < d; k++) {
        p.grouped += info->inputs[k].group > 0;
        p.levels += info->inputs[k].group > 0 ? 2 : 0; /* each may lack a level */
    }
    p.label_bytes = label_bytes(info, d);
    s->block = gpai_carve(lay_out, &p);
    if (s->block == NULL)
        return gpai_nomem(err, "report");
    take_columns(&p);
    take_groups(&p);
    take_labels(&p);
    for (size_t k = 0; k < d; k++) {
        if (s->first[k] == k)
            s->seen[s->n++] = k;
        s->mixed = s->mixed || !plain(&s->input[k]);
    }
    return GPA_OK;
}

void gpai_kinds_free(gpai_kinds *s)
{
    gpai_free(s->block);
    s->block = NULL;
}

bool gpai_has_levels(const gpai_kinds *s, size_t k)
{
    const gpa_input *in = &s->input[k];
    return in->levels > 0 && (in->kind == GPA_KIND_FLAG || in->kind == GPA_KIND_CHOICE);
}

bool gpai_is_group(const gpai_kinds *s, size_t k)
{
    return s->input[k].group > 0;
}

bool gpai_is_date(const gpai_kinds *s, size_t k)
{
    return s->input[k].writing == GPA_WRITING_DATE ||
           s->input[k].writing == GPA_WRITING_TIME;
}

bool gpai_is_text(const gpai_kinds *s, size_t k)
{
    return s->input[k].writing == GPA_WRITING_LEVEL;
}

bool gpai_is_whole(const gpai_kinds *s, size_t k)
{
    return s->input[k].kind == GPA_KIND_WHOLE ||
           (s->input[k].kind == GPA_KIND_NUMBER && s->input[k].whole);
}

/* The place of the only 1 of a group, in row + change (NULL: none). */
static double place_of(const gpai_kinds *s, size_t k, const double *row,
                       const double *change)
{
    static const double ROUNDING = 1e-9;
    double place = -1, next = 0;
    for (size_t j = s->first[k]; j < s->d; j++) {
        if (s->first[j] != s->first[k])
            continue;
        double x = row[j] + (change != NULL ? change[j] : 0);
        if (isnan(x))
            return (double)NAN;
        if (fabs(x) > ROUNDING)
            place = place == -1 && fabs(x - 1) < ROUNDING ? next : GPAI_NOT_ONE;
        next++;
    }
    return place;
}

double gpai_value_in(const gpai_kinds *s, size_t k, const double *row)
{
    return gpai_is_group(s, k) ? place_of(s, k, row, NULL) : row[k];
}

double gpai_value_moved(const gpai_kinds *s, size_t k, const double *row,
                        const double *change)
{
    return gpai_is_group(s, k) ? place_of(s, k, row, change) : row[k] + change[k];
}

double gpai_level_near(const gpai_kinds *s, size_t k, double value)
{
    const gpa_input *in = &s->input[k];
    double near = value;
    for (size_t i = 0; i < in->levels; i++)
        if (i == 0 || fabs(in->level[i] - value) < fabs(near - value))
            near = in->level[i];
    return isnan(value) || in->levels == 0 ? value : near;
}

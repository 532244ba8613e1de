#include "base/alloc.h"
#include "base/status.h"
#include "base/text/input.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "study/kinds/parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "taken as: …", in one line. */

enum { MOST_NAMES = 12, MOST_PHRASES = 48, WHAT_SIZE = 128, TAIL_SIZE = 48 };

/* Order in which they are told. */
enum sort { FLAGS, WHOLES, CHOICES, NUMBERS, DATES, HELD, MISSING };

/* Inputs of which the same is said: "sex, smoker 0/1". */
struct phrase {
    enum sort sort;
    char what[WHAT_SIZE];
    size_t n, input[MOST_NAMES]; /* the first of them */
};

struct telling {
    const gpai_known_kinds *k;
    const char *const *names;
    size_t *columns; /* by group: how many it has */
    struct phrase phrase[MOST_PHRASES];
    size_t n, others; /* others: inputs beyond the last phrase */
};

static enum sort sort_of(const gpa_input *in)
{
    bool date = in->writing == GPA_WRITING_DATE || in->writing == GPA_WRITING_TIME;
    switch (in->kind) {
    case GPA_KIND_FLAG:
        return FLAGS;
    case GPA_KIND_WHOLE:
        return WHOLES;
    case GPA_KIND_CHOICE:
        return CHOICES;
    case GPA_KIND_HELD:
        return HELD;
    case GPA_KIND_NUMBER:
    default:
        return date ? DATES : NUMBERS;
    }
}

/* Numbers of a few digits. */
struct shown {
    char text[GPAI_REAL_SIZE];
};

static struct shown show(double v)
{
    struct shown s;
    gpai_real_digits(s.text, v, 6);
    return s;
}

static void say_numbers(char *out, const gpa_input *in)
{
    const char *what = in->kind == GPA_KIND_WHOLE ? "whole numbers" : "numbers";
    const char *to = in->low < 0 ? " to " : "-";
    if (!isnan(in->low) && !isnan(in->high))
        snprintf(out, WHAT_SIZE, "%s %.40s%s%.40s", what, show(in->low).text, to,
                 show(in->high).text);
    else if (!isnan(in->low) || !isnan(in->high))
        snprintf(out, WHAT_SIZE, "%s %s %.40s", what, isnan(in->high) ? "from" : "to",
                 show(isnan(in->high) ? in->low : in->high).text);
    else
        snprintf(out, WHAT_SIZE, "%s", what);
}

static void say_dates(char *out, const gpa_input *in)
{
    const char *what = in->writing == GPA_WRITING_DATE ? "dates" : "times";
    char low[GPAI_INPUT_ROOM], high[GPAI_INPUT_ROOM];
    bool from = !isnan(in->low), to = !isnan(in->high);
    snprintf(out, WHAT_SIZE, "%s%s%s%s%s", what,
             !from ? ""
             : to  ? " "
                   : " from ",
             from ? gpai_input_text(in, in->low, low) : "", to ? " to " : "",
             to ? gpai_input_text(in, in->high, high) : "");
}

static void say_flag(char *out, const gpa_input *in)
{
    char room[2][GPAI_INPUT_ROOM];
    const char *no = gpai_input_text(in, in->level[0], room[0]);
    const char *yes = gpai_input_text(in, in->level[1], room[1]);
    snprintf(out, WHAT_SIZE, "%.60s/%.60s", gpai_show_text(no).text,
             gpai_show_text(yes).text);
}

/* How many levels are proposed, and the first of them. */
static size_t proposed(const gpa_input *in, double *first)
{
    size_t n = 0;
    for (size_t l = in->levels; l-- > 0;)
        if (in->rare == NULL || !in->rare[l]) {
            *first = in->level[l];
            n++;
        }
    return n;
}

/* A choice that nobody has is a value that a row strays from. */
static void say_choice(const struct telling *t, char *out, const gpa_input *in)
{
    char room[GPAI_INPUT_ROOM];
    double only = 0;
    if (in->group == 0 && proposed(in, &only) == 1)
        snprintf(out, WHAT_SIZE, "always %.60s",
                 gpai_show_text(gpai_input_text(in, only, room)).text);
    else
        snprintf(out, WHAT_SIZE, "one of %zu",
                 in->group > 0 ? t->columns[in->group] + in->dropped : in->levels);
}

/* What is said of an input. */
static void say(const struct telling *t, size_t i, char out[WHAT_SIZE])
{
    const gpa_input *in = &t->k->input[i];
    switch (sort_of(in)) {
    case FLAGS:
        say_flag(out, in);
        break;
    case CHOICES:
        say_choice(t, out, in);
        break;
    case DATES:
        say_dates(out, in);
        break;
    case HELD:
        snprintf(out, WHAT_SIZE, "held: %.100s", t->k->reason[i]);
        break;
    case WHOLES:
    case NUMBERS:
    case MISSING:
    default:
        say_numbers(out, in);
    }
}

static void add(struct telling *t, size_t i, enum sort sort, const char *what)
{
    size_t p = 0;
    while (p < t->n &&
           (t->phrase[p].sort != sort || strcmp(t->phrase[p].what, what) != 0))
        p++;
    if (p == MOST_PHRASES) {
        t->others += sort != MISSING;
        return;
    }
    struct phrase *phrase = &t->phrase[p];
    if (p == t->n) {
        t->n++;
        phrase->sort = sort;
        memcpy(phrase->what, what, WHAT_SIZE);
    }
    if (phrase->n < MOST_NAMES)
        phrase->input[phrase->n] = i;
    phrase->n++;
}

/* The first column of a group stands for it. */
static void collect(struct telling *t)
{
    for (size_t i = 0; i < t->k->d; i++)
        t->columns[t->k->input[i].group]++;
    for (size_t i = 0; i < t->k->d; i++) {
        const gpa_input *in = &t->k->input[i];
        char what[WHAT_SIZE] = "";
        if (!isnan(in->missing)) {
            snprintf(what, sizeof what, "%.60s taken as missing in",
                     show(in->missing).text);
            add(t, i, MISSING, what);
        }
        if (in->group > 0 && t->columns[in->group] == 0)
            continue;
        say(t, i, what);
        add(t, i, sort_of(in), what);
        t->columns[in->group] = 0; /* told */
    }
}

struct line {
    char *out;
    size_t size, used;
    bool full; /* something did not fit */
};

static void put(struct line *l, const char *text)
{
    size_t length = strlen(text);
    l->full = l->full || l->used + length >= l->size;
    if (l->full)
        return;
    memcpy(l->out + l->used, text, length + 1);
    l->used += length;
}

static void put_names(struct line *l, const struct telling *t, const struct phrase *p,
                      size_t most)
{
    char more[TAIL_SIZE];
    size_t shown = p->n < most ? p->n : most;
    for (size_t j = 0; j < shown; j++) {
        const gpa_input *in = &t->k->input[p->input[j]];
        const char *name =
            in->name != NULL && p->sort != MISSING ? in->name : t->names[p->input[j]];
        put(l, j > 0 ? ", " : "");
        put(l, gpai_show_text(name).text);
    }
    snprintf(more, sizeof more, " and %zu more", p->n - shown);
    put(l, p->n > shown ? more : "");
}

static void put_phrase(struct line *l, const struct telling *t, const struct phrase *p,
                       size_t most)
{
    if (p->sort == MISSING) {
        put(l, p->what);
        put(l, " ");
    }
    put_names(l, t, p, most);
    if (p->sort != MISSING) {
        put(l, " ");
        put(l, p->what);
    }
}

/* At most so many names of a phrase. Whether all fitted; what did not is counted. */
static bool tell(const struct telling *t, size_t most, struct line *l)
{
    size_t left = t->others, told = 0;
    l->used = 0;
    l->full = false;
    put(l, "taken as: ");
    l->size -= TAIL_SIZE;
    for (enum sort sort = FLAGS; sort <= MISSING; sort++)
        for (size_t p = 0; p < t->n; p++) {
            struct line before = *l;
            if (t->phrase[p].sort != sort)
                continue;
            put(l, told > 0 ? "; " : "");
            put_phrase(l, t, &t->phrase[p], most);
            told += !l->full;
            left += l->full && sort != MISSING ? t->phrase[p].n : 0;
            *l = l->full ? before : *l;
        }
    l->size += TAIL_SIZE;
    l->out[l->used] = '\0';
    char more[TAIL_SIZE];
    snprintf(more, sizeof more, "%s%zu more", told > 0 ? "; and " : "", left);
    put(l, left > 0 ? more : "");
    return left == t->others;
}

gpa_status gpai_kinds_line(const gpai_known_kinds *k, const char *const *names,
                           char *out, size_t size, gpa_error *err)
{
    struct telling *t = gpai_calloc(1, sizeof *t);
    struct line l = {.out = out, .size = size};
    size_t *columns = gpai_calloc(k->d + 1, sizeof *columns);
    gpa_status st = t == NULL || columns == NULL ? gpai_nomem(err, "kinds") : GPA_OK;
    out[0] = '\0';
    if (st == GPA_OK) {
        *t = (struct telling){.k = k, .names = names, .columns = columns};
        collect(t);
        for (size_t most = MOST_NAMES; most > 0 && !tell(t, most, &l);)
            most /= 2;
    }
    gpai_free(columns);
    gpai_free(t);
    return st;
}

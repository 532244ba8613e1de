#ifndef GPA_WATCH_LINES_SEEN_H
#define GPA_WATCH_LINES_SEEN_H
#include "watch/lines/fields.h"
#include "watch/lines/map.h"

/* Rows by their --id: which came before, and halves of rows that wait for the other
 * half. Of a fixed size: the oldest are forgotten. */

enum { SEEN_MOST = 65536 };

struct seen {
    struct map map;
    uint64_t *ring; /* SEEN_MOST, the n-th from the beginning at n % SEEN_MOST */
    uint64_t n;
};

bool seen_open(struct seen *s); /* false without memory */
void seen_close(struct seen *s);
bool seen_before(const struct seen *s, uint64_t key);
void seen_add(struct seen *s, uint64_t key);

/* Half a row. */
struct half {
    uint64_t key; /* 0: it was completed */
    uint64_t at;  /* rows before it */
    double time;  /* seconds */
    bool has_x;
    double y;
    char id[ID_MOST + 1];
};

/* Those that wait, in the order they came. */
struct halves {
    struct map map;
    struct half *half;
    double *x; /* d each */
    size_t d, room;
    uint64_t first, last; /* from the beginning; the n-th is at n % room */
    uint64_t rows;        /* --wait N: rows after which one has waited too long; or 0 */
    double seconds;       /* --wait Ns; or 0 */
};

/* --wait N|Ns. */
gpa_status halves_open(struct halves *h, size_t d, const char *wait, gpa_error *err);
void halves_close(struct halves *h);

struct half *halves_find(const struct halves *h, uint64_t key);
double *half_x(const struct halves *h, const struct half *x);
/* Another one; there must be room (halves_late). */
void halves_add(struct halves *h, const struct half *half, const double *x);
void halves_drop(struct halves *h, struct half *x);

/* One that has waited too long, or for which there is no room; NULL: none. */
struct half *halves_late(struct halves *h, uint64_t at, double now);
struct half *halves_oldest(struct halves *h); /* NULL: none waits */

#endif

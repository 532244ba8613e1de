#include "watch/state.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "console/inputs.h"
#include "console/pack.h"
#include "console/terminal.h"
#include "data/slurp.h"
#include "watch/place.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[] = "gpa-watch-state/1\n";
enum { STATE_MOST = 1 << 30 };

/* The same calls write and read. */
struct store {
    gpa_text *to; /* NULL: it is read */
    const char *from, *end;
    bool bad;
};

static void bytes(struct store *s, void *at, size_t n)
{
    if (s->to != NULL) {
        gpai_text_bytes(s->to, at, n);
    } else if (s->bad || (size_t)(s->end - s->from) < n) {
        s->bad = true;
        memset(at, 0, n);
    } else {
        memcpy(at, s->from, n);
        s->from += n;
    }
}

#define STORE(s, thing) bytes(s, &(thing), sizeof(thing))

static void text(struct store *s, gpa_text *t)
{
    uint64_t n = t->length;
    STORE(s, n);
    if (s->to != NULL) {
        gpai_text_bytes(s->to, t->data, t->length);
        return;
    }
    gpa_text_clear(t);
    if (n > (uint64_t)(s->end - s->from))
        s->bad = true;
    if (!s->bad)
        gpai_text_bytes(t, s->from, n);
    s->from += s->bad ? 0 : n;
}

/* A number that must be what it is. */
static void same(struct store *s, uint64_t value)
{
    uint64_t there = value;
    STORE(s, there);
    s->bad = s->bad || there != value;
}

/* Whether anything is known yet; how long --out was, and how it ended. */
static void store_head(struct store *s, struct watch *w, uint64_t *known)
{
    same(s, 0x0102030405060708u); /* this machine's order of bytes */
    STORE(s, *known);
    STORE(s, w->written);
    STORE(s, w->out_key);
}

/* The first lines, where what is normal was taken from them. */
static void store_warm(struct store *s, struct warm *w)
{
    STORE(s, w->good);
    uint64_t any = w->rows != NULL;
    same(s, any);
    if (any == 0)
        return;
    text(s, w->header);
    text(s, w->rows);
}

/* What the question rests on: the answers are the same only for the same. */
struct question {
    char options[GPA_DIGEST_SIZE], data[GPA_DIGEST_SIZE], model[GPA_DIGEST_SIZE];
};

static gpa_status ask(const struct watch *w, struct question *q, gpa_error *err)
{
    gpa_text *t = NULL;
    gpai_options o = *w->a;
    const char *data = gpa_table_digest(w->reference);
    memset(q, 0, sizeof *q);
    o.file = NULL;
    o.given[OPT_REFERENCE] = false; /* what is in it counts, not its name */
    gpa_status st = gpa_text_new(&t, err);
    if (st != GPA_OK)
        return st;
    gpai_options_record(t, &o, NULL);
    gpa_digest(t->data, t->length, q->options);
    gpa_digest(data, strlen(data), q->data);
    memcpy(q->model, w->base->model_digest, strlen(w->base->model_digest));
    gpa_text_free(t);
    return GPA_OK;
}

static gpa_status compare(const struct watch *w, const struct question *q,
                          const struct question *now, gpa_error *err)
{
    const char *what =
        strcmp(q->data, now->data) != 0         ? "another reference"
        : strcmp(q->options, now->options) != 0 ? "other options, or another model"
        : strcmp(q->model, now->model) != 0     ? "a model that predicts otherwise"
                                                : NULL;
    if (what == NULL)
        return GPA_OK;
    return gpai_fail(err, GPA_INVALID,
                     "--state: %.200s was saved with %s; name another file, or remove "
                     "it to begin anew",
                     w->a->text[OPT_STATE], what);
}

static void store_normal(struct store *s, struct normal *n)
{
    same(s, n->n);
    same(s, n->d);
    if (s->bad)
        return;
    bytes(s, n->block, (n->n + 2) * (n->d + 2) * sizeof *n->block);
    STORE(s, n->now.sigma);
    STORE(s, n->force);
    STORE(s, n->taught);
    STORE(s, n->factor);
}

static void store_episodes(struct store *s, struct episodes *e)
{
    for (size_t i = 0; i < EPISODES; i++) {
        struct episode *x = &e->all[i];
        double *own[] = {x->x, x->y, x->f, x->blame};
        x->x = x->y = x->f = x->blame = NULL;
        STORE(s, *x);
        x->x = own[0];
        x->y = own[1];
        x->f = own[2];
        x->blame = own[3];
        s->bad = s->bad || x->kept > EPISODE_ROWS;
    }
    bytes(s, e->block,
          EPISODES * (EPISODE_ROWS * (e->d + 2) + e->d + 1) * sizeof *e->block);
    STORE(s, e->opened);
    STORE(s, e->due);
}

static void store_seen(struct store *s, struct seen *n)
{
    same(s, n->ring != NULL);
    if (n->ring == NULL || s->bad)
        return;
    STORE(s, n->n);
    size_t used = n->n < SEEN_MOST ? (size_t)n->n : SEEN_MOST;
    bytes(s, n->ring, used * sizeof *n->ring);
    for (size_t i = 0; s->to == NULL && i < used; i++)
        if (n->ring[i] != 0 && map_find(&n->map, n->ring[i]) == NULL)
            map_put(&n->map, n->ring[i], 0);
}

static void store_halves(struct store *s, struct halves *h)
{
    uint64_t n = h->half != NULL ? h->last - h->first : 0;
    same(s, h->room);
    STORE(s, n);
    if (h->half == NULL || s->bad || n > h->room) {
        s->bad = s->bad || n > 0;
        return;
    }
    for (uint64_t i = 0; i < n && !s->bad; i++) {
        struct half one = h->half[(h->first + i) % h->room];
        if (s->to == NULL)
            h->last++;
        STORE(s, one);
        bytes(s, h->x + (h->first + i) % h->room * h->d, h->d * sizeof *h->x);
        if (s->to != NULL)
            continue;
        one.time = seconds_now(); /* the clock of another start says nothing */
        one.id[ID_MOST] = '\0';
        h->half[(h->first + i) % h->room] = one;
        if (one.key != 0 && map_find(&h->map, one.key) == NULL)
            map_put(&h->map, one.key, (h->first + i) % h->room);
    }
}

static void store_rest(struct store *s, struct watch *w)
{
    store_normal(s, &w->judge.normal);
    store_episodes(s, &w->judge.episodes);
    store_seen(s, &w->seen);
    store_halves(s, &w->halves);
    STORE(s, w->taken);
    STORE(s, w->judge.at);
    STORE(s, w->judge.counts);
    text(s, w->header);
    STORE(s, w->position);
}

static gpa_status damaged(const struct watch *w, const char *why, gpa_error *err)
{
    return gpai_fail(
        err, GPA_DATA,
        "--state: %.200s %s; name another file, or remove it to begin anew",
        w->a->text[OPT_STATE], why);
}

gpa_status state_name(const gpai_options *a, gpa_error *err)
{
    const char *path = a->text[OPT_STATE], *out = a->text[OPT_WATCH_OUT];
    struct file_id id, other;
    struct stat file;
    struct pack *pack = NULL;
    bool both = out != NULL && file_identify(path, &id) && file_identify(out, &other) &&
                file_same(&id, &other);
    gpa_status st = pack_open(&pack, path, err);
    if (st == GPA_OK && pack != NULL)
        st = gpai_fail(err, GPA_INVALID,
                       "--state: %.200s: a state is not compressed: name it without "
                       ".gz or .zst",
                       path);
    else if (st == GPA_OK && both)
        st = gpai_fail(err, GPA_INVALID, "--state and --out would both go to %.200s",
                       path);
    else if (st == GPA_OK && (strcmp(path, "-") == 0 ||
                              (stat(path, &file) == 0 && !S_ISREG(file.st_mode))))
        st = gpai_fail(err, GPA_INVALID, "--state: %.200s is no file that can be kept",
                       path);
    pack_close(pack);
    return st;
}

/* Two watches with one state would each forget what the other knows. */
static gpa_status check_own(const struct watch *w, gpa_error *err)
{
    const char *path = w->a->text[OPT_STATE];
    const struct stat *own = &w->state_file;
    struct stat now;
    if (own->st_ino == 0 || stat(path, &now) != 0 ||
        (now.st_dev == own->st_dev && now.st_ino == own->st_ino &&
         now.st_mtim.tv_sec == own->st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == own->st_mtim.tv_nsec))
        return GPA_OK;
    return gpai_fail(err, GPA_IO,
                     "%.200s was written by another process: every watch needs a "
                     "state of its own",
                     path);
}

gpa_status state_read(struct watch *w, bool *there, bool *known, gpa_error *err)
{
    char *all = NULL, digest[GPA_DIGEST_SIZE];
    const char *path = w->a->text[OPT_STATE];
    struct stat file;
    size_t size = 0, head = sizeof MAGIC - 1;
    uint64_t any = 0;
    *known = false;
    *there = stat(path, &file) == 0 || errno != ENOENT;
    if (!*there)
        return GPA_OK;
    gpa_status st = gpai_slurp(&all, &size, path, STATE_MOST, err);
    if (st != GPA_OK)
        return st;
    if (size < head + GPA_DIGEST_SIZE || memcmp(all, MAGIC, head) != 0) {
        gpai_free(all);
        return damaged(w, "is no state of gpa watch", err);
    }
    size -= GPA_DIGEST_SIZE;
    memset(digest, 0, sizeof digest);
    gpa_digest(all, size, digest);
    if (memcmp(all + size, digest, sizeof digest) != 0) {
        gpai_free(all);
        return damaged(w, "is damaged: its checksum is another one", err);
    }
    w->state_file = file;
    gpai_text_bytes(w->state, all + head, size - head);
    gpai_free(all);
    struct store s = {.from = w->state->data, .end = w->state->data + w->state->length};
    store_head(&s, w, &any);
    *known = any != 0;
    if (*known)
        store_warm(&s, &w->warm);
    w->state_at = (size_t)(s.from - w->state->data);
    if (s.bad)
        return gpai_fail(err, GPA_INVALID,
                         "--state: %.200s was saved %s --reference, or on another kind "
                         "of machine; name another file, or remove it to begin anew",
                         path, w->warm.rows != NULL ? "with" : "without");
    return gpai_text_seal(w->state, 0, err);
}

gpa_status state_take(struct watch *w, gpa_error *err)
{
    struct question q, now;
    struct store s = {.from = w->state->data + w->state_at,
                      .end = w->state->data + w->state->length};
    gpa_status st = ask(w, &now, err);
    if (st == GPA_OK) {
        STORE(&s, q);
        q.options[GPA_DIGEST_SIZE - 1] = q.data[GPA_DIGEST_SIZE - 1] = '\0';
        q.model[GPA_DIGEST_SIZE - 1] = '\0';
        st = s.bad ? damaged(w, "ends too early", err) : compare(w, &q, &now, err);
    }
    if (st != GPA_OK)
        return st;
    store_rest(&s, w);
    normal_settle(&w->judge.normal);
    gpa_text_clear(w->state);
    return s.bad ? damaged(w, "does not fit these options: --id, --wait", err) : GPA_OK;
}

gpa_status state_save(struct watch *w, gpa_error *err)
{
    char digest[GPA_DIGEST_SIZE] = {0};
    struct question q;
    gpa_text *t = w->state;
    struct store s = {.to = t};
    struct outputs own = {.given = w->a};
    uint64_t known = w->open;
    gpa_status st = w->open ? ask(w, &q, err) : GPA_OK;
    if (st == GPA_OK)
        st = place_out_key(w, &w->out_key, err);
    gpa_text_clear(t);
    gpai_text_add(t, MAGIC);
    store_head(&s, w, &known);
    if (w->open) {
        store_warm(&s, &w->warm);
        STORE(&s, q);
        store_rest(&s, w);
    }
    gpa_digest(t->data, t->length, digest);
    gpai_text_bytes(t, digest, sizeof digest);
    if (st == GPA_OK)
        st = gpai_text_seal(t, 0, err);
    if (st == GPA_OK && w->out.path != NULL && fsync(w->out.fd) != 0 && errno != EINVAL)
        st = gpai_fail(err, GPA_IO, "cannot write %.200s: %s", w->out.path,
                       strerror(errno));
    if (st == GPA_OK)
        st = check_own(w, err);
    if (st == GPA_OK)
        st = out_whole(&own, w->a->text[OPT_STATE], t, err);
    if (st == GPA_OK && stat(w->a->text[OPT_STATE], &w->state_file) != 0)
        w->state_file.st_ino = 0;
    gpa_text_clear(t);
    return st;
}

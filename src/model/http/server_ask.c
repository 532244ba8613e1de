#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/http/server.h"
#include <math.h>
#include <string.h>

/* The most that a reply may have: more than any sensible one by far. */
enum { REPLY_BYTES = 1 << 20, REPLY_BYTES_PER_ROW = 1 << 10 };

/* The most that the texts of a request may have. */
enum { REQUEST_TEXTS = 1 << 28 };

/* A call under way. */
struct call {
    const gpai_server *server;
    const double *x;
    size_t n, d, batch;
    size_t from; /* rows before it are done */
    gpai_asked asked;
    bool binary;
    double *y;
};

static size_t piece(const struct call *c, size_t i, size_t *start)
{
    *start = c->from + i * c->batch;
    return c->n - *start < c->batch ? c->n - *start : c->batch;
}

static gpai_rows some_rows(const struct call *c, size_t start, size_t n)
{
    return (gpai_rows){.x = c->x + start * c->d,
                       .n = n,
                       .d = c->d,
                       .asked = gpai_asked_from(c->asked, start),
                       .json = !c->binary,
                       .frame = c->server->protocol->frame,
                       .who = c->server->endpoint.who,
                       .kinds = &c->server->kinds};
}

static gpa_status write_piece(void *self, size_t i, gpai_transfer *t, gpa_error *err)
{
    const struct call *c = self;
    const gpai_server *s = c->server;
    size_t start = 0, n = piece(c, i, &start);
    gpai_rows rows = some_rows(c, start, n);
    gpa_status st = gpai_tensors_check(&s->in, &rows, err);
    if (st != GPA_OK)
        return st;
    t->most = REPLY_BYTES + n * REPLY_BYTES_PER_ROW;
    s->protocol->write(s, &rows, t);
    return GPA_OK;
}

static gpa_status read_piece(void *self, size_t i, const gpai_transfer *t,
                             gpa_error *err)
{
    const struct call *c = self;
    size_t start = 0, n = piece(c, i, &start);
    const gpai_answer a = {.who = c->server->endpoint.who,
                           .bytes = t->reply.size > 0 ? t->reply.at : "",
                           .size = t->reply.size,
                           .head = c->server->protocol->binary ? t->reply_head : 0,
                           .output = c->server->output,
                           .asked = gpai_asked_from(c->asked, start)};
    return c->server->protocol->read(&a, n, c->y + start, err);
}

static gpa_status ask(gpai_http *h, struct call *c, size_t pieces, bool once,
                      double deadline, bool *other, gpa_error *err)
{
    gpai_job job = {.self = c,
                    .requests = pieces,
                    .url = c->server->url,
                    .once = once,
                    .deadline = deadline,
                    .write = write_piece,
                    .read = read_piece};
    gpa_status st = gpai_http_run(h, &job, err);
    /* a no that has nothing to do with how the rows are written */
    static const long plain[] = {401, 403, 404, 413, 429, 503};
    *other = st == GPA_MODEL;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        *other = *other && job.status != plain[i];
    return st;
}

double gpai_server_deadline(const gpai_server *s)
{
    return s->endpoint.timeout > 0 ? gpai_http_now() + s->endpoint.timeout : 0;
}

/* What a message says after the server's address; what is long is cut. */
static void strip(const gpai_server *s, const gpa_error *err, char out[128])
{
    const char *text = err->message;
    size_t n = strlen(s->endpoint.who);
    text += strncmp(text, s->endpoint.who, n) == 0 ? n : 0;
    text += strspn(text, ": ");
    text += strncmp(text, "reply: ", 7) == 0 ? 7 : 0;
    gpai_show_line(out, 128, text, strlen(text));
}

/* Neither way went well: both reasons, when they differ. */
static gpa_status fail_both(const gpai_server *s, const gpa_error *binary,
                            const gpa_error *json, gpa_error *err)
{
    char first[128], second[128];
    strip(s, binary, first);
    strip(s, json, second);
    if (json->status != GPA_MODEL || strcmp(first, second) == 0)
        return gpai_fail(err, json->status, "%s", json->message);
    return gpai_fail(err, GPA_MODEL, "%s: binary reply: %s; JSON: %s", s->endpoint.who,
                     first, second);
}

/* The first piece finds out whether the server takes binary tensors: one that does not
 * answers anything but predictions, and is asked again in JSON. */
static gpa_status probe(gpai_handle *h, struct call *c, gpa_error *err)
{
    gpai_server *s = h->server;
    double deadline = gpai_server_deadline(s);
    gpa_error first = {GPA_OK, ""}, second = {GPA_OK, ""};
    bool other = false;
    c->binary = true;
    gpa_status st = ask(h->http, c, 1, true, deadline, &other, &first);
    if (st != GPA_OK && !other)
        return gpai_fail(err, st, "%s", first.message);
    if (other) {
        c->binary = false;
        st = ask(h->http, c, 1, false, deadline, &other, &second);
        if (st != GPA_OK)
            return fail_both(s, &first, &second, err);
    }
    if (st == GPA_OK)
        atomic_store(&s->binary, c->binary ? 1 : -1);
    return st;
}

static gpa_status ask_all(gpai_handle *h, struct call *c, gpa_error *err)
{
    gpai_server *s = h->server;
    bool other = false;
    if (atomic_load(&s->binary) == 0) {
        gpa_status st = probe(h, c, err);
        if (st != GPA_OK)
            return st;
        c->from = c->n < c->batch ? c->n : c->batch;
    }
    c->binary = atomic_load(&s->binary) > 0;
    size_t rest = c->n - c->from, pieces = rest / c->batch + (rest % c->batch > 0);
    return pieces == 0 ? GPA_OK : ask(h->http, c, pieces, false, 0, &other, err);
}

/* Whether row i is made of numbers that the tensors' types have. */
static bool fits(const struct call *c, size_t i)
{
    const gpai_rows row = some_rows(c, i, 1);
    return gpai_tensors_check(&c->server->in, &row, NULL) == GPA_OK;
}

/* Puts a row that fits in the place of each that does not, so that pieces and the
 * numbers of rows stay the same. GPA_MODEL when none fits. */
static gpa_status mend(gpai_handle *h, struct call *c, gpa_error *err)
{
    const gpai_rows all = some_rows(c, 0, c->n);
    size_t good = 0, size = c->n * c->d;
    while (good < c->n && !fits(c, good))
        good++;
    if (good == c->n)
        return gpai_tensors_check(&c->server->in, &all, err);
    if (!gpai_grow(&h->mended, &h->room, size, sizeof *h->mended))
        return gpai_nomem(err, c->server->protocol->url.kind);
    for (size_t i = 0; i < c->n; i++)
        memcpy(h->mended + i * c->d, c->x + (fits(c, i) ? i : good) * c->d,
               c->d * sizeof *c->x);
    c->x = h->mended;
    return GPA_OK;
}

/* A row that cannot be written in the tensors' types has no prediction: NaN. */
static gpa_status predict(gpai_handle *h, struct call *c, gpa_error *err)
{
    struct call given = *c;
    given.binary = true; /* JSON has fewer numbers, but that is no matter of types */
    const gpai_rows all = some_rows(&given, 0, c->n);
    if (gpai_tensors_check(&h->server->in, &all, NULL) == GPA_OK)
        return ask_all(h, c, err);
    struct call mended = given;
    gpa_status st = mend(h, &mended, err);
    if (st == GPA_OK)
        st = ask_all(h, &mended, err);
    for (size_t i = 0; st == GPA_OK && i < c->n; i++)
        if (!fits(&given, i))
            c->y[i] = (double)NAN;
    return st;
}

/* Whether the codes are those of levels, and their names fit into a request. */
static gpa_status check_texts(const gpai_server *s, const double *x, size_t n,
                              gpai_asked asked, size_t batch, gpa_error *err)
{
    size_t rows = n < batch ? n : batch;
    if (s->kinds.longest > 0 && rows > REQUEST_TEXTS / s->kinds.longest)
        return gpai_fail(err, GPA_INVALID,
                         "%s: texts of up to %zu bytes in each of %zu rows: send fewer "
                         "at once, --batch %zu",
                         s->endpoint.who, s->kinds.longest, rows,
                         REQUEST_TEXTS / s->kinds.longest);
    return gpai_kinds_check(&s->kinds, x, n, asked, s->endpoint.who, err);
}

gpa_status gpai_server_predict_all(void *self, const double *x, size_t n, size_t d,
                                   gpai_asked asked, size_t batch, double *y,
                                   gpa_error *err)
{
    gpai_handle *h = self;
    struct call c = {.server = h->server,
                     .x = x,
                     .n = n,
                     .d = d,
                     .asked = asked,
                     .batch = h->server->in.one_row ? 1 : batch,
                     .y = y};
    gpa_status st = check_texts(h->server, x, n, asked, c.batch, err);
    if (st == GPA_OK)
        st = predict(h, &c, err);
    if (st != GPA_OK)
        gpai_endpoint_hush(&h->server->endpoint, err);
    return st;
}

#include "base/status.h"
#include "model/http/server.h"

/* The most that a reply may have: more than any sensible one by far. */
enum { REPLY_BYTES = 1 << 20, REPLY_BYTES_PER_ROW = 1 << 10 };

/* A call under way. */
struct call {
    const gpai_server *server;
    const double *x;
    size_t n, d, batch;
    size_t from; /* rows before it are done */
    bool binary;
    double *y;
};

static size_t piece(const struct call *c, size_t i, size_t *start)
{
    *start = c->from + i * c->batch;
    return c->n - *start < c->batch ? c->n - *start : c->batch;
}

static gpa_status write_piece(void *self, size_t i, gpai_link *l, gpa_error *err)
{
    const struct call *c = self;
    const gpai_server *s = c->server;
    size_t start = 0, n = piece(c, i, &start);
    gpai_rows rows = {.x = c->x + start * c->d,
                      .n = n,
                      .d = c->d,
                      .first = start,
                      .json = !c->binary,
                      .who = s->site.who};
    gpa_status st = gpai_tensors_check(&s->in, &rows, err);
    if (st != GPA_OK)
        return st;
    l->most = REPLY_BYTES + n * REPLY_BYTES_PER_ROW;
    s->protocol->write(s, &rows, l);
    return GPA_OK;
}

static gpa_status read_piece(void *self, size_t i, const gpai_link *l, gpa_error *err)
{
    const struct call *c = self;
    size_t start = 0, n = piece(c, i, &start);
    const gpai_answer a = {.who = c->server->site.who,
                           .bytes = l->reply.size > 0 ? l->reply.at : "",
                           .size = l->reply.size,
                           .head = c->server->protocol->binary ? l->reply_head : 0,
                           .output = c->server->output,
                           .first = start};
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
    return s->site.timeout > 0 ? gpai_http_now() + s->site.timeout : 0;
}

/* The first piece finds out whether the server takes binary tensors: one that does not
 * answers anything but predictions, and is asked again in JSON. */
static gpa_status probe(gpai_handle *h, struct call *c, gpa_error *err)
{
    gpai_server *s = h->server;
    double deadline = gpai_server_deadline(s);
    gpa_error first = {GPA_OK, ""};
    bool other = false;
    c->binary = true;
    gpa_status st = ask(h->http, c, 1, true, deadline, &other, &first);
    if (st != GPA_OK && !other)
        return gpai_fail(err, st, "%s", first.message);
    if (other) {
        c->binary = false;
        st = ask(h->http, c, 1, false, deadline, &other, err);
    }
    if (st == GPA_OK)
        atomic_store(&s->binary, c->binary ? 1 : -1);
    return st;
}

gpa_status gpai_server_predict_all(void *self, const double *x, size_t n, size_t d,
                                   size_t batch, double *y, gpa_error *err)
{
    gpai_handle *h = self;
    gpai_server *s = h->server;
    struct call c = {.server = s,
                     .x = x,
                     .n = n,
                     .d = d,
                     .batch = s->in.one_row ? 1 : batch,
                     .y = y};
    bool other = false;
    if (atomic_load(&s->binary) == 0) {
        gpa_status st = probe(h, &c, err);
        if (st != GPA_OK)
            return st;
        c.from = n < c.batch ? n : c.batch;
    }
    c.binary = atomic_load(&s->binary) > 0;
    size_t rest = n - c.from, pieces = rest / c.batch + (rest % c.batch > 0);
    return pieces == 0 ? GPA_OK : ask(h->http, &c, pieces, false, 0, &other, err);
}

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/exec/children.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows that are asked in one request. */
struct batch {
    const double *x;
    gpai_asked asked;
    uint32_t rows, inputs;
    double *y;
};

/* What came back instead of predictions. */
struct complaint {
    bool made;
    char text[256]; /* its beginning, fit for a message */
};

/* "rows 3 to 7", from the k-th on. */
static void name_rows(char out[GPAI_WRONG], const char *before, const struct batch *b,
                      size_t k)
{
    const char *word = gpai_asked_word(b->asked);
    size_t last = gpai_asked_number(b->asked, b->rows - 1);
    if (k + 1 < b->rows)
        snprintf(out, GPAI_WRONG, "%s %ss %zu to %zu", before, word,
                 gpai_asked_number(b->asked, k), last);
    else
        snprintf(out, GPAI_WRONG, "%s %s %zu", before, word, last);
}

/* What a batch still waits for when it has k of its predictions, in the words of
 * gpai_children_lose. */
static void tell_missing(char what[GPAI_WRONG], gpai_talk t, const struct batch *b,
                         size_t k)
{
    name_rows(what, t == GPAI_TALK_LATE ? "no prediction for" : "before it predicted",
              b, k);
}

static gpai_talk hear_head(gpai_reply *r, gpai_child *c, gpai_sending *s,
                           const struct batch *b, int64_t deadline,
                           char what[GPAI_WRONG])
{
    unsigned char head[64];
    size_t got = 0, more = 0;
    gpai_talk t = gpai_wire_read(c, s, head, GPAI_HEAD_BYTES, &got, deadline);
    if (got >= 4 && !gpai_frame_reply(r, head, got, b->rows, b->asked, what)) {
        (void)gpai_wire_stray(c, head + got, sizeof head - got, &more);
        (void)gpai_frame_reply(r, head, got + more, b->rows, b->asked, what);
        return GPAI_TALK_WRONG;
    }
    if (t != GPAI_TALK_FINE)
        tell_missing(what, t, b, 0);
    return t;
}

static gpai_talk hear_complaint(struct complaint *to, gpai_child *c, gpai_sending *s,
                                size_t size, int64_t deadline)
{
    char kept[1024], rest[4096];
    size_t keep = size < sizeof kept ? size : sizeof kept, got = 0;
    gpai_talk t = gpai_wire_read(c, s, kept, keep, &got, deadline);
    gpai_show_line(to->text, sizeof to->text, kept, got);
    to->made = true;
    for (size -= keep; t == GPAI_TALK_FINE && size > 0; size -= got) {
        got = 0;
        t = gpai_wire_read(c, s, rest, size < sizeof rest ? size : sizeof rest, &got,
                           deadline);
    }
    return t;
}

/* Sends a batch and hears the answer: predictions, or a complaint. A child that has not
 * been told what the inputs are is told now. */
static gpai_talk ask(const gpai_children *p, gpai_child *c, const struct batch *b,
                     int64_t deadline, struct complaint *complaint,
                     char what[GPAI_WRONG])
{
    unsigned char head[GPAI_HEAD_BYTES];
    gpai_sending s = {{p->tell, head, b->x},
                      {c->told < p->telling ? p->tell_size : 0, sizeof head,
                       (size_t)b->rows * b->inputs * sizeof *b->x}};
    c->told = p->telling;
    gpai_reply r = {0};
    size_t got = 0;
    gpai_frame_request(head, b->rows, b->inputs);
    gpai_talk t = hear_head(&r, c, &s, b, deadline, what);
    if (t != GPAI_TALK_FINE)
        return t;
    if (r.size > 0)
        t = hear_complaint(complaint, c, &s, r.size, deadline);
    else
        t = gpai_wire_read(c, &s, b->y, b->rows * sizeof *b->y, &got, deadline);
    if (t != GPAI_TALK_FINE) {
        tell_missing(what, t, b, got / sizeof *b->y);
    } else if (gpai_sending_left(&s) > 0) {
        snprintf(what, GPAI_WRONG, "answered before it had read all of the rows");
        t = GPAI_TALK_WRONG;
    } else if (gpai_children_look(c, what) == GPAI_TALK_WRONG) {
        t = GPAI_TALK_WRONG; /* one that left after its answer has answered */
    }
    return t;
}

enum { UNUSUAL = 288 };

/* "; input 'bmi' is missing, and 2 more": no numbers, or none of 32 bits, which many
 * models refuse; of a single row. */
static void name_unusual(char out[UNUSUAL], const gpai_children *p,
                         const struct batch *b)
{
    size_t first = 0, n = 0;
    double value = 0;
    for (size_t k = b->inputs; b->rows == 1 && k-- > 0;) {
        double v = b->x[k];
        (void)gpai_frame_swap(&v, 1);
        if (fabs(v) <= (double)FLT_MAX)
            continue;
        first = k;
        value = v;
        n++;
    }
    char name[192], is[32] = "missing", more[40] = "";
    if (p->kinds.column != NULL)
        snprintf(name, sizeof name, "'%s'",
                 gpai_show_text(p->kinds.column[first]).text);
    else
        snprintf(name, sizeof name, "%zu", first + 1);
    if (n > 1)
        snprintf(more, sizeof more, ", and %zu more", n - 1);
    if (!isnan(value))
        snprintf(is, sizeof is, "%g", value);
    out[0] = '\0';
    if (n > 0)
        snprintf(out, UNUSUAL, "; input %s is %s%s", name, is, more);
}

static gpa_status complain(const gpai_children *p, const struct batch *b,
                           const struct complaint *complaint, gpa_error *err)
{
    char rows[GPAI_WRONG], inputs[UNUSUAL];
    name_rows(rows, "", b, 0);
    name_unusual(inputs, p, b);
    return gpai_fail(err, GPA_MODEL, "exec: %s:%s: %s%s", p->who.text, rows,
                     complaint->text[0] != '\0' ? complaint->text
                                                : "failed, and gives no reason",
                     inputs);
}

/* Whether the child complains about these rows of a batch, too; an answer of another
 * kind, or none, ends the search. */
static gpai_talk complains(gpai_children *p, const struct batch *b, size_t from,
                           size_t n, struct complaint *why)
{
    struct batch some = {.x = b->x + from * b->inputs,
                         .asked = gpai_asked_from(b->asked, from),
                         .rows = (uint32_t)n,
                         .inputs = b->inputs,
                         .y = b->y + from};
    char what[GPAI_WRONG] = "";
    int64_t deadline = 0;
    gpai_child *c = NULL;
    *why = (struct complaint){0};
    if (gpai_children_take(&c, p, &deadline, NULL) != GPA_OK)
        return GPAI_TALK_ENDED;
    gpai_talk t = ask(p, c, &some, deadline, why, what);
    if (t == GPAI_TALK_FINE)
        gpai_children_give(p, c);
    else
        (void)gpai_children_lose(p, c, t, what, NULL);
    return t;
}

/* The first row of a batch that is complained about by itself: the batch, and what is
 * said, become that row's. Of a complaint about all rows, or only about several at
 * once, the batch is left as it is. */
static void find_row(gpai_children *p, struct batch *b, struct complaint *why)
{
    struct complaint said;
    size_t from = 0, n = b->rows;
    if (n < 2 || complains(p, b, n - 1, 1, &said) != GPAI_TALK_FINE)
        return;
    if (said.made && (complains(p, b, 0, 1, &said) != GPAI_TALK_FINE || said.made))
        return;
    while (n > 1) {
        if (complains(p, b, from, n / 2, &said) != GPAI_TALK_FINE)
            return;
        from += said.made ? 0 : n / 2;
        n = said.made ? n / 2 : n - n / 2;
    }
    if (complains(p, b, from, 1, &said) != GPAI_TALK_FINE || !said.made)
        return;
    b->asked = gpai_asked_from(b->asked, from);
    b->x += from * b->inputs;
    b->rows = 1;
    *why = said;
}

/* A child that ends gets a successor with the same rows, once. */
static gpa_status predict_batch(gpai_children *p, const struct batch *b, gpa_error *err)
{
    int64_t deadline = 0;
    gpa_status st = GPA_OK;
    gpai_talk t = GPAI_TALK_ENDED;
    for (int attempt = 0; attempt < 2 && t == GPAI_TALK_ENDED; attempt++) {
        char what[GPAI_WRONG] = "";
        struct complaint complaint = {0};
        gpai_child *c = NULL;
        st = gpai_children_take(&c, p, &deadline, err);
        if (st != GPA_OK)
            return st;
        t = ask(p, c, b, deadline, &complaint, what);
        if (t == GPAI_TALK_FINE)
            gpai_children_give(p, c);
        else if (attempt > 0 && t == GPAI_TALK_ENDED)
            strncat(what, ", like the one before it", GPAI_WRONG - strlen(what) - 1);
        if (t != GPAI_TALK_FINE)
            st = gpai_children_lose(p, c, t, what, err);
        if (complaint.made) { /* even if it then left, or had not read all */
            struct batch row = *b;
            if (t == GPAI_TALK_FINE)
                find_row(p, &row, &complaint);
            return complain(p, &row, &complaint, err);
        }
    }
    return st;
}

/* x as the frames have it, where that is not what this machine has. */
static gpa_status swapped(double **out, const double *x, size_t n, gpa_error *err)
{
    double one = 1;
    *out = NULL;
    if (!gpai_frame_swap(&one, 1))
        return GPA_OK;
    *out = gpai_calloc(n, sizeof **out);
    if (*out == NULL)
        return gpai_nomem(err, "exec");
    memcpy(*out, x, n * sizeof *x);
    (void)gpai_frame_swap(*out, n);
    return GPA_OK;
}

static gpa_status predict_all(void *self, const double *x, size_t n, size_t d,
                              gpai_asked asked, size_t batch, double *y, gpa_error *err)
{
    const gpai_children *p = self;
    double *copy = NULL;
    if (d > UINT32_MAX)
        return gpai_fail(err, GPA_INVALID, "exec: %zu inputs, at most %u are possible",
                         d, (unsigned)UINT32_MAX);
    if (batch > UINT32_MAX)
        batch = UINT32_MAX;
    gpa_status st = gpai_kinds_check(&p->kinds, x, n, asked, p->called, err);
    if (st == GPA_OK)
        st = swapped(&copy, x, n * d, err);
    for (size_t i = 0; i < n && st == GPA_OK; i += batch) {
        struct batch b = {.x = (copy != NULL ? copy : x) + i * d,
                          .asked = gpai_asked_from(asked, i),
                          .rows = (uint32_t)(n - i < batch ? n - i : batch),
                          .inputs = (uint32_t)d,
                          .y = y + i};
        st = predict_batch(self, &b, err);
    }
    if (st == GPA_OK)
        (void)gpai_frame_swap(y, n);
    gpai_free(copy);
    return st;
}

static gpa_status set_inputs(void *self, size_t d, const char *const *names,
                             gpa_error *err)
{
    gpai_children *p = self;
    return gpai_model_kinds_columns(&p->kinds, d, names, err);
}

/* The frame that tells what the inputs are, to children there are and those to come. */
static gpa_status write_kinds(gpai_children *p, gpa_error *err)
{
    size_t size = gpai_frame_kinds(NULL, &p->kinds);
    if (size > GPAI_KINDS_FRAME_MOST)
        return gpai_fail(err, GPA_INVALID,
                         "exec: %s: names and levels take %zu bytes, %d are allowed",
                         p->who.text, size, GPAI_KINDS_FRAME_MOST);
    p->tell = gpai_calloc(size, 1);
    if (p->tell == NULL)
        return gpai_nomem(err, "exec");
    p->tell_size = gpai_frame_kinds(p->tell, &p->kinds);
    p->telling++;
    return GPA_OK;
}

/* To a child that takes numbers only dates are numbers, too. */
static gpa_status set_kinds(void *self, const gpa_input *inputs, size_t d,
                            gpa_error *err)
{
    gpai_children *p = self;
    gpai_free(p->tell);
    p->tell = NULL;
    p->tell_size = 0;
    gpa_status st = gpai_model_kinds_copy(&p->kinds, inputs, d, p->called, err);
    if (st != GPA_OK || p->kinds.input == NULL)
        return st;
    if (p->hello.takes_text)
        return write_kinds(p, err);
    for (size_t k = 0; k < d; k++)
        if (gpai_kinds_is_text(&p->kinds, k))
            return gpai_kinds_refuse(&p->kinds, k, p->called,
                                     "this child takes numbers only", err);
    return GPA_OK;
}

/* Handles share the children, who are locked; so there is nothing to clone. */
static const gpai_model_ops ops = {
    .kind = "exec",
    .predict_all = predict_all,
    .close = gpai_children_free,
    .set_inputs = set_inputs,
    .set_kinds = set_kinds,
};

gpa_status gpai_exec_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    gpai_children *p = NULL;
    *out = NULL;
    gpa_status st = gpai_children_new(&p, s, err);
    if (st == GPA_OK)
        st = gpai_model_kinds_columns(&p->kinds, p->hello.inputs, p->hello.names, err);
    if (st != GPA_OK) {
        gpai_children_free(p);
        return st;
    }
    gpai_model_info info = {s->text, p->hello.inputs, s->batch_rows, p->hello.names};
    return gpai_model_wrap(out, &ops, p, &info, err);
}

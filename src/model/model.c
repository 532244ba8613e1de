#include "model/model.h"
#include "base/alloc.h"
#include "base/status.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* What all handles on a model share. Constant but for the lock and the count. */
struct core {
    atomic_size_t handles;
    pthread_mutex_t lock; /* taken around predict when the adapter asks for it */
    const gpai_model_ops *ops;
    void *self; /* shared by all handles; NULL when each has an instance of its own */
    char *spec;
    size_t d;
    char **input_names;               /* d names, or NULL */
    atomic_uint_fast64_t nanoseconds; /* that predictions took, of all handles */
};

struct gpa_model {
    struct core *core;
    void *self;    /* core->self, or this handle's own instance */
    char *scratch; /* what compute works in, somewhat wider; or NULL */
    size_t batch_rows;
    uint64_t rows, calls;
};

enum { CACHE_LINE = 64 };

static void close_self(const gpai_model_ops *ops, void *self)
{
    if (self != NULL && ops->close != NULL)
        ops->close(self);
}

static void free_core(struct core *c)
{
    close_self(c->ops, c->self);
    for (size_t k = 0; c->input_names != NULL && k < c->d; k++)
        gpai_free(c->input_names[k]);
    gpai_free(c->input_names);
    gpai_free(c->spec);
    pthread_mutex_destroy(&c->lock);
    gpai_free(c);
}

static bool copy_info(struct core *c, const gpai_model_info *info)
{
    c->spec = gpai_strdup(info->spec);
    if (c->spec == NULL)
        return false;
    if (info->input_names == NULL)
        return true;
    c->input_names = gpai_calloc(c->d, sizeof *c->input_names);
    if (c->input_names == NULL)
        return false;
    for (size_t k = 0; k < c->d; k++) {
        c->input_names[k] = gpai_strdup(info->input_names[k]);
        if (c->input_names[k] == NULL)
            return false;
    }
    return true;
}

/* No handle on it yet; self is not taken over. */
static gpa_status new_core(struct core **out, const gpai_model_ops *ops,
                           const gpai_model_info *info, gpa_error *err)
{
    *out = NULL;
    struct core *c = gpai_calloc(1, sizeof *c);
    if (c == NULL)
        return gpai_nomem(err, ops->kind);
    if (pthread_mutex_init(&c->lock, NULL) != 0) {
        gpai_free(c);
        return gpai_nomem(err, ops->kind);
    }
    c->ops = ops;
    c->d = info->d;
    if (!copy_info(c, info)) {
        free_core(c);
        return gpai_nomem(err, ops->kind);
    }
    *out = c;
    return GPA_OK;
}

static gpa_model *new_handle(struct core *c, void *self, size_t batch_rows)
{
    gpa_model *m = gpai_calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->core = c;
    m->self = self;
    m->batch_rows = batch_rows;
    if (c->ops->scratch != NULL) {
        m->scratch = gpai_calloc(c->ops->scratch(self) + CACHE_LINE, 1);
        if (m->scratch == NULL) {
            gpai_free(m);
            return NULL;
        }
    }
    atomic_fetch_add(&c->handles, 1);
    return m;
}

gpa_status gpai_model_wrap(gpa_model **out, const gpai_model_ops *ops, void *self,
                           const gpai_model_info *info, gpa_error *err)
{
    struct core *c = NULL;
    *out = NULL;
    gpa_status st = new_core(&c, ops, info, err);
    if (st != GPA_OK)
        goto done;
    *out =
        new_handle(c, self, info->batch_rows > 0 ? info->batch_rows : GPAI_BATCH_ROWS);
    if (*out == NULL) {
        free_core(c);
        st = gpai_nomem(err, ops->kind);
        goto done;
    }
    if (ops->clone == NULL)
        c->self = self;
done:
    if (st != GPA_OK)
        close_self(ops, self);
    return st;
}

gpa_status gpa_model_clone(gpa_model **out, const gpa_model *m, gpa_error *err)
{
    if (out != NULL)
        *out = NULL;
    if (out == NULL || m == NULL)
        return gpai_fail(err, GPA_INVALID, "model: NULL handle");
    const gpai_model_ops *ops = m->core->ops;
    void *self = m->self;
    gpa_status st = ops->clone == NULL ? GPA_OK : ops->clone(&self, m->self, err);
    if (st != GPA_OK)
        return st;
    *out = new_handle(m->core, self, m->batch_rows);
    if (*out != NULL)
        return GPA_OK;
    if (ops->clone != NULL)
        close_self(ops, self);
    return gpai_nomem(err, ops->kind);
}

void gpa_model_free(gpa_model *m)
{
    if (m == NULL)
        return;
    struct core *c = m->core;
    if (c->ops->clone != NULL)
        close_self(c->ops, m->self);
    gpai_free(m->scratch);
    gpai_free(m);
    if (atomic_fetch_sub(&c->handles, 1) == 1)
        free_core(c);
}

static gpa_status predict_batch(gpa_model *m, const double *x, size_t n, double *y,
                                gpa_error *err)
{
    struct core *c = m->core;
    if (c->ops->compute != NULL) {
        size_t over = (uintptr_t)m->scratch % CACHE_LINE;
        char *line = over == 0 ? m->scratch : m->scratch + (CACHE_LINE - over);
        c->ops->compute(m->self, line, x, n, c->d, y);
        return GPA_OK;
    }
    if (!c->ops->serialise)
        return c->ops->predict(m->self, x, n, c->d, y, err);
    pthread_mutex_lock(&c->lock);
    gpa_status st = c->ops->predict(m->self, x, n, c->d, y, err);
    pthread_mutex_unlock(&c->lock);
    return st;
}

static gpa_status predict_batches(gpa_model *m, const double *x, size_t n,
                                  gpai_asked asked, double *y, gpa_error *err)
{
    const struct core *c = m->core;
    gpa_status st = GPA_OK;
    if (c->ops->predict_all != NULL && n > 0) /* which cuts it into batches itself */
        return c->ops->predict_all(m->self, x, n, c->d, asked, m->batch_rows, y, err);
    for (size_t i = 0; i < n && st == GPA_OK; i += m->batch_rows) {
        size_t rows = n - i < m->batch_rows ? n - i : m->batch_rows;
        st = predict_batch(m, x + i * c->d, rows, y + i, err);
    }
    return st;
}

static uint64_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

gpa_status gpa_model_predict(gpa_model *m, const double *x, size_t n, double *y,
                             gpa_error *err)
{
    return gpai_model_predict(m, x, n, (gpai_asked){.word = NULL}, y, err);
}

gpa_status gpai_model_predict(gpa_model *m, const double *x, size_t n, gpai_asked asked,
                              double *y, gpa_error *err)
{
    if (m == NULL)
        return gpai_fail(err, GPA_INVALID, "model: NULL handle");
    if (n > 0 && (x == NULL || y == NULL))
        return gpai_fail(err, GPA_INVALID, "model: NULL array for %zu rows", n);
    if (m->core->d == 0)
        return gpai_fail(
            err, GPA_INVALID,
            "model: it takes any number of inputs and was not told how many there are");
    m->calls++;
    m->rows += n;
    uint64_t start = nanoseconds();
    gpa_status st = predict_batches(m, x, n, asked, y, err);
    atomic_fetch_add(&m->core->nanoseconds, nanoseconds() - start);
    return st;
}

size_t gpa_model_dim(const gpa_model *m)
{
    return m == NULL ? 0 : m->core->d;
}

gpa_status gpa_model_set_inputs(gpa_model *m, size_t d, const char *const *names,
                                gpa_error *err)
{
    if (m == NULL || d == 0)
        return gpai_fail(err, GPA_INVALID, "model: NULL handle, or no inputs");
    struct core *c = m->core;
    if (c->d != 0 && c->d != d)
        return gpai_fail(err, GPA_INVALID, "model: it takes %zu inputs, not %zu", c->d,
                         d);
    gpa_status st = GPA_OK;
    if (c->ops->set_inputs != NULL)
        st = c->ops->set_inputs(m->self, d, names, err);
    if (st == GPA_OK && c->d == 0) /* other handles may be reading it */
        c->d = d;
    return st;
}

gpa_status gpa_model_set_kinds(gpa_model *m, const gpa_input *inputs, size_t d,
                               gpa_error *err)
{
    if (m == NULL || inputs == NULL || d == 0 || d != m->core->d)
        return gpai_fail(err, GPA_INVALID,
                         "model: NULL handle, or not as many kinds as inputs");
    const struct core *c = m->core;
    return c->ops->set_kinds != NULL ? c->ops->set_kinds(m->self, inputs, d, err)
                                     : GPA_OK;
}

bool gpa_model_takes_text(const gpa_model *m)
{
    return m != NULL && m->core->ops->set_kinds != NULL;
}

const char *gpa_model_level(const gpa_model *m, size_t k, size_t i)
{
    if (m == NULL || m->core->ops->level == NULL || k >= m->core->d)
        return NULL;
    return m->core->ops->level(m->self, k, i);
}

const char *gpa_model_variable(const gpa_model *m, size_t k)
{
    if (m == NULL || m->core->input_names == NULL || k >= m->core->d)
        return NULL;
    return m->core->input_names[k];
}

const char *gpa_model_spec(const gpa_model *m)
{
    return m == NULL ? NULL : m->core->spec;
}

bool gpa_model_in_process(const gpa_model *m)
{
    return m != NULL && m->core->ops->in_process;
}

bool gpa_model_refuses_missing(const gpa_model *m)
{
    return m != NULL && m->core->ops->refuses_missing;
}

uint64_t gpa_model_rows(const gpa_model *m)
{
    return m == NULL ? 0 : m->rows;
}

uint64_t gpa_model_calls(const gpa_model *m)
{
    return m == NULL ? 0 : m->calls;
}

double gpa_model_seconds(const gpa_model *m)
{
    return m == NULL ? 0 : 1e-9 * (double)atomic_load(&m->core->nanoseconds);
}

size_t gpa_model_batch(const gpa_model *m)
{
    return m == NULL ? 0 : m->batch_rows;
}

void gpa_model_set_batch(gpa_model *m, size_t rows)
{
    if (m != NULL && rows > 0)
        m->batch_rows = rows;
}

struct callback {
    gpa_predict_fn predict;
    void *ctx;
};

static gpa_status call_back(void *self, const double *x, size_t n, size_t d, double *y,
                            gpa_error *err)
{
    const struct callback *c = self;
    int code = c->predict(c->ctx, x, n, d, y);
    if (code != 0)
        return gpai_fail(err, GPA_MODEL, "callback: returned %d for %zu rows", code, n);
    return GPA_OK;
}

/* A function is given the codes of levels, and dates as numbers: there is nothing to
 * keep. */
static gpa_status ignore_kinds(void *self, const gpa_input *inputs, size_t d,
                               gpa_error *err)
{
    (void)self, (void)inputs, (void)d, (void)err;
    return GPA_OK;
}

/* Whether the user's function may be entered twice at once is not known, so it is not.
 */
static const gpai_model_ops callback_ops = {
    .kind = "callback",
    .predict = call_back,
    .close = gpai_free,
    .set_kinds = ignore_kinds,
    .in_process = true,
    .serialise = true,
};

gpa_status gpa_model_from_callback(gpa_model **out, gpa_predict_fn fn, void *ctx,
                                   size_t d, gpa_error *err)
{
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "callback: NULL instead of a handle's place");
    *out = NULL;
    if (fn == NULL)
        return gpai_fail(err, GPA_INVALID, "callback: NULL function");
    if (d == 0)
        return gpai_fail(err, GPA_INVALID, "callback: 0 inputs");
    struct callback *c = gpai_calloc(1, sizeof *c);
    if (c == NULL)
        return gpai_nomem(err, "callback");
    *c = (struct callback){.predict = fn, .ctx = ctx};
    gpai_model_info info = {.spec = "callback", .d = d};
    return gpai_model_wrap(out, &callback_ops, c, &info, err);
}

#include "model/onnx_program.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/show.h"
#include "model/onnx_kernels.h"
#include <stdatomic.h>
#include <string.h>

/* Rows of a block: as many as keep the registers within a cache; forests like many. */
enum { LEAST_ROWS = 8, MOST_ROWS = 64, FOREST_ROWS = 512, CACHE = 1 << 18, LINE = 64 };
/* What a program may need at most: numbers of scratch, operations for a row. */
enum { MAX_SCRATCH = 1 << 28 };
#define MAX_COST 1e9

static const size_t FOR_EVER = SIZE_MAX;

struct reg {
    size_t bytes;  /* per row */
    size_t last;   /* the last step that has to do with it */
    size_t buffer; /* from 1; 0: none yet */
    bool used;
};

struct buffer {
    size_t bytes, offset;
    bool busy;
};

struct gpai_onnx_program {
    atomic_size_t holds;
    gpai_onnx_pool pool;
    size_t inputs;
    gpai_onnx_step *step;
    struct reg *reg;
    struct buffer *buffer;
    size_t steps, regs, buffers;
    size_t step_room, reg_room;
    size_t block; /* rows */
    size_t bytes; /* of scratch */
    double cost;
    gpai_onnx_place out;
    bool out_wide;
};

gpa_status gpai_onnx_program_new(gpai_onnx_program **out, size_t inputs, size_t memory,
                                 gpa_error *err)
{
    size_t reg;
    gpai_onnx_program *p = gpai_calloc(1, sizeof *p);
    *out = NULL;
    if (p == NULL)
        return gpai_nomem(err, "onnx");
    atomic_store(&p->holds, 1);
    p->inputs = inputs;
    p->pool.left = memory;
    if (!gpai_onnx_register(p, inputs, false, &reg) ||
        !gpai_onnx_register(p, inputs, true, &reg)) {
        gpai_onnx_program_free(p);
        return gpai_nomem(err, "onnx");
    }
    *out = p;
    return GPA_OK;
}

void gpai_onnx_hold(gpai_onnx_program *p)
{
    atomic_fetch_add(&p->holds, 1);
}

void gpai_onnx_program_free(gpai_onnx_program *p)
{
    if (p == NULL || atomic_fetch_sub(&p->holds, 1) != 1)
        return;
    for (size_t i = 0; i < p->steps; i++)
        gpai_forest_free(p->step[i].forest);
    gpai_free(p->buffer);
    gpai_free(p->reg);
    gpai_free(p->step);
    gpai_onnx_drop(&p->pool);
    gpai_free(p);
}

size_t gpai_onnx_inputs(const gpai_onnx_program *p)
{
    return p->inputs;
}

gpai_onnx_pool *gpai_onnx_keep(gpai_onnx_program *p)
{
    return &p->pool;
}

/* Room for one more; `list` stays as it is when there is none. */
static bool grow(void **list, size_t used, size_t *room, size_t size)
{
    if (used < *room)
        return true;
    size_t more = *room > 0 ? 2 * *room : 16;
    void *grown = gpai_regrow(*list, more, size);
    if (grown == NULL)
        return false;
    *list = grown;
    *room = more;
    return true;
}

bool gpai_onnx_register(gpai_onnx_program *p, size_t n, bool wide, size_t *reg)
{
    void *list = p->reg;
    bool grown = grow(&list, p->regs, &p->reg_room, sizeof *p->reg);
    p->reg = list;
    if (!grown)
        return false;
    *reg = p->regs++;
    p->reg[*reg] = (struct reg){.bytes = n * (wide ? sizeof(double) : sizeof(float))};
    return true;
}

bool gpai_onnx_append(gpai_onnx_program *p, const gpai_onnx_step *step, double cost)
{
    void *list = p->step;
    bool grown = grow(&list, p->steps, &p->step_room, sizeof *p->step);
    p->step = list;
    if (!grown)
        return false;
    p->step[p->steps++] = *step;
    p->cost += cost;
    return true;
}

/* A forest on the inputs themselves reads the caller's rows. */
static bool reads_rows(const gpai_onnx_step *s)
{
    return s->kind == GPAI_ONNX_FOREST_STEP && s->a.reg <= GPAI_ONNX_INPUT_WIDE;
}

/* The registers a step has to do with, `out` first: those it fills before those it only
 * reads. */
static size_t registers(const gpai_onnx_step *s, size_t list[3])
{
    size_t n = 0;
    list[n++] = s->out.reg;
    if (s->kind == GPAI_ONNX_FOREST_STEP ||
        (s->kind == GPAI_ONNX_BINARY_STEP && s->b.data == NULL))
        list[n++] = s->b.reg;
    if (s->a.data == NULL && !reads_rows(s))
        list[n++] = s->a.reg;
    return n;
}

static void find_last_uses(gpai_onnx_program *p)
{
    size_t list[3];
    for (size_t i = 0; i < p->steps; i++) {
        for (size_t k = registers(&p->step[i], list); k-- > 0;) {
            p->reg[list[k]].used = true;
            p->reg[list[k]].last = i;
        }
    }
    p->reg[p->out.reg].used = true;
    p->reg[p->out.reg].last = FOR_EVER;
}

/* A free buffer: the smallest that is large enough, or else the largest, which grows.
 */
static size_t find_buffer(const gpai_onnx_program *p, size_t bytes)
{
    size_t best = p->buffers;
    for (size_t i = 0; i < p->buffers; i++) {
        size_t have = p->buffer[i].bytes;
        if (p->buffer[i].busy)
            continue;
        if (best == p->buffers)
            best = i;
        size_t had = p->buffer[best].bytes;
        if (had >= bytes ? have >= bytes && have < had : have > had)
            best = i;
    }
    return best;
}

static void place_register(gpai_onnx_program *p, struct reg *r)
{
    if (r->buffer != 0)
        return;
    size_t i = find_buffer(p, r->bytes);
    if (i == p->buffers)
        p->buffers++;
    p->buffer[i].busy = true;
    if (p->buffer[i].bytes < r->bytes)
        p->buffer[i].bytes = r->bytes;
    r->buffer = i + 1;
}

/* Registers share buffers when their times do not overlap. */
static void place_registers(gpai_onnx_program *p)
{
    size_t list[3];
    for (size_t r = 0; r <= GPAI_ONNX_INPUT_WIDE; r++)
        if (p->reg[r].used)
            place_register(p, &p->reg[r]);
    for (size_t i = 0; i < p->steps; i++) {
        size_t n = registers(&p->step[i], list);
        for (size_t k = 0; k < n; k++)
            place_register(p, &p->reg[list[k]]);
        for (size_t k = 0; k < n; k++)
            if (p->reg[list[k]].last == i)
                p->buffer[p->reg[list[k]].buffer - 1].busy = false;
    }
}

/* How many rows at once; false when even a few take too much memory. */
static bool choose_block(gpai_onnx_program *p)
{
    size_t bytes = 0;
    p->block = MOST_ROWS;
    for (size_t i = 0; i < p->steps; i++)
        if (p->step[i].kind == GPAI_ONNX_FOREST_STEP)
            p->block = FOREST_ROWS;
    for (size_t i = 0; i < p->buffers; i++) {
        if (p->buffer[i].bytes > MAX_SCRATCH / LEAST_ROWS - bytes)
            return false;
        bytes += p->buffer[i].bytes;
    }
    while (p->block > LEAST_ROWS && bytes * p->block > CACHE)
        p->block /= 2;
    for (size_t i = 0; i < p->buffers; i++) {
        p->buffer[i].offset = p->bytes;
        p->bytes += (p->buffer[i].bytes * p->block + LINE - 1) / LINE * LINE;
    }
    return true;
}

gpa_status gpai_onnx_finish(gpai_onnx_program *p, gpai_onnx_place out, bool wide,
                            const char *path, gpa_error *err)
{
    p->out = out;
    p->out_wide = wide;
    p->buffer = gpai_calloc(p->regs, sizeof *p->buffer);
    if (p->buffer == NULL)
        return gpai_nomem(err, "onnx");
    find_last_uses(p);
    place_registers(p);
    if (!choose_block(p) || p->cost > MAX_COST)
        return gpai_fail(err, GPA_UNSUPPORTED,
                         "%s: too large: a row takes more than %g operations or %d "
                         "bytes",
                         gpai_show_path(path).text, MAX_COST, MAX_SCRATCH / LEAST_ROWS);
    return GPA_OK;
}

size_t gpai_onnx_scratch(const gpai_onnx_program *p)
{
    return p->bytes;
}

/* A run over one block. */
struct block {
    const gpai_onnx_program *p;
    char *scratch;
    const double *x;
    size_t rows, lanes;
};

static void *address(const struct block *b, const gpai_onnx_place *at, bool wide)
{
    size_t size = wide ? sizeof(double) : sizeof(float);
    char *start =
        b->scratch + b->p->buffer[b->p->reg[at->reg].buffer - 1].offset;
    return start + at->first * b->lanes * size;
}

static const void *numbers(const struct block *b, const gpai_onnx_place *at, bool wide)
{
    return at->data != NULL ? at->data : address(b, at, wide);
}

/* The rows as columns of the input registers; columns beyond the last row are 0. */
static void load(const struct block *b)
{
    const gpai_onnx_program *p = b->p;
    const gpai_onnx_place at = {GPAI_ONNX_INPUT, 0, NULL};
    const gpai_onnx_place at_wide = {GPAI_ONNX_INPUT_WIDE, 0, NULL};
    const size_t count = p->inputs * b->lanes;
    if (p->reg[GPAI_ONNX_INPUT].used) {
        float *to = address(b, &at, false);
        for (size_t i = 0; i < count; i++) {
            size_t row = i % b->lanes;
            to[i] = row < b->rows ? (float)b->x[row * p->inputs + i / b->lanes] : 0;
        }
    }
    if (p->reg[GPAI_ONNX_INPUT_WIDE].used) {
        double *to = address(b, &at_wide, true);
        for (size_t i = 0; i < count; i++) {
            size_t row = i % b->lanes;
            to[i] = row < b->rows ? b->x[row * p->inputs + i / b->lanes] : 0;
        }
    }
}

static void cast(const struct block *b, const gpai_onnx_step *s)
{
    const size_t n = s->n * b->lanes;
    void *out = address(b, &s->out, s->wide);
    const void *a = numbers(b, &s->a, !s->wide);
    for (size_t i = 0; i < n; i++) {
        if (s->wide)
            ((double *)out)[i] = (double)((const float *)a)[i];
        else
            ((float *)out)[i] = (float)((const double *)a)[i];
    }
}

/* Forests want rows of double; they stand in b, their sums behind them. */
static const double *rows_for(const struct block *b, const gpai_onnx_step *s,
                              double *room)
{
    const bool wide = s->function != 0;
    const void *a = numbers(b, &s->a, wide);
    for (size_t i = 0; i < b->rows * s->d; i++) {
        size_t from = i % s->d * b->lanes + i / s->d;
        room[i] = wide ? ((const double *)a)[from] : (double)((const float *)a)[from];
    }
    return room;
}

static void run_forest(const struct block *b, const gpai_onnx_step *s)
{
    float *out = address(b, &s->out, false);
    double *room = address(b, &s->b, true), *sum = room + s->d * b->lanes;
    size_t d = reads_rows(s) ? b->p->inputs : s->d;
    const double *x = reads_rows(s) ? b->x + s->a.first : rows_for(b, s, room);
    gpai_forest_predict(s->forest, x, b->rows, d, sum);
    for (size_t i = 0; i < b->lanes; i++)
        out[i] = i < b->rows ? (float)(sum[i] / s->p + s->q) : 0;
}

static void run_step(const struct block *b, const gpai_onnx_step *s, size_t isa)
{
    if (s->kind == GPAI_ONNX_CAST_STEP) {
        cast(b, s);
    } else if (s->kind == GPAI_ONNX_FOREST_STEP) {
        run_forest(b, s);
    } else {
        bool pair = s->kind == GPAI_ONNX_BINARY_STEP;
        const gpai_onnx_call call = {.step = s,
                                     .lanes = b->lanes,
                                     .out = address(b, &s->out, s->wide),
                                     .a = numbers(b, &s->a, s->wide),
                                     .b = pair ? numbers(b, &s->b, s->wide) : NULL};
        (void)gpai_onnx_compute(isa, &call);
    }
}

void gpai_onnx_run(const gpai_onnx_program *p, size_t isa, char *scratch,
                   const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i += p->block) {
        struct block b = {.p = p, .scratch = scratch, .x = x + i * p->inputs};
        b.rows = n - i < p->block ? n - i : p->block;
        b.lanes = b.rows == 1 ? 1 : (b.rows + 7) / 8 * 8;
        load(&b);
        for (size_t k = 0; k < p->steps; k++)
            run_step(&b, &p->step[k], isa);
        const void *out = address(&b, &p->out, p->out_wide);
        for (size_t r = 0; r < b.rows; r++)
            y[i + r] = p->out_wide ? ((const double *)out)[r]
                                   : (double)((const float *)out)[r];
    }
}

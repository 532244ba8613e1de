#include "model/onnx/run/program.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"

struct gpai_onnx_block {
    struct gpai_onnx_block *next;
    max_align_t start[];
};

void *gpai_onnx_take(gpai_onnx_pool *pool, size_t n, size_t size)
{
    if (n > pool->left / size) {
        pool->full = true;
        return NULL;
    }
    struct gpai_onnx_block *b = gpai_calloc(1, sizeof *b + n * size);
    if (b == NULL)
        return NULL;
    pool->left -= n * size;
    b->next = pool->blocks;
    pool->blocks = b;
    return b->start;
}

void gpai_onnx_drop(gpai_onnx_pool *pool)
{
    while (pool->blocks != NULL) {
        struct gpai_onnx_block *b = pool->blocks;
        pool->blocks = b->next;
        gpai_free(b);
    }
}

gpa_status gpai_onnx_starved(const gpai_onnx_pool *pool, const char *path,
                             gpa_error *err)
{
    if (!pool->full)
        return gpai_nomem(err, "onnx");
    return gpai_fail_file(err, GPA_UNSUPPORTED, path,
                          "its constants take more memory than the limit of 512 MB and "
                          "eight times the file's size");
}

#define MAX_COST 1e9 /* operations for a row at most */

gpa_status gpai_onnx_program_new(gpai_onnx_program **out, size_t inputs, size_t memory,
                                 gpa_error *err)
{
    size_t reg;
    gpai_onnx_program *p = gpai_calloc(1, sizeof *p);
    *out = NULL;
    if (p == NULL)
        return gpai_nomem(err, "onnx");
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

void gpai_onnx_program_free(void *program)
{
    gpai_onnx_program *p = program;
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->steps; i++)
        gpai_forest_free(p->step[i].forest);
    gpai_free(p->buffer);
    gpai_free(p->reg);
    gpai_free(p->step);
    gpai_onnx_drop(&p->pool);
    gpai_free(p);
}

bool gpai_onnx_register(gpai_onnx_program *p, size_t n, bool wide, size_t *reg)
{
    if (!gpai_grow(&p->reg, &p->reg_room, p->regs + 1, sizeof *p->reg))
        return false;
    *reg = p->regs++;
    p->reg[*reg] =
        (gpai_onnx_reg){.bytes = n * (wide ? sizeof(double) : sizeof(float))};
    return true;
}

bool gpai_onnx_append(gpai_onnx_program *p, const gpai_onnx_step *step, double cost)
{
    if (!gpai_grow(&p->step, &p->step_room, p->steps + 1, sizeof *p->step))
        return false;
    p->step[p->steps++] = *step;
    p->cost += cost;
    return true;
}

/* Rows of a block: as many as keep the registers within a cache; forests like many. */
enum { LEAST_ROWS = 8, MOST_ROWS = 64, FOREST_ROWS = 512, CACHE = 1 << 18, LINE = 64 };
enum { MAX_ROW = 1 << 25 }; /* bytes for a row at most */

static const size_t FOR_EVER = SIZE_MAX;

/* The registers a step has to do with, `out` first: those it fills before those it only
 * reads. */
static size_t registers(const gpai_onnx_step *s, size_t list[3])
{
    size_t n = 0;
    list[n++] = s->out.reg;
    if (s->kind == GPAI_ONNX_FOREST_STEP ||
        (s->kind == GPAI_ONNX_BINARY_STEP && s->b.data == NULL))
        list[n++] = s->b.reg;
    if (s->a.data == NULL && !gpai_onnx_reads_rows(s))
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

static void place_register(gpai_onnx_program *p, gpai_onnx_reg *r)
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
        if (p->buffer[i].bytes > (size_t)MAX_ROW - bytes)
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

/* Finds a place for every register in as few buffers as possible, and how many rows
 * make a block; p->buffer has room for all registers. False when even a few rows would
 * take more memory than MAX_ROW for each. */
static bool lay_out(gpai_onnx_program *p)
{
    find_last_uses(p);
    place_registers(p);
    return choose_block(p);
}

gpa_status gpai_onnx_finish(gpai_onnx_program *p, gpai_onnx_place out, bool wide,
                            const char *path, gpa_error *err)
{
    p->out = out;
    p->out_wide = wide;
    p->buffer = gpai_calloc(p->regs, sizeof *p->buffer);
    if (p->buffer == NULL)
        return gpai_nomem(err, "onnx");
    if (!lay_out(p) || p->cost > MAX_COST)
        return gpai_fail_file(
            err, GPA_UNSUPPORTED, path,
            "too large: a row takes more than %g operations or %d bytes", MAX_COST,
            MAX_ROW);
    return GPA_OK;
}

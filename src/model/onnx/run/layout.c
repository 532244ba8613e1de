#include "model/onnx/run/program.h"

/* Rows of a block: as many as keep the registers within a cache; forests like many. */
enum { LEAST_ROWS = 8, MOST_ROWS = 64, FOREST_ROWS = 512, CACHE = 1 << 18, LINE = 64 };

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
        if (p->buffer[i].bytes > (size_t)GPAI_ONNX_MAX_ROW - bytes)
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

bool gpai_onnx_lay_out(gpai_onnx_program *p)
{
    find_last_uses(p);
    place_registers(p);
    return choose_block(p);
}

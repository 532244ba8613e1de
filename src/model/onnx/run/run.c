#include "model/onnx/run/program.h"

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
    char *start = b->scratch + b->p->buffer[b->p->reg[at->reg].buffer - 1].offset;
    return start + at->first * b->lanes * size;
}

static const void *numbers(const struct block *b, const gpai_onnx_place *at, bool wide)
{
    return at->data != NULL ? at->data : address(b, at, wide);
}

/* The rows as columns of the input registers; columns beyond the last row are 0. */
static void load(const struct block *b)
{
    const size_t inputs = b->p->inputs, count = inputs * b->lanes;
    for (size_t reg = GPAI_ONNX_INPUT; reg <= GPAI_ONNX_INPUT_WIDE; reg++) {
        const bool wide = reg == GPAI_ONNX_INPUT_WIDE;
        if (!b->p->reg[reg].used)
            continue;
        void *to = address(b, &(gpai_onnx_place){reg, 0, NULL}, wide);
        for (size_t i = 0; i < count; i++) {
            size_t row = i % b->lanes;
            double x = row < b->rows ? b->x[row * inputs + i / b->lanes] : 0;
            if (wide)
                ((double *)to)[i] = x;
            else
                ((float *)to)[i] = (float)x;
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
    size_t d = gpai_onnx_reads_rows(s) ? b->p->inputs : s->d;
    const double *x =
        gpai_onnx_reads_rows(s) ? b->x + s->a.first : rows_for(b, s, room);
    gpai_forest_predict(s->forest, x, b->rows, d, sum);
    for (size_t i = 0; i < b->lanes; i++)
        out[i] = i < b->rows ? (float)(sum[i] / s->p + s->q) : 0;
}

static void run_step(const struct block *b, const gpai_onnx_step *s,
                     const gpai_onnx_kernels *kernels)
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
        gpai_onnx_compute(kernels, &call);
    }
}

void gpai_onnx_run(const gpai_onnx_program *p, const gpai_onnx_kernels *kernels,
                   char *scratch, const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i += p->block) {
        struct block b = {.p = p, .scratch = scratch, .x = x + i * p->inputs};
        b.rows = n - i < p->block ? n - i : p->block;
        b.lanes = b.rows == 1 ? 1 : (b.rows + 7) / 8 * 8;
        load(&b);
        for (size_t k = 0; k < p->steps; k++)
            run_step(&b, &p->step[k], kernels);
        const void *out = address(&b, &p->out, p->out_wide);
        for (size_t r = 0; r < b.rows; r++)
            y[i + r] = p->out_wide ? ((const double *)out)[r]
                                   : (double)((const float *)out)[r];
    }
}

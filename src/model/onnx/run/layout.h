#ifndef GPAI_MODEL_ONNX_RUN_LAYOUT_H
#define GPAI_MODEL_ONNX_RUN_LAYOUT_H
#include "model/onnx/run/program.h"

/* What a program is made of, for the files that build and run it. */

/* Numbers of a row that steps fill and read. */
typedef struct gpai_onnx_reg {
    size_t bytes;  /* per row */
    size_t last;   /* the last step that has to do with it */
    size_t buffer; /* from 1; 0: none yet */
    bool used;
} gpai_onnx_reg;

/* Memory for registers, one after the other. */
typedef struct gpai_onnx_buffer {
    size_t bytes, offset;
    bool busy;
} gpai_onnx_buffer;

struct gpai_onnx_program {
    gpai_onnx_pool pool;
    size_t inputs;
    gpai_onnx_step *step;
    gpai_onnx_reg *reg;
    gpai_onnx_buffer *buffer;
    size_t steps, regs, buffers;
    size_t step_room, reg_room;
    size_t block; /* rows */
    size_t bytes; /* of scratch */
    double cost;
    gpai_onnx_place out;
    bool out_wide;
};

/* A forest on the inputs themselves reads the caller's rows. */
static inline bool gpai_onnx_reads_rows(const gpai_onnx_step *s)
{
    return s->kind == GPAI_ONNX_FOREST_STEP && s->a.reg <= GPAI_ONNX_INPUT_WIDE;
}

/* Finds a place for every register in as few buffers as possible, and how many rows
 * make a block; p->buffer has room for all registers. False when even a few rows would
 * take more memory than GPAI_ONNX_MAX_ROW for each. */
enum { GPAI_ONNX_MAX_ROW = 1 << 25 };
bool gpai_onnx_lay_out(gpai_onnx_program *p);

#endif

#include "model/onnx/run/program.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"

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

gpa_status gpai_onnx_finish(gpai_onnx_program *p, gpai_onnx_place out, bool wide,
                            const char *path, gpa_error *err)
{
    p->out = out;
    p->out_wide = wide;
    p->buffer = gpai_calloc(p->regs, sizeof *p->buffer);
    if (p->buffer == NULL)
        return gpai_nomem(err, "onnx");
    if (!gpai_onnx_lay_out(p) || p->cost > MAX_COST)
        return gpai_fail_file(
            err, GPA_UNSUPPORTED, path,
            "too large: a row takes more than %g operations or %d bytes", MAX_COST,
            GPAI_ONNX_MAX_ROW);
    return GPA_OK;
}

#include "fuzz.h"
#include "model/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const gpai_spec s = {.text = "m", .rest = "m", .config = ""};
    gpa_error err = {0};
    gpa_model *m = NULL;
    char *bytes = copy_of(data, size);
    gpa_status st = gpai_onnx_open(&m, &s, bytes, size, &err);
    check_model(st, m, &err);
    free(bytes);
    return 0;
}

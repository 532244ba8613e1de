#ifndef FUZZ_METADATA_H
#define FUZZ_METADATA_H
/* What a server says about its model, read by `read_inputs` of the file included before
 * this one, which is not to be seen from outside. */
#include "base/alloc.h"
#include "data/json.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpai_server s = {0};
    gpai_value *root = NULL;
    gpa_error err = {0};
    char *text = copy_of(data, size);
    if (gpai_json_parse(&root, text, size, "metadata", NULL) == GPA_OK) {
        gpa_status st = read_inputs(&s, gpai_value_get(root, "inputs"), &err);
        check_error(st, &err);
        if (st == GPA_OK)
            MUST(gpai_tensors_width(&s.in) <= GPAI_MAX_INPUTS * (s.in.n + 1));
        err = (gpa_error){0};
        st = gpai_server_outputs(&s, gpai_value_get(root, "outputs"), "datatype", &err);
        check_error(st, &err);
    }
    gpai_tensors_free(&s.in);
    gpai_free(s.output);
    gpai_value_free(root);
    free(text);
    return 0;
}

#endif

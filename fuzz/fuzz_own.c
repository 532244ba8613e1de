#include "data/json.h"
#include "fuzz.h"
#include "model/spec.h"

/* Our own JSON: nets, linear functions, trees, each read as all of them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gpai_open_json *const OPEN[] = {gpai_mlp_open, gpai_linear_open,
                                           gpai_trees_open};
    const gpai_spec s = {.text = "m.json", .rest = "m.json", .config = ""};
    gpai_value *root = NULL;
    char *text = copy_of(data, size);
    if (gpai_json_parse(&root, text, size, "m.json", NULL) == GPA_OK)
        for (size_t i = 0; i < sizeof OPEN / sizeof OPEN[0]; i++) {
            gpa_error err = {0};
            gpa_model *m = NULL;
            gpa_status st = OPEN[i](&m, &s, root, &err);
            check_model(st, m, &err);
        }
    gpai_value_free(root);
    free(text);
    return 0;
}

#include "fuzz.h"
#include "model/exec/frames.h"

/* The bytes as a hello with its names, and as a reply. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpai_hello_head h = {0};
    gpai_reply r = {0};
    char wrong[GPAI_WRONG] = "";
    if (size < 4)
        return 0;
    bool good = gpai_frame_hello(&h, data, size < 64 ? size : 64, wrong);
    MUST(good || wrong[0] != '\0');
    if (good && size > GPAI_HELLO_BYTES && h.size > 0) {
        size_t most = size - GPAI_HELLO_BYTES, n = h.size < most ? h.size : most;
        MUST(h.inputs >= 1 && h.inputs <= GPAI_INPUTS_MOST);
        char *text = copy_of(data + GPAI_HELLO_BYTES, n);
        const char **names = calloc(h.inputs, sizeof *names);
        MUST(names != NULL);
        if (gpai_frame_names(names, h.inputs, text, n, wrong))
            for (size_t k = 0; k < h.inputs; k++)
                MUST(names[k] >= text && names[k] <= text + n &&
                     strchr(names[k], '\n') == NULL);
        free(names);
        free(text);
    }
    wrong[0] = '\0';
    good = gpai_frame_reply(&r, data, size < 64 ? size : 64, 3,
                            (gpai_asked){.first = 7}, wrong);
    MUST(good || wrong[0] != '\0');
    if (good && size >= GPAI_HEAD_BYTES)
        MUST(r.size > 0 ? r.size <= GPAI_COMPLAINT_MOST : r.rows == 3);
    return 0;
}

#include "fuzz.h"
#include "model/http/server.h"

/* A server's reply to three rows: the first byte says which form, and how much of it is
 * JSON. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double y[3] = {0};
    gpa_error err = {0};
    if (size < 1)
        return 0;
    char *bytes = copy_of(data + 1, size - 1);
    gpai_answer a = {.who = "v2: http://x",
                     .bytes = bytes,
                     .size = size - 1,
                     .head = data[0] >> 2 != 0 ? size * (data[0] >> 2) / 63 : 0,
                     .output = (data[0] & 1) != 0 ? "y" : NULL,
                     .asked.first = 7};
    gpa_status st = (data[0] & 2) != 0 ? gpai_outputs_read(&a, 3, y, &err)
                                       : gpai_predictions_read(&a, 3, y, &err);
    check_error(st, &err);
    MUST(st == GPA_OK || st == GPA_MODEL);
    gpai_server_message message = gpai_server_message_read(bytes, size - 1);
    for (const char *p = message.text; *p != '\0'; p++)
        MUST((unsigned char)*p >= ' ' && *p != 127);
    free(bytes);
    return 0;
}

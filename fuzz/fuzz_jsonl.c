#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpa_table *t = NULL;
    gpa_error err = {0};
    char *text = copy_of(data, size);
    gpa_status st = gpa_table_parse(&t, text, size, "a.jsonl", NULL, &err);
    check_table(st, t, &err);
    free(text);
    return 0;
}

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 16 << 20 }; /* a few bytes may stand for millions of rows */
    gpa_table_options opt;
    gpa_table *t = NULL;
    gpa_error err = {0};
    char *text = copy_of(data, size);
    gpa_table_options_init(&opt);
    opt.max_bytes = MOST;
    opt.text_column = "id";
    if (size >= 4)
        memcpy(text, "PAR1", 4); /* what is not Parquet is the others' */
    gpa_status st = gpa_table_parse(&t, text, size, "a.parquet", &opt, &err);
    check_table(st, t, &err);
    free(text);
    return 0;
}

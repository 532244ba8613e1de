#include "fuzz.h"

/* What can be read is written again, in every form. */
static void write_again(const gpa_saved *s, const gpa_explanation *e,
                        const gpa_comparison *c)
{
    static const gpa_format FORMATS[] = {GPA_FORMAT_TABLE, GPA_FORMAT_JSON,
                                         GPA_FORMAT_CSV, GPA_FORMAT_HTML};
    gpa_text *t = NULL;
    const gpa_report_info *info = gpa_saved_info(s);
    MUST(gpa_text_new(&t, NULL) == GPA_OK);
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
        if (e != NULL)
            (void)!gpa_report_explanation(t, FORMATS[i], info, e, 0, NULL);
        if (c != NULL)
            (void)!gpa_report_comparison(t, FORMATS[i], info, c, NULL);
        gpa_text_clear(t);
    }
    gpa_text_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpa_saved *s = NULL;
    gpa_error err = {0};
    gpa_status st = gpa_saved_parse(&s, (const char *)data, size, "r.json", &err);
    check_error(st, &err);
    MUST((st == GPA_OK) == (s != NULL));
    if (s == NULL)
        return 0;
    for (size_t i = 0;
         gpa_saved_type(s) == GPA_SAVED_EXPLANATIONS && i < gpa_saved_count(s) && i < 4;
         i++) {
        gpa_explanation *e = NULL;
        err = (gpa_error){0};
        st = gpa_saved_explanation(&e, s, i, &err);
        check_error(st, &err);
        if (st == GPA_OK)
            write_again(s, e, NULL);
        gpa_explanation_free(e);
    }
    if (gpa_saved_type(s) == GPA_SAVED_COMPARISON) {
        gpa_comparison *c = NULL;
        err = (gpa_error){0};
        st = gpa_saved_comparison(&c, s, &err);
        check_error(st, &err);
        if (st == GPA_OK)
            write_again(s, NULL, c);
        gpa_comparison_free(c);
    }
    gpa_saved_free(s);
    return 0;
}

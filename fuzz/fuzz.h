#ifndef GPA_FUZZ_H
#define GPA_FUZZ_H
#include <gpa/gpa.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One target: reads any bytes as what its file is called after. Clang's libFuzzer calls
 * it with what it makes up (make fuzz), driver.c with the files of the corpus. It stops
 * the program when something is not as it must be. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                \
    do {                                                                               \
        if (!(condition)) {                                                            \
            fprintf(stderr, "%s:%d: must be: %s\n", __FILE__, __LINE__, #condition);   \
            abort();                                                                   \
        }                                                                              \
    } while (0)

/* A copy with a zero behind it, as readers get files; to be freed. */
static inline char *copy_of(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1);
    MUST(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

/* A status and its message: one goes with the other. */
static inline void check_error(gpa_status st, const gpa_error *err)
{
    MUST((st == GPA_OK) == (err->status == GPA_OK || err->message[0] == '\0'));
    MUST(st != GPA_NOMEM);
    MUST(strlen(err->message) < sizeof err->message);
    for (const char *p = err->message; *p != '\0'; p++)
        MUST((unsigned char)*p >= ' ' && *p != 127);
}

/* A model that could be opened answers, too. */
static inline void check_model(gpa_status st, gpa_model *m, const gpa_error *err)
{
    enum { MOST = 64 };
    double x[2 * MOST], y[2];
    check_error(st, err);
    MUST((st == GPA_OK) == (m != NULL));
    for (size_t i = 0; i < 2 * MOST; i++)
        x[i] = (double)(i % 7) - 3;
    if (m != NULL && gpa_model_dim(m) > 0 && gpa_model_dim(m) <= MOST)
        (void)!gpa_model_predict(m, x, 2, y, NULL);
    gpa_model_free(m);
}

/* The cells of a table, as numbers or text. */
static inline void check_table(gpa_status st, gpa_table *t, const gpa_error *err)
{
    check_error(st, err);
    MUST((st == GPA_OK) == (t != NULL));
    for (size_t k = 0; k < gpa_table_columns(t); k++) {
        const double *numbers = gpa_table_numbers(t, k, NULL);
        MUST(gpa_table_name(t, k) != NULL);
        for (size_t i = 0; i < gpa_table_rows(t); i++) {
            const char *text = gpa_table_text(t, i, k);
            MUST(text == NULL || strlen(text) < ((size_t)1 << 21));
            MUST(numbers == NULL || !(numbers[i] > 1.7976931348623157e308));
        }
    }
    gpa_table_free(t);
}

#endif

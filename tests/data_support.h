#ifndef TEST_DATA_SUPPORT_H
#define TEST_DATA_SUPPORT_H

/* What the tests of the data room share. */
#include "support.h"

#include "base/alloc.h"
#include <gpa/data.h>
#include <jansson.h>
#include <unistd.h>

/* A new file in the working directory with the given bytes; the test unlinks it. */
struct scratch {
    char path[64];
};

static inline struct scratch scratch_file(const void *bytes, size_t size)
{
    struct scratch s = {"gpa-test-XXXXXX"};
    int fd = mkstemp(s.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    return s;
}

static inline struct scratch scratch_text(const char *text)
{
    return scratch_file(text, strlen(text));
}

/* Bytes of a string literal that may hold zero bytes. */
#define BYTES(literal) (literal), sizeof(literal) - 1

/* Parses what must be fine. */
static inline gpa_table *parse_ok(const char *bytes, size_t size, const char *name,
                                  const gpa_table_options *opt)
{
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = NULL;
    gpa_status st = gpa_table_parse(&t, bytes, size, name, opt, &err);
    if (st != GPA_OK)
        print_error("%s\n", err.message);
    assert_int_equal(st, GPA_OK);
    assert_non_null(t);
    return t;
}

/* Parses what must be refused with exactly this message. */
static inline void parse_refused(const char *bytes, size_t size, const char *name,
                                 const gpa_table_options *opt, const char *message)
{
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = (gpa_table *)(uintptr_t)1;
    assert_int_equal(gpa_table_parse(&t, bytes, size, name, opt, &err), GPA_DATA);
    assert_int_equal(err.status, GPA_DATA);
    assert_string_equal(err.message, message);
    assert_null(t);
    assert_int_equal(gpa_table_parse(&t, bytes, size, name, opt, NULL), GPA_DATA);
}

/* The numbers of a column, NaN equal to NaN. */
static inline void assert_column(const gpa_table *t, size_t column, const double *want,
                                 size_t n)
{
    gpa_error err = {GPA_OK, ""};
    const double *got = gpa_table_numbers(t, column, &err);
    if (got == NULL)
        print_error("%s\n", err.message);
    assert_non_null(got);
    assert_int_equal(gpa_table_rows(t), n);
    for (size_t i = 0; i < n; i++)
        if (!(got[i] == want[i] || (isnan(got[i]) && isnan(want[i])))) {
            print_error("row %zu is %.17g, not %.17g\n", i, got[i], want[i]);
            fail();
        }
}

/* Runs `call` with its k-th allocation failing, for every k, once and for ever: always
 * GPA_NOMEM until there is no k-th one, and then it works. */
static inline void every_allocation_fails(gpa_status (*call)(void *ctx, gpa_error *err),
                                          void *ctx)
{
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 0;
        while (st != GPA_OK) {
            gpa_error err = {GPA_OK, ""};
            gpai_alloc_fail_at(++k, for_ever);
            st = call(ctx, &err);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, tried < k ? GPA_OK : GPA_NOMEM);
            assert_int_equal(err.status, st);
            assert_true(k < 100000);
        }
        assert_true(k > 1);
    }
}

#endif

#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

/* What every test includes first: cmocka and what it needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

/* Fails with the two numbers when they differ by more than tol. */
#define assert_close(got, want, tol)                                                   \
    assert_close_at((got), (want), (tol), #got, __FILE__, __LINE__)

static inline void assert_close_at(double got, double want, double tol,
                                   const char *what, const char *file, int line)
{
    if (fabs(got - want) <= tol) /* false for NaN */
        return;
    print_error("%s is %.17g, not %.17g within %g\n", what, got, want, tol);
    _fail(file, line);
}

/* Path of an outside file: $GPA_SHARED, or ../shared beside the source tree; NULL, with
 * a loud line, when it is not there. */
static inline const char *shared_file(char *path, size_t size, const char *name)
{
    const char *root = getenv("GPA_SOURCE_ROOT"), *shared = getenv("GPA_SHARED");
    if (shared != NULL)
        snprintf(path, size, "%s/%s", shared, name);
    else
        snprintf(path, size, "%s/../shared/%s", root != NULL ? root : ".", name);
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        print_message("SKIP: no %s: numbers from outside are NOT checked\n", path);
        return NULL;
    }
    fclose(f);
    return path;
}

#endif

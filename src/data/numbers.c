#include <gpa/data.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "data/packed/unpack.h"
#include <string.h>

/* gpa_numbers_read: a text file of one number per line. */

enum { MAX_BYTES = 1 << 28 };

struct line {
    const char *text;
    size_t length;
};

/* The next line without its comment and the blanks around it. */
static struct line next_line(const char **at, const char *end)
{
    struct line l = {*at, 0};
    const char *p = *at, *stop = NULL;
    for (; p < end && *p != '\n' && *p != '\r'; p++)
        if (*p == '#' && stop == NULL)
            stop = p;
    *at = p;
    if (p < end)
        *at += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
    if (stop == NULL)
        stop = p;
    while (l.text < stop && (*l.text == ' ' || *l.text == '\t'))
        l.text++;
    while (stop > l.text && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    l.length = (size_t)(stop - l.text);
    return l;
}

static size_t count_lines(const char *p, const char *end)
{
    size_t lines = 1;
    for (; p < end; p++)
        lines += *p == '\n' || *p == '\r';
    return lines;
}

static gpa_status read_line(const char *path, struct line l, size_t line, double *value,
                            gpa_error *err)
{
    gpai_number_kind kind = gpai_number(l.text, l.length, value);
    if (kind == GPAI_NUMBER)
        return GPA_OK;
    return gpai_bad_file(err, path, "line %zu: \"%s\" is %s", line,
                         gpai_show(l.text, l.length).text,
                         kind == GPAI_NUMBER_RANGE ? "out of range" : "not a number");
}

static gpa_status read_lines(const char *path, const char *bytes, size_t size,
                             double *numbers, size_t *n, gpa_error *err)
{
    const char *at = bytes, *end = bytes + size;
    gpa_status st = GPA_OK;
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (size_t line = 1; at < end && st == GPA_OK; line++) {
        struct line l = next_line(&at, end);
        if (l.length == 0)
            continue;
        st = read_line(path, l, line, &numbers[*n], err);
        ++*n;
    }
    if (st == GPA_OK && *n == 0)
        st = gpai_bad_file(err, path, "no numbers");
    return st;
}

gpa_status gpa_numbers_read(const char *path, double **out, size_t *n, gpa_error *err)
{
    char *bytes = NULL;
    double *numbers = NULL;
    size_t size = 0, found = 0;
    if (path == NULL || out == NULL || n == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "numbers: no file name or nowhere to put them");
    *out = NULL;
    *n = 0;
    gpa_status st = gpai_slurp_unpacked(&bytes, &size, path, MAX_BYTES, err);
    if (st != GPA_OK)
        goto done;
    numbers = gpai_calloc(count_lines(bytes, bytes + size), sizeof *numbers);
    if (numbers == NULL) {
        st = gpai_nomem(err, "numbers");
        goto done;
    }
    st = read_lines(path, bytes, size, numbers, &found, err);
    if (st != GPA_OK)
        goto done;
    *out = numbers;
    *n = found;
    numbers = NULL;
done:
    gpai_free(numbers);
    gpai_free(bytes);
    return st;
}

void gpa_numbers_free(double *numbers)
{
    gpai_free(numbers);
}

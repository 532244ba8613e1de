#include "model/trees/key_lines.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include <math.h>
#include <string.h>

bool gpai_key_lines_next(gpai_key_lines *k, gpai_key_line *out)
{
    if (k->at >= k->end)
        return false;
    size_t left = (size_t)(k->end - k->at);
    const char *stop = memchr(k->at, '\n', left);
    size_t length = stop != NULL ? (size_t)(stop - k->at) : left;
    const char *line = k->at;
    k->at += stop != NULL ? length + 1 : length;
    k->line++;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    const char *equals = memchr(line, '=', length);
    *out = (gpai_key_line){.key = line, .key_length = length};
    if (equals != NULL) {
        out->key_length = (size_t)(equals - line);
        out->value = equals + 1;
        out->length = length - out->key_length - 1;
    }
    return true;
}

bool gpai_key_is(const gpai_key_line *l, const char *key)
{
    return gpai_word_is(l->key, l->key_length, key);
}

/* The next word of [*at, end); its length, 0 at the end. */
static size_t word(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    const char *stop = *at;
    while (stop < end && *stop != ' ' && *stop != '\t')
        stop++;
    return (size_t)(stop - *at);
}

size_t gpai_key_words(const gpai_key_line *l)
{
    const char *at = l->value, *end = l->value == NULL ? NULL : l->value + l->length;
    size_t n = 0;
    for (size_t length; at != NULL && (length = word(&at, end)) > 0; at += length)
        n++;
    return n;
}

static bool number(const char *text, size_t length, double *value)
{
    if (gpai_number(text, length, value) == GPAI_NUMBER)
        return true;
    bool minus = length > 0 && text[0] == '-';
    if (length - minus != 3 || memcmp(text + minus, "inf", 3) != 0)
        return false;
    *value = minus ? -HUGE_VAL : HUGE_VAL;
    return true;
}

gpa_status gpai_key_numbers(const gpai_key_lines *k, const gpai_key_line *l, size_t n,
                            double *out, gpa_error *err)
{
    gpai_shown key = gpai_show(l->key, l->key_length);
    const char *at = l->value, *end = l->value == NULL ? NULL : l->value + l->length;
    size_t i = 0;
    for (size_t length; at != NULL && (length = word(&at, end)) > 0; at += length, i++)
        if (i == n || !number(at, length, &out[i]))
            return gpai_bad_file(
                err, k->file, "line %zu: %s: %s '%s'", k->line, key.text,
                i == n ? "one too many:" : "no number:", gpai_show(at, length).text);
    if (i < n)
        return gpai_bad_file(err, k->file, "line %zu: %s: %zu numbers, expected %zu",
                             k->line, key.text, i, n);
    return GPA_OK;
}

gpa_status gpai_key_count(const gpai_key_lines *k, const gpai_key_line *l, size_t most,
                          size_t *out, gpa_error *err)
{
    double value = 0;
    gpa_status st = gpai_key_numbers(k, l, 1, &value, err);
    if (st != GPA_OK)
        return st;
    if (!(value >= 0 && value <= (double)most) || value != floor(value))
        return gpai_bad_file(err, k->file, "line %zu: %s: not within 0 to %zu", k->line,
                             gpai_show(l->key, l->key_length).text, most);
    *out = (size_t)value;
    return GPA_OK;
}

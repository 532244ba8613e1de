#ifndef GPA_LAB_WRITE_H
#define GPA_LAB_WRITE_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

size_t word_utf8(const char *text);
void word_safe(char *out, size_t size, const char *text);
void word_plain(FILE *f, const char *text);
void word_json(FILE *f, const char *text);
void word_json_real(FILE *f, double value);
bool word_count(const char *word, uint64_t *value);
bool word_real(const char *word, double *value);
const char *word_nearest(const char *word, const char *const *names, size_t n);
gpa_status fail(gpa_error *err, gpa_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void *room(size_t n, size_t size);

#endif

#include "cli/say.h"
#include "cli/words.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void say(const char *format, ...)
{
    char text[1024], safe[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    word_safe(safe, sizeof safe, text);
    fprintf(stderr, "gpa: %s\n", safe);
}

gpa_status fail(gpa_error *err, gpa_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

static int exit_code(gpa_status status)
{
    switch (status) {
    case GPA_OK:
        return EXIT_DONE;
    case GPA_INVALID:
    case GPA_UNSUPPORTED:
        return EXIT_USAGE;
    case GPA_IO:
    case GPA_DATA:
    case GPA_NOMEM:
        return EXIT_DATA;
    case GPA_MODEL:
    case GPA_NUMERIC:
        return EXIT_MODEL;
    case GPA_STOPPED:
        return EXIT_STOPPED;
    }
    return EXIT_MODEL;
}

int give_up(gpa_status status, const gpa_error *err)
{
    if (err->status == status && err->message[0] != '\0')
        say("%s", err->message);
    else
        say("%s", gpa_status_text(status));
    return exit_code(status);
}

void *room(size_t n, size_t size)
{
    return calloc(n > 0 ? n : 1, size);
}

#include "console/say.h"
#include "base/text/words.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void say(const char *format, ...)
{
    char text[1024], safe[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gpai_word_safe(safe, sizeof safe, text);
    fprintf(stderr, "gpa: %s\n", safe);
}

void say_notes(const gpa_study *s)
{
    for (size_t i = 0; s != NULL && gpa_study_note(s, i) != NULL; i++)
        say("%s", gpa_study_note(s, i));
}

int say_printed(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return EXIT_DONE;
    say("cannot write standard output: %s", strerror(errno));
    return EXIT_DATA;
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

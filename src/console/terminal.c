#include "console/terminal.h"
#include "base/text/words.h"
#include "study/study.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

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
        if (!s->told[i] || !s->ready || s->given.bit != IN_EXPLAIN ||
            s->given.given[OPT_CSV]) /* else it is in the report */
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

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *p, const char *mode, const char *label)
{
    bool automatic = mode == NULL || strcmp(mode, "auto") == 0;
    *p = (struct progress){.label = label, .start = seconds_now(), .brief = automatic};
    p->on = automatic ? isatty(STDERR_FILENO) == 1 : strcmp(mode, "always") == 0;
}

void progress_hide(struct progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = false;
}

static void remaining(double seconds)
{
    if (seconds < 90)
        fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 5400)
        fprintf(stderr, ", %.0f min left", seconds / 60);
    else
        fprintf(stderr, ", %.1f h left", seconds / 3600);
}

/* Seconds after which the last line is worth keeping, unless it was asked for. */
static const double BRIEF = 2;

void progress_model(struct progress *p, double seconds, size_t threads)
{
    double spent = (seconds_now() - p->start) * (double)threads;
    p->share = spent > 0 ? fmin(seconds / spent, 1) : 0;
}

void progress_show(struct progress *p, size_t done, size_t total)
{
    double t = seconds_now();
    if (!p->on || (done < total && p->last > 0 && t - p->last < 0.2))
        return;
    double spent = t - p->start;
    p->last = t;
    if (p->brief && done == total && (total == 1 || spent < BRIEF)) {
        progress_hide(p);
        return;
    }
    fprintf(stderr, "\r\033[K%s %zu/%zu", p->label, done, total);
    if (done > 0 && spent > 0)
        fprintf(stderr, ", %.3g/s", (double)done / spent);
    if (done > 0 && done < total)
        remaining(spent / (double)done * (double)(total - done));
    if (done == total && p->share > 0)
        fprintf(stderr, ", %.0f %% of the time the model's", 100 * p->share);
    if (done == total)
        fprintf(stderr, "\n");
    fflush(stderr);
    p->shown = done < total;
}

/* Whether the user's terminal and files are in UTF-8, by the usual variables. */
static bool utf8_locale(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
               strstr(value, "utf-8") != NULL || strstr(value, "UTF8") != NULL;
    }
    return false;
}

static bool wants_colour(const gpai_options *a)
{
    const char *mode = a->given[OPT_COLOR] ? a->text[OPT_COLOR] : "auto";
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (strcmp(mode, "auto") != 0)
        return strcmp(mode, "always") == 0;
    return !a->given[OPT_OUT] && isatty(STDOUT_FILENO) == 1 &&
           (no == NULL || no[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* Columns of the terminal that shows the table; 0 when it goes elsewhere. */
static size_t terminal_width(const gpai_options *a)
{
    const char *told = getenv("COLUMNS");
    struct winsize size = {0};
    if (a->given[OPT_OUT] || isatty(STDOUT_FILENO) != 1)
        return 0;
    unsigned long width = told != NULL ? strtoul(told, NULL, 10) : 0;
    if (width > 0 && width < 10000)
        return (size_t)width;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void look_at_terminal(gpa_report_info *info, const gpai_options *a)
{
    info->colour = wants_colour(a);
    info->ascii = !utf8_locale();
    info->width = terminal_width(a);
}

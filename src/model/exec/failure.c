#include "model/exec/failure.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { END = 64, WORDS = 200 };

static const char *hint(int signal_number)
{
    static const struct {
        int number;
        const char *text;
    } known[] = {{SIGKILL, " (SIGKILL: out of memory?)"},
                 {SIGSEGV, " (SIGSEGV)"},
                 {SIGABRT, " (SIGABRT)"},
                 {SIGBUS, " (SIGBUS)"},
                 {SIGFPE, " (SIGFPE)"},
                 {SIGILL, " (SIGILL)"},
                 {SIGTERM, " (SIGTERM)"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == signal_number)
            return known[i].text;
    return "";
}

static void tell_end(const gpai_child *c, char out[END])
{
    if (!c->gone)
        snprintf(out, END, "closed its standard output");
    else if (c->status != -1 && WIFSIGNALED(c->status))
        snprintf(out, END, "was killed by signal %d%s", WTERMSIG(c->status),
                 hint(WTERMSIG(c->status)));
    else if (c->status != -1 && WIFEXITED(c->status))
        snprintf(out, END, "exited with status %d", WEXITSTATUS(c->status));
    else
        snprintf(out, END, "ended");
}

/* What it said last on standard error, to be put at the end. */
static void tell_words(const gpai_child *c, char out[WORDS])
{
    static const char before[] = "; its last words: ";
    const char *line;
    size_t length = gpai_last_line(&line, c->tail, c->tail_used), n = sizeof before - 1;
    out[0] = '\0';
    if (length == 0)
        return;
    memcpy(out, before, n);
    gpai_show_line(out + n, WORDS - n, line, length);
}

gpa_status gpai_child_failure(const gpai_child *c, gpai_talk how, const char *who,
                              const char *what, double timeout, gpa_error *err)
{
    char words[WORDS], end[END] = "", seconds[GPAI_NUMBER_ROOM];
    tell_words(c, words);
    if (how == GPAI_TALK_NOMEM)
        return gpai_nomem(err, "exec");
    if (how == GPAI_TALK_LATE) {
        gpai_number_text(timeout, seconds);
        return gpai_fail(err, GPA_MODEL,
                         "exec: %s: %s within %s s; --model-timeout gives it more%s",
                         who, what, seconds, words);
    }
    if (how == GPAI_TALK_ENDED)
        tell_end(c, end);
    return gpai_fail(err, GPA_MODEL, "exec: %s: %s%s%s%s", who, end,
                     end[0] != '\0' ? " " : "", what, words);
}

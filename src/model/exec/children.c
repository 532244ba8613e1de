#include "model/exec/children.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { END = 64, WORDS = 200 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies one word without its quotes; what is wrong with it, or NULL. */
static const char *take_word(const char **text, char **to)
{
    char quote = '\0';
    const char *p = *text;
    for (; *p != '\0' && (quote != '\0' || !is_blank(*p)); p++) {
        bool escapes = quote == '\0' || (quote == '"' && (p[1] == '"' || p[1] == '\\'));
        if (*p == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*p == '\'' || *p == '"')) {
            quote = *p;
        } else if (*p == '\\' && escapes) {
            if (*++p == '\0')
                return "a backslash at the end";
            *(*to)++ = *p;
        } else {
            *(*to)++ = *p;
        }
    }
    *(*to)++ = '\0';
    *text = p;
    return quote == '\0'   ? NULL
           : quote == '\'' ? "a ' that is not closed"
                           : "a \" that is not closed";
}

gpa_status gpai_command_split(char ***out, const char *text, gpa_error *err)
{
    /* a word takes at least a letter and a blank; its copy is no longer than itself */
    size_t length = strlen(text), most = length / 2 + 2, n = 0;
    const char *rest = text, *wrong = NULL;
    *out = NULL;
    char **words = gpai_calloc(most * sizeof *words + length + 2, 1);
    if (words == NULL)
        return gpai_nomem(err, "exec");
    char *to = (char *)(words + most);
    for (;;) {
        while (is_blank(*rest))
            rest++;
        if (*rest == '\0' || wrong != NULL)
            break;
        words[n++] = to;
        wrong = take_word(&rest, &to);
    }
    if (wrong == NULL && (n == 0 || words[0][0] == '\0'))
        wrong = "no program; write exec:PROGRAM ARGUMENT...";
    if (wrong == NULL) {
        *out = words;
        return GPA_OK;
    }
    gpai_free(words);
    return gpai_fail(err, GPA_INVALID, "exec: %s: %s", gpai_show_path(text).text,
                     wrong);
}

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

/* Why a child that has ended was given up, for a person: GPA_MODEL, or GPA_NOMEM. */
static gpa_status tell_failure(const gpai_children *p, const gpai_child *c,
                               gpai_talk how, const char *what, gpa_error *err)
{
    const char *who = p->who.text;
    char words[WORDS], end[END] = "", seconds[GPAI_NUMBER_ROOM];
    tell_words(c, words);
    if (how == GPAI_TALK_NOMEM)
        return gpai_nomem(err, "exec");
    if (how == GPAI_TALK_LATE) {
        gpai_number_text(p->timeout, seconds);
        return gpai_fail(err, GPA_MODEL,
                         "exec: %s: %s within %s s; --model-timeout gives it more%s",
                         who, what, seconds, words);
    }
    if (how == GPAI_TALK_ENDED)
        tell_end(c, end);
    return gpai_fail(err, GPA_MODEL, "exec: %s: %s%s%s%s", who, end,
                     end[0] != '\0' ? " " : "", what, words);
}

void gpai_children_give(gpai_children *p, gpai_child *c)
{
    pthread_mutex_lock(&p->lock);
    c->next = p->idle;
    p->idle = c;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

gpa_status gpai_children_lose(gpai_children *p, gpai_child *c, gpai_talk how,
                              const char *what, gpa_error *err)
{
    gpa_error told;
    gpai_child_end(c, how == GPAI_TALK_ENDED);
    gpa_status st = tell_failure(p, c, how, what, &told);
    gpai_free(c);
    pthread_mutex_lock(&p->lock);
    p->alive--;
    if (how == GPAI_TALK_LATE) {
        p->time_outs++;
        p->last_time_out = told;
    }
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    if (err != NULL)
        *err = told;
    return st;
}

/* Nonsense is refused as soon as it can be told from a hello: after four bytes. What
 * came with them is shown, too. */
static gpai_talk hear_head(gpai_hello_head *head, gpai_child *c, int64_t deadline,
                           char what[GPAI_WRONG])
{
    unsigned char bytes[64];
    gpai_talk t = GPAI_TALK_FINE;
    size_t got = 0, more = 0;
    while (t == GPAI_TALK_FINE && got < GPAI_HELLO_BYTES) {
        t = gpai_wire_read(c, NULL, bytes, got < 4 ? 4 : GPAI_HELLO_BYTES, &got,
                           deadline);
        if (got < 4 || gpai_frame_hello(head, bytes, got, what))
            continue;
        (void)gpai_wire_stray(c, bytes + got, sizeof bytes - got, &more);
        (void)gpai_frame_hello(head, bytes, got + more, what);
        return GPAI_TALK_WRONG;
    }
    return t;
}

static gpai_talk hear_names(gpai_hello *h, size_t size, gpai_child *c, int64_t deadline,
                            char what[GPAI_WRONG])
{
    size_t got = 0;
    h->text = gpai_calloc(size + 1, 1);
    h->names = gpai_calloc(h->inputs, sizeof *h->names);
    if (h->text == NULL || h->names == NULL)
        return GPAI_TALK_NOMEM;
    gpai_talk t = gpai_wire_read(c, NULL, h->text, size, &got, deadline);
    if (t == GPAI_TALK_FINE &&
        !gpai_frame_names(h->names, h->inputs, h->text, size, what))
        t = GPAI_TALK_WRONG;
    return t;
}

/* Hears it out; what went wrong goes into `what`. To be closed in any case. */
static gpai_talk hear_hello(gpai_hello *h, gpai_child *c, int64_t deadline,
                            char what[GPAI_WRONG])
{
    gpai_hello_head head = {0};
    *h = (gpai_hello){0};
    gpai_talk t = hear_head(&head, c, deadline, what);
    h->inputs = head.inputs;
    h->takes_text = head.version >= 2;
    if (t == GPAI_TALK_FINE && head.size > 0)
        t = hear_names(h, head.size, c, deadline, what);
    if (t == GPAI_TALK_ENDED)
        snprintf(what, GPAI_WRONG, "before its hello (docs/connect/exec.md)");
    if (t == GPAI_TALK_LATE)
        snprintf(what, GPAI_WRONG, "no hello (docs/connect/exec.md)");
    return t;
}

static void close_hello(gpai_hello *h)
{
    gpai_free(h->names);
    gpai_free(h->text);
    *h = (gpai_hello){0};
}

/* Whether a child that was started later says the same; if not, what is the matter. */
static bool same_hello(const gpai_hello *first, const gpai_hello *later,
                       char what[GPAI_WRONG])
{
    if (first->inputs != later->inputs) {
        snprintf(what, GPAI_WRONG, "started again it takes %zu inputs, not %zu",
                 later->inputs, first->inputs);
        return false;
    }
    if (first->takes_text != later->takes_text) {
        snprintf(what, GPAI_WRONG, "started again it speaks another version");
        return false;
    }
    bool same = (first->names == NULL) == (later->names == NULL);
    for (size_t k = 0; same && first->names != NULL && k < first->inputs; k++)
        same = strcmp(first->names[k], later->names[k]) == 0;
    if (!same)
        snprintf(what, GPAI_WRONG, "started again it calls its inputs otherwise");
    return same;
}

static gpa_status cannot_start(gpai_children *p, int code, gpa_error *err)
{
    char reason[128] = "";
    const char *hint = code == ENOENT || code == EACCES
                           ? "; is the name right, and on the PATH or with a slash?"
                       : code == ENOEXEC ? "; a script begins with #! and its program"
                                         : "";
    pthread_mutex_lock(&p->lock);
    p->alive--;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    if (code == ENOMEM)
        return gpai_nomem(err, "exec");
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return gpai_fail(err, GPA_MODEL, "exec: %s: cannot start: %s%s", p->who.text,
                     reason, hint);
}

/* A new child, counted already; the first one's hello is kept in `hello`. */
static gpa_status start(gpai_child **out, gpai_children *p, gpai_hello *hello,
                        int64_t deadline, gpa_error *err)
{
    char what[GPAI_WRONG] = "";
    gpai_child *c = NULL;
    *out = NULL;
    int code = gpai_child_start(&c, p->argv);
    if (code != 0)
        return cannot_start(p, code, err);
    gpai_talk t = hear_hello(hello, c, deadline, what);
    if (t == GPAI_TALK_FINE && hello != &p->hello &&
        !same_hello(&p->hello, hello, what))
        t = GPAI_TALK_WRONG;
    if (t != GPAI_TALK_FINE)
        return gpai_children_lose(p, c, t, what, err);
    *out = c;
    return GPA_OK;
}

/* An idle child, or NULL when one may be started, which is then counted. Who waited in
 * vain while another child took too long is not made to wait as long again. */
static gpa_status next(gpai_child **out, gpai_children *p, gpa_error *err)
{
    gpa_status st = GPA_OK;
    pthread_mutex_lock(&p->lock);
    uint64_t before = p->time_outs;
    while (p->idle == NULL && p->limit > 0 && p->alive >= p->limit &&
           p->time_outs == before)
        pthread_cond_wait(&p->changed, &p->lock);
    *out = p->idle;
    if (p->idle != NULL) {
        p->idle = p->idle->next;
    } else if (p->time_outs == before) {
        p->alive++;
    } else {
        st = p->last_time_out.status;
        if (err != NULL)
            *err = p->last_time_out;
    }
    pthread_mutex_unlock(&p->lock);
    return st;
}

gpai_talk gpai_children_look(gpai_child *c, char what[GPAI_WRONG])
{
    char bytes[48], said[96];
    size_t got = 0;
    gpai_talk t = gpai_wire_stray(c, bytes, sizeof bytes, &got);
    if (got == 0)
        return t;
    gpai_show_line(said, sizeof said, bytes, got);
    snprintf(what, GPAI_WRONG,
             "said more than it was asked for: '%s'; too many rows, or prints?", said);
    return GPAI_TALK_WRONG;
}

gpa_status gpai_children_take(gpai_child **out, gpai_children *p, int64_t *deadline,
                              gpa_error *err)
{
    gpai_child *c = NULL;
    *out = NULL;
    if (p->owner != getpid())
        return gpai_fail(err, GPA_INVALID,
                         "exec: %s: opened before this process was forked; open the "
                         "model again here",
                         p->who.text);
    for (;;) {
        char what[GPAI_WRONG] = "while it was idle";
        gpa_status st = next(&c, p, err);
        if (st != GPA_OK)
            return st;
        if (*deadline == 0)
            *deadline = gpai_deadline(p->timeout);
        if (c == NULL)
            break;
        gpai_talk t = gpai_children_look(c, what);
        if (t == GPAI_TALK_WRONG)
            return gpai_children_lose(p, c, t, what, err);
        if (t == GPAI_TALK_FINE) {
            *out = c;
            return GPA_OK;
        }
        (void)gpai_children_lose(p, c, t, what, NULL); /* it owed nobody an answer */
    }
    gpai_hello hello = {0};
    gpa_status st = start(out, p, &hello, *deadline, err);
    close_hello(&hello);
    return st;
}

void gpai_children_free(void *self)
{
    gpai_children *p = self;
    if (p == NULL)
        return;
    for (gpai_child *c = p->idle; c != NULL; c = c->next)
        gpai_child_hang_up(c); /* all at once, so that they leave at the same time */
    for (gpai_child *c = p->idle, *after; c != NULL; c = after) {
        after = c->next;
        gpai_child_end(c, true);
        gpai_free(c);
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    close_hello(&p->hello);
    gpai_model_kinds_free(&p->kinds);
    gpai_free(p->tell);
    gpai_free(p->argv);
    gpai_free(p);
}

gpa_status gpai_children_new(gpai_children **out, const gpai_spec *s, gpa_error *err)
{
    gpai_child *c = NULL;
    *out = NULL;
    gpai_children *p = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return gpai_nomem(err, "exec");
    p->who = gpai_show_path(s->rest);
    snprintf(p->called, sizeof p->called, "exec: %s", p->who.text);
    p->timeout = s->timeout;
    p->limit = s->workers;
    p->owner = getpid();
    p->alive = 1;
    pthread_mutex_init(&p->lock, NULL); /* cannot fail on the systems we know */
    pthread_cond_init(&p->changed, NULL);
    gpa_status st = gpai_command_split(&p->argv, s->rest, err);
    if (st == GPA_OK)
        st = start(&c, p, &p->hello, gpai_deadline(p->timeout), err);
    if (st == GPA_OK) {
        gpai_children_give(p, c);
        *out = p;
    } else {
        gpai_children_free(p);
    }
    return st;
}

#define _DEFAULT_SOURCE /* sigset, usleep */
#include "base/status.h"
#include "console/args.h"
#include "console/terminal.h"
#include "serve/http/http.h"
#include "serve/serve.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { URL_SIZE = 1200 };

/* Seconds from SIGTERM to the end. */
static const double DRAIN = 1.5;

/* Where to listen, and who may come. */
static gpa_status settle(struct guard *g, const gpai_options *a, gpa_error *err)
{
    const char *host = a->given[OPT_HOST] ? a->text[OPT_HOST] : "127.0.0.1";
    if (strlen(host) == 0 || strlen(host) >= sizeof g->host)
        return gpai_fail(err, GPA_INVALID, "--host: '%.100s' is no address", host);
    snprintf(g->host, sizeof g->host, "%s", host);
    g->port = (unsigned)a->count[OPT_PORT];
    if (!guard_is_loopback(host) && !a->given[OPT_TOKEN_FILE])
        return gpai_fail(
            err, GPA_INVALID,
            "--host %.100s: others on the network could then ask the model and read "
            "all rows, unencrypted; if that is meant, give --token-file FILE, whose "
            "secret they need, and put a proxy with TLS in front",
            host);
    gpa_status st = a->given[OPT_BASE_URL]
                        ? guard_take_base(g, a->text[OPT_BASE_URL], err)
                        : GPA_OK;
    if (st != GPA_OK)
        return st;
    return a->given[OPT_TOKEN_FILE] ? guard_read_token(g, a->text[OPT_TOKEN_FILE], err)
                                    : guard_make_token(g, err);
}

static void write_url(const struct guard *g, char url[URL_SIZE])
{
    bool six = strchr(g->host, ':') != NULL;
    bool any = strcmp(g->host, "0.0.0.0") == 0 || strcmp(g->host, "::") == 0;
    if (g->origin[0] != '\0')
        snprintf(url, URL_SIZE, "%s%s?token=%s", g->origin, g->base, g->token);
    else
        snprintf(url, URL_SIZE, "http://%s%s%s:%u%s?token=%s", six && !any ? "[" : "",
                 any ? "127.0.0.1" : g->host, six && !any ? "]" : "", g->port, g->base,
                 g->token);
}

static void open_browser(char *url)
{
    char program[] = "xdg-open";
    char *words[] = {program, url, NULL};
    pid_t pid;
    sigset_t none;
    posix_spawnattr_t attributes;
    sigemptyset(&none);
    if (posix_spawnattr_init(&attributes) != 0)
        return;
    (void)posix_spawnattr_setsigmask(&attributes, &none); /* ours are blocked */
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int code = posix_spawnp(&pid, program, NULL, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    if (code != 0)
        say("--open: there is no xdg-open; open the address yourself");
}

/* Until a signal ends it. They are blocked in all threads, and waited for here. */
static int wait_for_end(const sigset_t *ends)
{
    int number = 0;
    while (sigwait(ends, &number) != 0)
        continue;
    return number;
}

static gpa_status serve(struct serving *v, struct http **h, const gpai_options *a,
                        gpa_error *err)
{
    char url[URL_SIZE];
    gpai_options given = *a;
    gpai_options_become(&given, "explain");
    gpa_status st = settle(&v->guard, a, err);
    if (st == GPA_OK)
        st = serving_open(v, &given, err);
    say_notes(v->study);
    if (st == GPA_OK)
        st = serving_start(v, err);
    if (st == GPA_OK)
        st = http_open(h, v, err);
    if (st != GPA_OK)
        return st;
    write_url(&v->guard, url);
    if (printf("%s\n", url) < 0 || fflush(stdout) != 0)
        return gpai_fail(err, GPA_IO, "cannot write standard output");
    if (!v->guard.local)
        say("others on the network can reach this; whoever has the token can ask the "
            "model and read all rows; nothing is encrypted unless a proxy does it");
    if (a->given[OPT_OPEN])
        open_browser(url);
    return GPA_OK;
}

int cmd_serve(const gpai_options *a)
{
    gpa_error err = {0};
    struct serving *v = &(struct serving){.png = false};
    struct http *h = NULL;
    sigset_t ends;
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* what a large answer took goes back */
#endif
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    gpa_status st = serve(v, &h, a, &err);
    if (st != GPA_OK)
        return give_up(st, &err); /* threads may be at work: the end of us ends them */
    wait_for_end(&ends);
    http_quiet(h);
    if (!serving_drain(v, DRAIN))
        _exit(EXIT_DONE); /* a model that does not answer */
    http_close(h);
    pthread_join(v->scorer, NULL);
    serving_close(v);
    return EXIT_DONE;
}

#include "lab/paper/paper.h"
#include "console/ask.h"
#include "console/out.h"
#include "console/say.h"
#include "lab/write.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of this program, as far as its name tells. */
static void own_folder(char *out, size_t size, const char *program)
{
    const char *slash = strrchr(program, '/');
    snprintf(out, size, "%.*s", slash != NULL ? (int)(slash - program) : 0, program);
}

static bool exists(const char *folder, const char *name)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

/* The scripts: beside the source tree's build, or where they were installed. */
static gpa_status find_tools(struct paper *p, const char *own, gpa_error *err)
{
    static const char *const PLACES[] = {"../tools", "../share/gpa/tools"};
    const char *named = getenv("GPA_TOOLS");
    char path[4200];
    if (named != NULL && exists(named, "paper/prepare.sh")) {
        p->tools = strdup(named);
        return p->tools != NULL ? GPA_OK : fail(err, GPA_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", own, PLACES[i]);
        if (!exists(path, "paper/prepare.sh"))
            continue;
        p->tools = strdup(path);
        return p->tools != NULL ? GPA_OK : fail(err, GPA_NOMEM, "out of memory");
    }
    return fail(err, GPA_IO,
                "paper: its scripts (tools/paper) are not beside this program; set "
                "GPA_TOOLS to the folder tools of the sources");
}

/* --work; else beside the build; else the user's cache. */
static gpa_status find_work(struct paper *p, const char *own, gpa_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[4200];
    bool made; /* nobody asks: folders stay */
    if (p->a->given[OPT_WORK])
        snprintf(path, sizeof path, "%s", p->a->text[OPT_WORK]);
    else if (exists(own, "build.ninja"))
        snprintf(path, sizeof path, "%s/paper", own);
    else if (cache != NULL && cache[0] == '/')
        snprintf(path, sizeof path, "%s/gpa/paper", cache);
    else if (home != NULL)
        snprintf(path, sizeof path, "%s/.cache/gpa/paper", home);
    else
        return fail(err, GPA_INVALID, "paper: nowhere to keep models: give --work DIR");
    gpa_status st = out_folder(path, &made, err);
    p->work = strdup(path);
    if (p->a->given[OPT_SVG])
        snprintf(path, sizeof path, "%s", p->a->text[OPT_SVG]);
    else
        snprintf(path, sizeof path, "%.4000s/figures", p->work != NULL ? p->work : "");
    p->figures = strdup(path);
    if (st == GPA_OK && (p->work == NULL || p->figures == NULL))
        return fail(err, GPA_NOMEM, "out of memory");
    return st == GPA_OK && p->a->given[OPT_SVG] ? out_folder(path, &made, err) : st;
}

static const struct experiment {
    const char *name;
    gpa_status (*run)(struct paper *, gpa_error *);
} EXPERIMENTS[] = {{"sinusoid", paper_sinusoid},
                   {"diabetes", paper_diabetes},
                   {"boston", paper_boston},
                   {"california", paper_california},
                   {"table", paper_consistency}};
enum { N_EXPERIMENTS = sizeof EXPERIMENTS / sizeof EXPERIMENTS[0] };

static gpa_status run_one(struct paper *p, const struct experiment *e, bool all,
                          gpa_error *err)
{
    if (strcmp(e->name, "table") == 0 && p->a->given[OPT_ORACLE])
        return paper_oracle(p, p->a->text[OPT_ORACLE], err);
    if (strcmp(e->name, "california") != 0 || paper_has_california(p))
        return e->run(p, err);
    if (all) {
        say("california is left out: give --data cal_housing.data");
        return GPA_OK;
    }
    return fail(err, GPA_INVALID,
                "paper california: give --data cal_housing.data, the file inside "
                "cal_housing.tgz of the StatLib archive (houses), 20640 lines of nine "
                "numbers");
}

static gpa_status run_all(struct paper *p, const char *which, gpa_error *err)
{
    bool all = strcmp(which, "all") == 0;
    gpa_status st = GPA_OK;
    paper_page_begin(p);
    if (p->a->given[OPT_JSON])
        fprintf(p->out, "{\"format\":\"gpa-paper/1\",\"version\":\"%s\",\"tables\":[",
                gpa_version());
    for (size_t i = 0; i < N_EXPERIMENTS && st == GPA_OK; i++)
        if (all || strcmp(which, EXPERIMENTS[i].name) == 0)
            st = run_one(p, &EXPERIMENTS[i], all, err);
    if (p->a->given[OPT_JSON])
        fputs("]}\n", p->out);
    paper_page_end(p);
    return st;
}

static gpa_status deliver(const char *path, FILE **f, char **text, size_t *size,
                          gpa_error *err)
{
    struct out o = {0};
    bool bad = ferror(*f) != 0;
    if (fclose(*f) != 0 || bad) {
        *f = NULL;
        return fail(err, GPA_NOMEM, "out of memory");
    }
    *f = NULL;
    gpa_status st = out_open(&(struct outputs){0}, &o, path, err);
    if (st == GPA_OK)
        st = out_write(&o, *text, *size, err);
    if (st == GPA_OK)
        st = out_commit(&o, err);
    out_discard(&o);
    return st;
}

static bool known(const char *which)
{
    for (size_t i = 0; i < N_EXPERIMENTS; i++)
        if (strcmp(which, EXPERIMENTS[i].name) == 0)
            return true;
    return strcmp(which, "all") == 0;
}

int paper_run(const gpai_options *a, const char *program)
{
    gpa_error err = {0};
    struct paper p = {.a = a, .seed = a->given[OPT_SEED] ? a->count[OPT_SEED] : 1};
    char own[4096], page[4200];
    char *tables = NULL, *html = NULL;
    size_t tables_size = 0, html_size = 0;
    const char *which = a->file != NULL ? a->file : "all";
    if (!known(which)) {
        say("paper: no '%s'; there are sinusoid, diabetes, boston, california, table "
            "and "
            "all",
            which);
        return EXIT_USAGE;
    }
    p.threads = gpai_options_threads(a, 64);
    own_folder(own, sizeof own, program);
    p.out = open_memstream(&tables, &tables_size);
    p.page = open_memstream(&html, &html_size);
    gpa_status st = p.out == NULL || p.page == NULL
                        ? fail(&err, GPA_NOMEM, "out of memory")
                        : gpa_text_new(&p.svg, &err);
    if (st == GPA_OK)
        st = find_tools(&p, own, &err);
    if (st == GPA_OK)
        st = find_work(&p, own, &err);
    if (st == GPA_OK)
        st = run_all(&p, which, &err);
    snprintf(page, sizeof page, "%.4000s/%s.html", p.work != NULL ? p.work : "", which);
    const char *to = a->given[OPT_HTML] ? a->text[OPT_HTML] : page;
    if (st == GPA_OK)
        st = deliver(a->text[OPT_OUT], &p.out, &tables, &tables_size, &err);
    if (st == GPA_OK)
        st = deliver(to, &p.page, &html, &html_size, &err);
    if (st == GPA_OK)
        say("page: %s%s%s", to, p.drawn > 0 ? "; figures: " : "",
            p.drawn > 0 ? p.figures : "");
    if (p.out != NULL)
        fclose(p.out);
    if (p.page != NULL)
        fclose(p.page);
    free(html);
    free(tables);
    gpa_text_free(p.svg);
    free(p.figures);
    free(p.work);
    free(p.tools);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}

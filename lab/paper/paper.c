#include "lab/paper/paper.h"
#include "base/status.h"
#include "base/text/text.h"
#include "console/out.h"
#include "console/terminal.h"
#include <stdio.h>
#include <string.h>

/* Where the models are, and the figures. */
static gpa_status find_work(struct paper *p, const char *program, gpa_error *err)
{
    const char *svg = p->a->text[OPT_SVG];
    bool made; /* nobody asks, folders stay */
    gpa_status st =
        scripts_open(&p->scripts, program, p->a->text[OPT_WORK], "paper", err);
    if (svg == NULL)
        snprintf(p->figures, sizeof p->figures, "%s/figures", p->scripts.work);
    else
        snprintf(p->figures, sizeof p->figures, "%s", svg);
    return st == GPA_OK && svg != NULL ? out_folder(NULL, svg, &made, err) : st;
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
    return gpai_fail(
        err, GPA_INVALID,
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
        gpai_text_printf(p->out,
                         "{\"format\":\"gpa-paper/1\",\"version\":\"%s\",\"tables\":[",
                         gpa_version());
    for (size_t i = 0; i < N_EXPERIMENTS && st == GPA_OK; i++)
        if (all || strcmp(which, EXPERIMENTS[i].name) == 0)
            st = run_one(p, &EXPERIMENTS[i], all, err);
    if (p->a->given[OPT_JSON])
        gpai_text_add(p->out, "]}\n");
    paper_page_end(p);
    return st;
}

static bool known(const char *which)
{
    for (size_t i = 0; i < N_EXPERIMENTS; i++)
        if (strcmp(which, EXPERIMENTS[i].name) == 0)
            return true;
    return strcmp(which, "all") == 0;
}

static gpa_status write_out(struct paper *p, const char *which, gpa_error *err)
{
    char page[4200];
    snprintf(page, sizeof page, "%s/%s.html", p->scripts.work, which);
    const char *to = p->a->given[OPT_HTML] ? p->a->text[OPT_HTML] : page;
    gpa_status st = gpai_text_seal(p->out, 0, err);
    if (st == GPA_OK)
        st = gpai_text_seal(p->page, 0, err);
    struct outputs all = {.given = p->a};
    struct out tables = {0}, shown = {0};
    if (st == GPA_OK)
        st = out_open(&all, &tables, p->a->text[OPT_OUT], err);
    if (st == GPA_OK)
        st = out_open(&all, &shown, to, err);
    if (st == GPA_OK)
        st = out_text(&tables, p->out, err);
    if (st == GPA_OK)
        st = out_text(&shown, p->page, err);
    if (st == GPA_OK)
        st = out_commit_all((struct out *[]){&shown, &tables}, 2, err);
    out_discard(&shown);
    out_discard(&tables);
    if (st == GPA_OK)
        say("page: %s%s%s", to, p->drawn > 0 ? "; figures: " : "",
            p->drawn > 0 ? p->figures : "");
    return st;
}

int paper_run(const gpai_options *a, const char *program)
{
    gpa_error err = {0};
    struct paper p = {.a = a, .seed = gpai_options_count(a, OPT_SEED, 1)};
    const char *which = a->file != NULL ? a->file : "all";
    if (!known(which)) {
        say("paper: no '%s'; there are sinusoid, diabetes, boston, california, table "
            "and "
            "all",
            which);
        return EXIT_USAGE;
    }
    gpa_status st = gpa_text_new(&p.out, &err);
    if (st == GPA_OK)
        st = gpa_text_new(&p.page, &err);
    if (st == GPA_OK)
        st = gpa_text_new(&p.svg, &err);
    if (st == GPA_OK)
        st = find_work(&p, program, &err);
    if (st == GPA_OK)
        st = run_all(&p, which, &err);
    if (st == GPA_OK)
        st = write_out(&p, which, &err);
    gpa_text_free(p.svg);
    gpa_text_free(p.page);
    gpa_text_free(p.out);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}

#include "cli/results.h"
#include "base/alloc.h"
#include "base/status.h"
#include "console/args.h"
#include "console/png.h"
#include "console/terminal.h"
#include <gpa/plot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { ID_SIZE = 64, NAME_SIZE = 200 };

static gpa_status pictures_open(struct pictures *p, struct outputs *all,
                                const char *folder, bool png, gpa_error *err)
{
    *p = (struct pictures){.folder = folder, .png = png, .all = all};
    gpa_status st = png ? png_ready(err) : GPA_OK;
    if (st == GPA_OK)
        st = out_folder(all, folder, &p->made, err);
    return st == GPA_OK ? gpa_text_new(&p->text, err) : st;
}

/* A folder that was made for nothing goes again. */
static void pictures_close(struct pictures *p)
{
    bool committed = p->n_outs > 0 && p->committed;
    for (size_t i = 0; i < p->n_outs; i++)
        out_discard(&p->outs[i]);
    gpai_free(p->outs);
    if (p->made && !committed)
        (void)rmdir(p->folder);
    for (size_t i = 0; i < p->n_names; i++)
        gpai_free(p->names[i]);
    gpai_free(p->names);
    gpa_text_free(p->text);
}

/* Writes out the picture in p->text. */
static gpa_status save(struct pictures *p, const char *name, const char *kind,
                       gpa_error *err)
{
    size_t size = strlen(p->folder) + NAME_SIZE + 64;
    char *path = malloc(size);
    if (path == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    snprintf(path, size, "%s/%s%s%s.%s", p->folder, name, name[0] != '\0' ? "-" : "",
             kind, p->png ? "png" : "svg");
    struct out *o = NULL;
    gpa_status st = p->png ? png_from(p->text, err) : GPA_OK;
    if (st == GPA_OK &&
        !gpai_grow(&p->outs, &p->outs_room, p->n_outs + 1, sizeof *p->outs))
        st = gpai_fail(err, GPA_NOMEM, "out of memory");
    if (st == GPA_OK) {
        o = &p->outs[p->n_outs++];
        st = out_open(p->all, o, path, err);
    }
    if (st == GPA_OK)
        st = out_text(o, p->text, err);
    if (st == GPA_OK)
        st = out_finish(o, err);
    free(path);
    gpa_text_clear(p->text);
    return st;
}

/* Letters, digits and . _ - stay; everything else becomes _. */
static void safe_id(char *out, const char *id)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789._-";
    size_t n = 0;
    for (; id[n] != '\0' && n + 1 < ID_SIZE; n++)
        out[n] = strchr(fine, id[n]) != NULL ? id[n] : '_';
    out[n] = '\0';
}

static bool is_used(const struct pictures *p, const char *name)
{
    for (size_t i = 0; i < p->n_names; i++)
        if (strcasecmp(p->names[i], name) == 0) /* some file systems do not care */
            return true;
    return false;
}

static gpa_status use(struct pictures *p, const char *name, gpa_error *err)
{
    if (!gpai_grow(&p->names, &p->room, p->n_names + 1, sizeof *p->names) ||
        (p->names[p->n_names] = gpai_strdup(name)) == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    p->n_names++;
    return GPA_OK;
}

static int by_number(const void *a, const void *b)
{
    size_t p = *(const size_t *)a, q = *(const size_t *)b;
    return p < q ? -1 : p > q;
}

/* The name of a row as in reports. */
static const char *id_of(const gpa_report_info *info, size_t row, char *room)
{
    snprintf(room, 24, "%zu", row);
    if (info->ids == NULL)
        return room;
    if (info->id_rows == NULL)
        return info->ids[row];
    const size_t *found =
        bsearch(&row, info->id_rows, info->n_ids, sizeof row, by_number);
    return found != NULL ? info->ids[found - info->id_rows] : room;
}

/* "row-ID", with the row's number where that name is taken. */
static gpa_status name_rows(struct pictures *p, const gpa_report_info *info, size_t row,
                            size_t count, char *name, gpa_error *err)
{
    char id[ID_SIZE], room[24];
    size_t tries = 0;
    safe_id(id, id_of(info, row, room));
    int used = count > 1
                   ? snprintf(name, NAME_SIZE, "rows-%s-and-%zu-more", id, count - 1)
                   : snprintf(name, NAME_SIZE, "row-%s", id);
    while (is_used(p, name)) {
        tries++;
        snprintf(name + used, NAME_SIZE - (size_t)used,
                 tries > 1 ? "-row%zu-%zu" : "-row%zu", row, tries);
    }
    return use(p, name, err);
}

/* row-ID-distributions.svg, -forest.svg, and -scatter.svg and -profile.svg where there
 * is what they need. */
static gpa_status pictures_explanation(struct pictures *p, const gpa_report_info *info,
                                       const gpa_explanation *e, gpa_error *err)
{
    char name[NAME_SIZE];
    gpa_status st = name_rows(p, info, gpa_explanation_row(e, 0),
                              gpa_explanation_rows(e), name, err);
    for (size_t i = 0; i < PICTURES && st == GPA_OK; i++) {
        st = PICTURE_KINDS[i].draw(p->text, info, e, err);
        if (st == GPA_OK && gpa_text_length(p->text) > 0)
            st = save(p, name, PICTURE_KINDS[i].name, err);
        else
            p->without[i]++;
    }
    return st;
}

/* scores.svg, of all rows. */
static gpa_status pictures_scores(struct pictures *p, const gpa_report_info *info,
                                  gpa_error *err)
{
    gpa_status st = gpa_plot_background_scores(p->text, info, err);
    p->without_scores = gpa_text_length(p->text) == 0;
    return st == GPA_OK && !p->without_scores ? save(p, "", "scores", err) : st;
}

/* row-ID-litmus.svg of every row. */
static gpa_status pictures_comparison(struct pictures *p, const gpa_report_info *info,
                                      const gpa_comparison *c, gpa_error *err)
{
    char name[NAME_SIZE];
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < gpa_comparison_rows(c); i++) {
        st = name_rows(p, info, gpa_comparison_row(c, i), 1, name, err);
        if (st == GPA_OK)
            st = gpa_plot_comparison(p->text, info, c, i, err);
        if (st == GPA_OK)
            st = save(p, name, "litmus", err);
        if (st != GPA_OK)
            break;
    }
    return st;
}

/* Names what could not be drawn. `saved`: the result comes from a file. */
static void pictures_say(const struct pictures *p, const gpa_report_info *info,
                         bool saved)
{
    bool thin = saved && !info->full;
    for (size_t i = 0; i < PICTURES; i++)
        if (p->without[i] > 0)
            say("left out: %s of %zu explanation%s: %s", PICTURE_KINDS[i].name,
                p->without[i], p->without[i] > 1 ? "s" : "",
                thin     ? "what it shows was not saved; use --json-full for that"
                : i == 3 ? "f along the inputs was not asked, it is for the culprits"
                         : "there is nothing to show");
    if (p->without_scores)
        say("left out: scores: %s",
            thin ? "they were not saved; use --json-full for that"
                 : "there are fewer than two, or sigma is not known");
}

static gpa_status open_report(struct results *r, struct out *o, const char *path,
                              gpa_format format, gpa_error *err)
{
    r->reports[r->n_reports++] = (struct report){.format = format, .out = o};
    return out_open(&r->all, o, path, err);
}

gpa_status results_open(struct results *r, const gpai_options *a, bool main,
                        gpa_error *err)
{
    const char *out = a->text[OPT_OUT], *page = a->text[OPT_HTML];
    gpa_status st = args_format(a, &r->format, err);
    r->all.given = a;
    r->has_page = page != NULL;
    r->has_main = main;
    if (st == GPA_OK && main && page != NULL &&
        strcmp(page, out != NULL ? out : "-") == 0)
        st = gpai_fail(err, GPA_INVALID,
                       "--html and the results would both go to %.200s", page);
    if (st == GPA_OK && r->has_main)
        st = open_report(r, &r->main, out, r->format, err);
    if (st == GPA_OK && r->has_page)
        st = open_report(r, &r->page, page, GPA_FORMAT_HTML, err);
    if (st == GPA_OK && a->given[OPT_PNG]) /* what may be missing first */
        st = pictures_open(&r->pictures[r->n_pictures++], &r->all, a->text[OPT_PNG],
                           true, err);
    if (st == GPA_OK && a->given[OPT_PICTURES])
        st = pictures_open(&r->pictures[r->n_pictures++], &r->all,
                           a->text[OPT_PICTURES], false, err);
    return st == GPA_OK ? gpa_text_new(&r->text, err) : st;
}

void results_about(struct results *r, const gpa_report_info *info,
                   const gpai_options *a)
{
    r->info = *info;
    r->info.verbose = a->given[OPT_VERBOSE];
    r->info.paths = a->given[OPT_PATHS];
    look_at_terminal(&r->info, a);
}

static gpa_status flush(struct results *r, const struct report *to, gpa_error *err)
{
    return to->out != NULL ? out_text(to->out, r->text, err) : GPA_OK;
}

/* The next explanation, or (NULL) the end. */
static gpa_status write_piece(struct results *r, struct report *to,
                              const gpa_explanation *e, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (!to->begun)
        st = gpa_report_begin(r->text, to->format, &r->info, e, err);
    to->begun = true;
    if (st == GPA_OK)
        st = e != NULL ? gpa_report_explanation(r->text, to->format, &r->info, e,
                                                r->count, err)
                       : gpa_report_end(r->text, to->format, &r->info, err);
    return st == GPA_OK ? flush(r, to, err) : st;
}

gpa_status results_add(struct results *r, const gpa_explanation *e, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < r->n_reports && st == GPA_OK; i++)
        st = write_piece(r, &r->reports[i], e, err);
    for (size_t i = 0; i < r->n_pictures && st == GPA_OK; i++)
        st = pictures_explanation(&r->pictures[i], &r->info, e, err);
    r->count++;
    return st;
}

gpa_status results_end(struct results *r, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < r->n_reports && st == GPA_OK; i++)
        st = write_piece(r, &r->reports[i], NULL, err);
    for (size_t i = 0; i < r->n_pictures && st == GPA_OK && r->count > 0; i++)
        st = pictures_scores(&r->pictures[i], &r->info, err);
    if (st == GPA_OK && r->n_pictures > 0)
        pictures_say(&r->pictures[0], &r->info, r->saved);
    return st == GPA_OK ? results_commit(r, err) : st;
}

gpa_status results_comparison(struct results *r, const gpa_comparison *c,
                              gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < r->n_reports && st == GPA_OK; i++) {
        const struct report *to = &r->reports[i];
        st = gpa_report_comparison(r->text, to->format, &r->info, c, err);
        if (st == GPA_OK)
            st = flush(r, to, err);
    }
    for (size_t i = 0; i < r->n_pictures && st == GPA_OK; i++)
        st = pictures_comparison(&r->pictures[i], &r->info, c, err);
    return st == GPA_OK ? results_commit(r, err) : st;
}

gpa_status results_saved(struct results *r, const gpa_saved *from, gpa_error *err)
{
    gpa_comparison *c = NULL;
    gpa_status st = GPA_OK;
    r->saved = true;
    if (gpa_saved_type(from) == GPA_SAVED_COMPARISON) {
        st = gpa_saved_comparison(&c, from, err);
        if (st == GPA_OK)
            st = results_comparison(r, c, err);
        gpa_comparison_free(c);
        return st;
    }
    for (size_t i = 0; i < gpa_saved_count(from) && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, from, i, err);
        if (st == GPA_OK)
            st = results_add(r, e, err);
        gpa_explanation_free(e);
    }
    if (st == GPA_OK && r->has_page && r->count > 0 && !gpa_saved_info(from)->full)
        say("the page is without scores, scatter and profiles: they were not saved; "
            "use "
            "--json-full for that");
    return st == GPA_OK ? results_end(r, err) : st;
}

gpa_status results_commit(struct results *r, gpa_error *err)
{
    size_t n = 0, pictures = 0;
    for (size_t i = 0; i < r->n_pictures; i++)
        pictures += r->pictures[i].n_outs;
    struct out **all = gpai_calloc(pictures + 2, sizeof *all);
    if (all == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    for (size_t i = 0; i < r->n_pictures; i++)
        for (size_t j = 0; j < r->pictures[i].n_outs; j++)
            all[n++] = &r->pictures[i].outs[j];
    if (r->has_page)
        all[n++] = &r->page;
    if (r->has_main)
        all[n++] = &r->main;
    gpa_status st = out_commit_all(all, n, err);
    for (size_t i = 0; i < r->n_pictures; i++)
        r->pictures[i].committed = st == GPA_OK;
    gpai_free(all);
    return st;
}

void results_close(struct results *r)
{
    gpa_text_free(r->text);
    for (size_t i = 0; i < r->n_pictures; i++)
        pictures_close(&r->pictures[i]);
    out_discard(&r->page);
    out_discard(&r->main);
}

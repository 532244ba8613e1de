#include "cli/pictures.h"
#include "base/status.h"
#include "console/terminal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { ID_SIZE = 64, NAME_SIZE = 200 };

gpa_status pictures_open(struct pictures *p, struct outputs *all, const char *folder,
                         gpa_error *err)
{
    *p = (struct pictures){.folder = folder, .all = all};
    gpa_status st = out_folder(folder, &p->made, err);
    return st == GPA_OK ? gpa_text_new(&p->text, err) : st;
}

void pictures_close(struct pictures *p)
{
    if (p->made && p->written == 0)
        (void)rmdir(p->folder);
    for (size_t i = 0; i < p->n_names; i++)
        free(p->names[i]);
    free(p->names);
    gpa_text_free(p->text);
}

/* Writes out the picture in p->text. */
static gpa_status save(struct pictures *p, const char *name, const char *kind,
                       gpa_error *err)
{
    struct out o = {0};
    size_t size = strlen(p->folder) + NAME_SIZE + 64;
    char *path = malloc(size);
    if (path == NULL)
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    snprintf(path, size, "%s/%s%s%s.svg", p->folder, name, name[0] != '\0' ? "-" : "",
             kind);
    gpa_status st = out_open(p->all, &o, path, err);
    if (st == GPA_OK)
        st = out_text(&o, p->text, err);
    if (st == GPA_OK)
        st = out_commit(&o, err);
    out_discard(&o);
    free(path);
    gpa_text_clear(p->text);
    p->written += st == GPA_OK;
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
    char **more = realloc(p->names, (p->n_names + 1) * sizeof *more);
    char *copy = strdup(name);
    p->names = more != NULL ? more : p->names;
    if (more == NULL || copy == NULL) {
        free(copy);
        return gpai_fail(err, GPA_NOMEM, "out of memory");
    }
    p->names[p->n_names++] = copy;
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

static const struct {
    const char *name;
    gpa_status (*draw)(gpa_text *, const gpa_report_info *, const gpa_explanation *,
                       gpa_error *);
} KINDS[PICTURES] = {{"distributions", gpa_plot_explanation},
                     {"forest", gpa_plot_explanation_forest},
                     {"scatter", gpa_plot_explanation_scatter},
                     {"profile", gpa_plot_explanation_profiles}};

gpa_status pictures_explanation(struct pictures *p, const gpa_report_info *info,
                                const gpa_explanation *e, gpa_error *err)
{
    char name[NAME_SIZE];
    gpa_status st = name_rows(p, info, gpa_explanation_row(e, 0),
                              gpa_explanation_rows(e), name, err);
    for (size_t i = 0; i < PICTURES && st == GPA_OK; i++) {
        st = KINDS[i].draw(p->text, info, e, err);
        if (st == GPA_OK && gpa_text_length(p->text) > 0)
            st = save(p, name, KINDS[i].name, err);
        else
            p->without[i]++;
    }
    return st;
}

gpa_status pictures_scores(struct pictures *p, const gpa_report_info *info,
                           gpa_error *err)
{
    gpa_status st = gpa_plot_background_scores(p->text, info, err);
    p->without_scores = gpa_text_length(p->text) == 0;
    return st == GPA_OK && !p->without_scores ? save(p, "", "scores", err) : st;
}

gpa_status pictures_comparison(struct pictures *p, const gpa_report_info *info,
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

void pictures_say(const struct pictures *p, const gpa_report_info *info, bool saved)
{
    bool thin = saved && !info->full;
    for (size_t i = 0; i < PICTURES; i++)
        if (p->without[i] > 0)
            say("left out: %s of %zu explanation%s: %s", KINDS[i].name, p->without[i],
                p->without[i] > 1 ? "s" : "",
                thin     ? "what it shows was not saved; use --json-full for that"
                : i == 3 ? "f along the inputs was not asked, it is for the culprits"
                         : "there is nothing to show");
    if (p->without_scores)
        say("left out: scores: %s",
            thin ? "they were not saved; use --json-full for that"
                 : "there are fewer than two, or sigma is not known");
}

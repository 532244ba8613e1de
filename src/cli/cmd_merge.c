#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "cli/shard.h"
#include "console/terminal.h"
#include "report/saved/saved.h"
#include "report/saved/verify.h"
#include "study/jobs/question.h"
#include "study/rows.h"
#include <stdio.h>
#include <string.h>

/* A shard that was read, and what it says it is. */
struct part {
    gpa_saved *saved;
    const char *name;
    struct shard shard;
    size_t total; /* explanations of the whole job */
    const gpai_value *question;
};

struct merge {
    const gpai_options *a;
    struct part *parts; /* n of them */
    size_t n;
    const struct part **at; /* of->of: each shard in its place; NULL: missing */
};

static gpa_status read_part(struct part *p, const char *path, gpa_error *err)
{
    p->name = path;
    gpa_status st = gpa_saved_read(&p->saved, path, err);
    if (st != GPA_OK)
        return st;
    gpai_reader r = {.name = p->saved->name.text, .err = err};
    const gpai_value *shard = gpai_read_object(&r, p->saved->head, "shard", true);
    if (r.status == GPA_OK && shard == NULL)
        gpai_read_fail(&r, NULL, "no shard; 'gpa explain --shard' makes them");
    p->shard.index = (size_t)gpai_read_count(&r, shard, "index");
    p->shard.of = (size_t)gpai_read_count(&r, shard, "of");
    p->total = (size_t)gpai_read_count(&r, shard, "explanations");
    p->question = gpai_read_object(&r, shard, "question", false);
    if (r.status == GPA_OK && (p->shard.index < 1 || p->shard.index > p->shard.of))
        gpai_read_fail(&r, "shard", "%zu of %zu", p->shard.index, p->shard.of);
    if (r.status == GPA_OK &&
        gpa_saved_count(p->saved) != shard_size(&p->shard, p->total))
        gpai_read_fail(&r, "shard", "%zu explanations, expected %zu",
                       gpa_saved_count(p->saved), shard_size(&p->shard, p->total));
    return r.status;
}

/* What shards have in common is taken from one of them, so that all must say the same;
 * those without explanations say less. */
static gpa_status check_head(const struct part *first, const struct part *p,
                             gpa_error *err)
{
    const gpai_value *heads[] = {first->saved->head, p->saved->head};
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < gpai_value_members(heads[side]); i++) {
            const char *key = gpai_value_key(heads[side], i);
            const gpai_value *a = gpai_value_get(heads[0], key);
            const gpai_value *b = gpai_value_get(heads[1], key);
            if (strcmp(key, "shard") == 0 || gpai_question_agree(a, b))
                continue;
            const char *within = gpai_question_other(a, b);
            return gpai_fail(
                err, GPA_DATA,
                "%.150s and %.150s differ in \"%.60s\"%s%.60s: one of them "
                "was changed since 'gpa explain' wrote it",
                first->name, p->name, gpai_show_text(key).text,
                within != NULL ? ", " : "",
                within != NULL ? gpai_show_text(within).text : "");
        }
    return GPA_OK;
}

/* All of them must be parts of one job. */
static gpa_status check_same(const struct part *first, const struct part *p,
                             gpa_error *err)
{
    gpa_error why = {0};
    gpa_status st = gpai_question_compare(first->question, p->question, p->name, &why);
    if (st != GPA_OK)
        return gpai_fail(err, st, "%.300s (beside %.150s)", why.message, first->name);
    if (p->shard.of != first->shard.of || p->total != first->total ||
        p->saved->info.full != first->saved->info.full)
        return gpai_fail(
            err, GPA_DATA,
            "%.150s is shard %zu/%zu of %zu explanations%s, %.150s %zu/%zu "
            "of %zu%s",
            p->name, p->shard.index, p->shard.of, p->total,
            p->saved->info.full ? " in full" : "", first->name, first->shard.index,
            first->shard.of, first->total, first->saved->info.full ? " in full" : "");
    return GPA_OK;
}

/* Puts each in its place; the same shard twice must have the same bytes. */
static gpa_status place(struct merge *m, const struct part *p, gpa_error *err)
{
    const struct part *there = m->at[p->shard.index - 1];
    size_t a = 0, b = 0;
    m->at[p->shard.index - 1] = p;
    if (there == NULL)
        return GPA_OK;
    const char *mine = gpai_saved_bytes(p->saved, &a);
    const char *theirs = gpai_saved_bytes(there->saved, &b);
    if (a == b && memcmp(mine, theirs, a) == 0)
        return GPA_OK;
    return gpai_fail(err, GPA_DATA,
                     "%.200s and %.200s are both shard %zu/%zu, and differ",
                     there->name, p->name, p->shard.index, p->shard.of);
}

/* "3, 5, 7, ... (12 of 16)". */
static gpa_status check_missing(const struct merge *m, size_t of, gpa_error *err)
{
    gpai_row_names names = {.n = 0};
    for (size_t i = 0; i < of; i++)
        if (m->at[i] == NULL)
            gpai_row_names_add(&names, i + 1);
    return names.n == 0
               ? GPA_OK
               : gpai_fail(err, GPA_DATA, "%zu of %zu shards %s missing: %s", names.n,
                           of, names.n == 1 ? "is" : "are", names.text);
}

static gpa_status read_parts(struct merge *m, gpa_error *err)
{
    enum { MOST = 1000000 }; /* shards */
    gpa_status st = GPA_OK;
    m->parts = gpai_calloc(m->a->n_files, sizeof *m->parts);
    if (m->parts == NULL)
        return gpai_nomem(err, "merge");
    for (size_t i = 0; i < m->a->n_files && st == GPA_OK; i++) {
        m->n = i + 1;
        st = read_part(&m->parts[i], m->a->files[i], err);
        if (st == GPA_OK)
            st = check_same(&m->parts[0], &m->parts[i], err);
    }
    const struct part *some = NULL; /* one that has explanations */
    for (size_t i = 0; i < m->n && st == GPA_OK; i++) {
        if (gpa_saved_count(m->parts[i].saved) == 0)
            continue;
        some = some != NULL ? some : &m->parts[i];
        st = check_head(some, &m->parts[i], err);
    }
    if (st != GPA_OK)
        return st;
    size_t of = m->parts[0].shard.of;
    if (of > MOST)
        return gpai_fail(err, GPA_DATA, "%.200s: shard %zu of %zu: too many",
                         m->parts[0].name, m->parts[0].shard.index, of);
    m->at = gpai_calloc(of, sizeof *m->at);
    if (m->at == NULL)
        return gpai_nomem(err, "merge");
    for (size_t i = 0; i < m->n && st == GPA_OK; i++)
        st = place(m, &m->parts[i], err);
    return st == GPA_OK ? check_missing(m, of, err) : st;
}

/* The whole result, a piece at a time: what all have in common, as the shard with the
 * first explanation has it; the explanations in the order of one run; the end. */
static gpa_status write_whole(const struct merge *m,
                              gpa_status (*put)(void *, const char *, size_t,
                                                gpa_error *),
                              void *to, gpa_error *err)
{
    size_t of = m->parts[0].shard.of, total = m->parts[0].total;
    const gpa_saved *first = m->at[0]->saved;
    gpai_slice text = gpai_saved_text(first);
    gpa_status st = put(to, text.at, (size_t)(first->items[0].at - text.at), err);
    for (size_t i = 0; i < total && st == GPA_OK; i++) {
        gpai_slice item = m->at[i % of]->saved->items[i / of];
        if (i > 0)
            st = put(to, ",\n", 2, err);
        if (st == GPA_OK)
            st = put(to, item.at, item.size, err);
    }
    return st == GPA_OK ? put(to, "]}\n", 3, err) : st;
}

static gpa_status put_out(void *to, const char *bytes, size_t n, gpa_error *err)
{
    return out_write(to, bytes, n, err);
}

static gpa_status put_text(void *to, const char *bytes, size_t n, gpa_error *err)
{
    (void)err;
    gpai_text_bytes(to, bytes, n);
    return GPA_OK;
}

static void forget_parts(struct merge *m)
{
    for (size_t i = 0; i < m->n; i++)
        gpa_saved_free(m->parts[i].saved);
    m->n = 0;
}

/* The whole read back and written as asked; `thin`: without what only pictures need. */
static gpa_status write_again(struct merge *m, struct results *to, bool thin,
                              gpa_error *err)
{
    gpa_text *whole = NULL;
    gpa_saved *saved = NULL;
    gpa_status st = gpa_text_new(&whole, err);
    if (st == GPA_OK)
        st = write_whole(m, put_text, whole, err);
    if (st == GPA_OK)
        st = gpai_text_seal(whole, 0, err);
    forget_parts(m); /* they may be large */
    if (st == GPA_OK)
        st = gpa_saved_parse(&saved, gpa_text_data(whole), gpa_text_length(whole),
                             "the merged result", err);
    gpa_text_free(whole);
    if (st == GPA_OK) {
        results_about(to, gpa_saved_info(saved), m->a);
        to->info.full = to->info.full && !thin;
        st = results_saved(to, saved, err);
    }
    gpa_saved_free(saved);
    return st;
}

/* JSON is made of the shards' own bytes, everything else of what they say. */
static gpa_status write_merged(struct merge *m, struct results *to, gpa_error *err)
{
    const gpa_saved *first = m->at[0]->saved;
    bool thin = m->a->given[OPT_JSON] && first->info.full;
    if (m->parts[0].total == 0) {
        results_about(to, &first->info, m->a);
        return results_end(to, err);
    }
    if (to->format == GPA_FORMAT_JSON && !thin) {
        gpa_status st = write_whole(m, put_out, &to->main, err);
        if (st != GPA_OK)
            return st;
        to->reports[0] = to->reports[--to->n_reports]; /* it was the first */
    }
    return to->n_reports > 0 || to->n_pictures > 0 ? write_again(m, to, thin, err)
                                                   : results_commit(to, err);
}

int cmd_merge(const gpai_options *a)
{
    gpa_error err = {0};
    struct merge m = {.a = a};
    struct results to = {0};
    gpa_status st = a->n_files > 0
                        ? results_open(&to, a, true, &err)
                        : gpai_fail(&err, GPA_INVALID,
                                    "merge: which shards? gpa merge --out all.json "
                                    "part-*.json");
    if (st == GPA_OK)
        st = read_parts(&m, &err);
    if (st == GPA_OK)
        st = write_merged(&m, &to, &err);
    results_close(&to);
    forget_parts(&m);
    gpai_free(m.parts);
    gpai_free(m.at);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}

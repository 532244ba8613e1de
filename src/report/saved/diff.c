#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "report/saved/saved.h"
#include "report/saved/verify.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Where two results differ. Their texts are walked side by side, token by token. */

enum { DEPTH = 100, NAME = 60 };

/* Where both walks are: a key or a number for each level. */
struct place {
    bool object, key_next;
    size_t index;
    char key[NAME];
};

struct pair {
    gpai_json_scan a, b;
    gpai_token x, y;
    struct place path[DEPTH];
    size_t depth;
    gpa_error *err;
};

static gpa_status next(struct pair *p)
{
    gpa_status st = gpai_json_next(&p->a, &p->x, p->err);
    return st == GPA_OK ? gpai_json_next(&p->b, &p->y, p->err) : st;
}

/* Strings without their escapes. */
static gpa_status same_text(struct pair *p, bool *same)
{
    char *x = gpai_calloc(p->x.length + p->y.length + 2, 1);
    if (x == NULL)
        return gpai_nomem(p->err, "report");
    char *y = x + gpai_json_decode(&p->x, x) + 1;
    (void)gpai_json_decode(&p->y, y);
    *same = strcmp(x, y) == 0;
    gpai_free(x);
    return GPA_OK;
}

/* Numbers are the same when they are the same doubles. */
static gpa_status compare(struct pair *p, bool *same)
{
    const gpai_token *x = &p->x, *y = &p->y;
    double a = 0, b = 0;
    *same = x->kind == y->kind && x->length == y->length &&
            memcmp(x->text, y->text, x->length) == 0;
    if (*same || x->kind != y->kind)
        return GPA_OK;
    if (x->kind == 's' && (x->escaped || y->escaped))
        return same_text(p, same);
    *same = x->kind == 'n' && gpai_number(x->text, x->length, &a) == GPAI_NUMBER &&
            gpai_number(y->text, y->length, &b) == GPAI_NUMBER && a == b;
    return GPA_OK;
}

/* "explanations[0].delta[3]" */
static void write_path(gpa_text *t, const struct pair *p)
{
    for (size_t i = 0; i < p->depth; i++) {
        if (!p->path[i].object)
            gpai_text_printf(t, "[%zu]", p->path[i].index);
        else
            gpai_text_printf(t, "%s%s", i > 0 ? "." : "", p->path[i].key);
    }
}

static void write_token(gpa_text *t, const gpai_token *token)
{
    const char *quote = token->kind == 's' ? "\"" : "";
    if (token->kind == 0 || token->kind == '}' || token->kind == ']')
        gpai_text_add(t, "the end");
    else if (token->kind == ',')
        gpai_text_add(t, "more");
    else if (token->kind == '{' || token->kind == '[')
        gpai_text_add(t, token->kind == '{' ? "an object" : "a list");
    else
        gpai_text_printf(t, "%s%s%s", quote, gpai_show(token->text, token->length).text,
                         quote);
}

static void tell(gpa_text *t, const struct pair *p)
{
    write_path(t, p);
    gpai_text_add(t, ": ");
    write_token(t, &p->x);
    gpai_text_add(t, ", now ");
    write_token(t, &p->y);
}

/* Moves the place along with a token that both have; brackets match, or the text would
 * not be a result. */
static gpa_status advance(struct pair *p)
{
    char kind = p->x.kind;
    if (kind == '{' || kind == '[') {
        if (p->depth == DEPTH)
            return gpai_json_fail(&p->a, "nested too deep", NULL, p->err);
        p->path[p->depth++] =
            (struct place){.object = kind == '{', .key_next = kind == '{'};
        return GPA_OK;
    }
    assert(p->depth > 0);
    struct place *at = &p->path[p->depth - 1];
    if (kind == '}' || kind == ']') {
        p->depth--;
    } else if (kind == ',') {
        at->index++;
        at->key_next = at->object;
    } else if (at->key_next && kind == 's') {
        snprintf(at->key, NAME, "%.59s", gpai_show(p->x.text, p->x.length).text);
        at->key_next = false;
    }
    return GPA_OK;
}

/* Who wrote it does not count. */
static bool is_version(const struct pair *p)
{
    return p->depth == 1 && p->x.kind == 's' && p->y.kind == 's' &&
           !p->path[0].key_next && strcmp(p->path[0].key, "version") == 0;
}

static gpa_status compare_json(gpa_text *t, const gpa_saved *a, const gpa_saved *b,
                               gpa_error *err)
{
    struct pair p = {
        .a = {gpai_saved_text(a).at, a->bytes + a->size, 1, a->name.text, false},
        .b = {gpai_saved_text(b).at, b->bytes + b->size, 1, b->name.text, false},
        .err = err};
    gpa_status st;
    bool same = true;
    while ((st = next(&p)) == GPA_OK && (st = compare(&p, &same)) == GPA_OK) {
        if (!same && !is_version(&p)) {
            tell(t, &p);
            break;
        }
        if (p.x.kind == 0 || (st = advance(&p)) != GPA_OK)
            break;
    }
    return st;
}

static bool same_result(const gpai_page_result *x, const gpai_page_result *y)
{
    return x->digest.size == y->digest.size &&
           memcmp(x->digest.at, y->digest.at, x->digest.size) == 0;
}

/* The line on which two pages first differ. */
static size_t first_line(const gpa_saved *a, const gpa_saved *b)
{
    size_t line = 1;
    for (size_t i = 0; i < a->size && i < b->size && a->bytes[i] == b->bytes[i]; i++)
        line += a->bytes[i] == '\n';
    return line;
}

static bool same_version(const gpa_saved *a, const gpa_saved *b)
{
    return a->info.version != NULL && b->info.version != NULL &&
           strcmp(a->info.version, b->info.version) == 0;
}

/* The digests of the results; then every word, unless the pages were made by different
 * versions. */
static void compare_pages(gpa_text *t, const gpa_saved *a, const gpa_saved *b)
{
    size_t i = 0;
    while (i < a->n_items && i < b->n_items &&
           same_result(&a->results[i], &b->results[i]))
        i++;
    if (i < a->n_items && i < b->n_items)
        gpai_text_printf(
            t, "row %s: its result digest",
            gpai_show(a->results[i].rows.at, a->results[i].rows.size).text);
    else if (a->n_items != b->n_items)
        gpai_text_printf(t, "%zu results, now %zu", a->n_items, b->n_items);
    else if (same_version(a, b) &&
             (a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0))
        gpai_text_printf(t, "line %zu of the page", first_line(a, b));
}

gpa_status gpai_saved_difference(gpa_text *t, const gpa_saved *a, const gpa_saved *b,
                                 gpa_error *err)
{
    if (t == NULL || a == NULL || b == NULL)
        return gpai_fail(err, GPA_INVALID, "report: no results to compare");
    size_t start = t->length;
    gpa_status st = GPA_OK;
    if (a->kind != b->kind)
        gpai_text_add(t, "another kind of result");
    else if (a->kind == GPA_SAVED_PAGE)
        compare_pages(t, a, b);
    else
        st = compare_json(t, a, b, err);
    gpa_status sealed = gpai_text_seal(t, start, err);
    return st != GPA_OK ? st : sealed;
}

#include "report/saved/saved.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/packed/unpack.h"
#include "report/json/parts.h"
#include "report/saved/verify.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which name belongs to which row: the explained ones and, in a result that was saved
 * in full, those behind them. */

struct named {
    size_t row;
    const char *id;
};

struct names {
    gpai_reader *r;
    gpa_saved *s;
    struct named *named;
    size_t n;
    bool telling; /* some name is more than the row's number */
};

static int by_row(const void *a, const void *b)
{
    const struct named *p = a, *q = b;
    return p->row < q->row ? -1 : p->row > q->row;
}

static void add(struct names *w, const gpai_value *row, const gpai_value *id)
{
    char number[24];
    const char *text = gpai_value_text(id);
    if (!gpai_value_is_whole(row) || gpai_value_whole(row) < 0 || text == NULL)
        gpai_read_fail(w->r, NULL, "a row is not a whole number, or its id not a text");
    w->named = gpai_read_grow(w->r, w->named, w->n, sizeof *w->named);
    if (w->r->status != GPA_OK)
        return;
    snprintf(number, sizeof number, "%zu", (size_t)gpai_value_whole(row));
    w->telling = w->telling || strcmp(number, text) != 0;
    w->named[w->n++] = (struct named){(size_t)gpai_value_whole(row), text};
}

static void add_all(struct names *w, const gpai_value *rows, const gpai_value *ids)
{
    for (size_t i = 0; i < gpai_value_items(ids) && w->r->status == GPA_OK; i++)
        add(w, gpai_value_at(rows, i), gpai_value_at(ids, i));
}

/* The names of the reference rows. */
static void take_reference(struct names *w)
{
    const gpai_value *o = gpai_value_get(w->s->head, "background");
    const gpai_value *rows = gpai_value_get(o, "rows"), *ids = gpai_value_get(o, "ids");
    if (ids != NULL && gpai_value_items(ids) != gpai_value_items(rows))
        gpai_read_fail(w->r, "background", "rows and ids do not match");
    add_all(w, rows, ids);
}

/* The members `rows` and `ids` (or `row` and `id`) of one item, nothing else of it. */
static void find(struct names *w, gpai_slice item, gpai_value **rows, gpai_value **ids)
{
    bool many = w->s->kind == GPA_SAVED_EXPLANATIONS;
    gpai_reader *r = w->r;
    gpai_token key;
    gpai_slice value;
    gpai_walk walk = gpai_walk_open(r, item, '{');
    while ((*rows == NULL || *ids == NULL) && gpai_walk_next(&walk, &key, &value)) {
        gpai_value **into = gpai_json_token_is(&key, many ? "rows" : "row") ? rows
                            : gpai_json_token_is(&key, many ? "ids" : "id") ? ids
                                                                            : NULL;
        if (into != NULL && *into == NULL)
            r->status = gpai_json_parse(into, value.at, value.size, r->name, r->err);
    }
    if (*rows == NULL || *ids == NULL)
        gpai_read_fail(r, NULL, "a result without its rows and ids");
}

static void take_item(struct names *w, gpai_slice item)
{
    gpai_value *rows = NULL, *ids = NULL;
    find(w, item, &rows, &ids);
    if (w->r->status == GPA_OK && w->s->kind != GPA_SAVED_EXPLANATIONS) {
        add(w, rows, ids);
    } else if (w->r->status == GPA_OK) {
        size_t n = gpai_value_items(rows);
        if (n == 0 || gpai_value_items(ids) != n)
            gpai_read_fail(w->r, NULL, "rows and ids are not two lists alike");
        add_all(w, rows, ids);
    }
    gpai_value_free(rows);
    (void)gpai_saved_keep(w->r, w->s, ids);
}

bool gpai_saved_keep(gpai_reader *r, gpa_saved *s, gpai_value *v)
{
    s->kept = gpai_read_grow(r, s->kept, s->n_kept, sizeof *s->kept);
    bool kept = v != NULL && r->status == GPA_OK;
    if (kept)
        s->kept[s->n_kept++] = v;
    else
        gpai_value_free(v);
    return kept;
}

/* The rows in the order of the file, for pictures of all rows. */
static void keep_marked(struct names *w)
{
    gpa_saved *s = w->s;
    s->marked = gpai_read_room(w->r, w->n, sizeof *s->marked);
    for (size_t i = 0; i < w->n && w->r->status == GPA_OK; i++)
        s->marked[i] = w->named[i].row;
    s->info.marked = s->marked;
    s->info.n_marked = w->n;
    s->info.explanations = s->n_items;
}

static void keep(struct names *w)
{
    gpa_saved *s = w->s;
    qsort(w->named, w->n, sizeof *w->named, by_row);
    s->id_rows = gpai_read_room(w->r, w->n, sizeof *s->id_rows);
    s->ids = gpai_read_room(w->r, w->n, sizeof *s->ids);
    for (size_t i = 0; i < w->n && w->r->status == GPA_OK; i++) {
        s->id_rows[i] = w->named[i].row;
        s->ids[i] = w->named[i].id;
    }
    s->info.id_rows = s->id_rows;
    s->info.ids = s->ids;
    s->info.n_ids = w->n;
}

static void read_ids(gpai_reader *r, gpa_saved *s)
{
    struct names w = {.r = r, .s = s};
    for (size_t i = 0; i < s->n_items && r->status == GPA_OK; i++)
        take_item(&w, s->items[i]);
    keep_marked(&w);
    take_reference(&w);
    if (r->status == GPA_OK && w.telling)
        keep(&w);
    gpai_free(w.named);
}

/* The receipt of a page, and the digests of its results. Names cannot forge them: what
 * comes from data is escaped in a page. */

/* Turns &#NN; back; the page has no other escapes there. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *p = text; *p != '\0';) {
        char *end = NULL;
        long code = strncmp(p, "&#", 2) == 0 ? strtol(p + 2, &end, 10) : 0;
        if (code > 0 && code < 0x80 && end != NULL && *end == ';') {
            *to++ = (char)code;
            p = end + 1;
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

static void take_receipt(gpai_reader *r, gpa_saved *s)
{
    const char *open = strstr(s->bytes, GPAI_RECEIPT_OPEN);
    const char *start = open != NULL ? strchr(open, '>') : NULL;
    const char *end = start != NULL ? strstr(start, GPAI_RECEIPT_CLOSE) : NULL;
    if (end == NULL) {
        gpai_read_fail(r, NULL,
                       "a page without a receipt; was it made by gpa explain or gpa "
                       "compare?");
        return;
    }
    s->receipt = gpai_strndup(start + 1, (size_t)(end - start - 1));
    if (s->receipt == NULL) {
        gpai_read_nomem(r);
        return;
    }
    unescape(s->receipt);
    gpai_saved_members(r, s, (gpai_slice){s->receipt, strlen(s->receipt)});
}

/* The next digest from `at` on; behind it, or NULL. */
static const char *next_result(const char *at, gpai_page_result *out)
{
    static const char hex[] = "0123456789abcdef", rows[] = "0123456789,";
    const char *open = strstr(at, GPAI_RESULT_OPEN);
    if (open == NULL)
        return NULL;
    open += strlen(GPAI_RESULT_OPEN);
    size_t length = strspn(open, rows);
    static const char middle[] = GPAI_RESULT_MIDDLE "sha256:";
    if (strncmp(open + length, middle, strlen(middle)) != 0)
        return NULL;
    const char *digest = open + length + strlen(middle);
    *out = (gpai_page_result){{open, length}, {digest, strspn(digest, hex)}};
    return digest;
}

static void read_page(gpai_reader *r, gpa_saved *s)
{
    gpai_page_result one;
    if (strlen(s->bytes) != s->size)
        gpai_read_fail(r, NULL, "a zero byte in a page");
    else
        take_receipt(r, s);
    const char *at = s->bytes;
    while (r->status == GPA_OK && (at = next_result(at, &one)) != NULL) {
        s->results = gpai_read_grow(r, s->results, s->n_items, sizeof *s->results);
        if (r->status == GPA_OK)
            s->results[s->n_items++] = one;
    }
}

/* Only one explanation of it is ever a tree in memory. */
enum { MAX_BYTES = 1 << 30 };

gpai_slice gpai_saved_text(const gpa_saved *s)
{
    size_t mark = strncmp(s->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return (gpai_slice){s->bytes + mark, s->size - mark};
}

/* What it begins with. */
static char first_sign(const gpa_saved *s)
{
    const char *p = gpai_saved_text(s).at;
    return p[strspn(p, " \t\r\n")];
}

static gpa_status read_whole(gpa_saved *s, gpa_error *err)
{
    gpai_reader r = {.name = s->name.text, .err = err};
    s->kind = first_sign(s) == '<' ? GPA_SAVED_PAGE : 0;
    if (s->kind == GPA_SAVED_PAGE)
        read_page(&r, s);
    else if (first_sign(s) != '{')
        return gpai_fail(err, GPA_DATA,
                         "%.200s: no saved result, which is JSON (gpa explain --json, "
                         "gpa compare --json) or a page",
                         s->name.text);
    else
        gpai_saved_members(&r, s, gpai_saved_text(s));
    gpai_saved_head(&r, s);
    gpai_saved_command(&r, s);
    if (r.status == GPA_OK && s->kind != GPA_SAVED_PAGE)
        read_ids(&r, s);
    if (r.status == GPA_OK && s->kind != GPA_SAVED_PAGE)
        gpai_saved_kinds(&r, s);
    if (r.status == GPA_OK && s->kind == GPA_SAVED_EXPLANATIONS)
        gpai_saved_reference(&r, s);
    return r.status;
}

/* Takes over `bytes`. */
static gpa_status open_bytes(gpa_saved **out, char *bytes, size_t size,
                             const char *name, gpa_error *err)
{
    gpa_saved *s = gpai_calloc(1, sizeof *s);
    if (s == NULL) {
        gpai_free(bytes);
        return gpai_nomem(err, "report");
    }
    s->bytes = bytes;
    s->size = size;
    s->name = gpai_show_path(name);
    gpa_report_info_init(&s->info);
    gpa_status st = read_whole(s, err);
    if (st == GPA_OK)
        *out = s;
    else
        gpa_saved_free(s);
    return st;
}

gpa_status gpa_saved_read(gpa_saved **out, const char *path, gpa_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    if (out == NULL || path == NULL)
        return gpai_fail(err, GPA_INVALID, "report: no file, or nowhere to put it");
    *out = NULL;
    gpa_status st = gpai_slurp_unpacked(&bytes, &size, path, MAX_BYTES, err);
    return st == GPA_OK ? open_bytes(out, bytes, size, path, err) : st;
}

gpa_status gpa_saved_parse(gpa_saved **out, const char *bytes, size_t size,
                           const char *name, gpa_error *err)
{
    if (out == NULL || (bytes == NULL && size > 0))
        return gpai_fail(err, GPA_INVALID, "report: no bytes, or nowhere to put them");
    *out = NULL;
    char *copy = gpai_strndup(bytes, size);
    return copy != NULL
               ? open_bytes(out, copy, size, name != NULL ? name : "result", err)
               : gpai_nomem(err, "report");
}

void gpa_saved_free(gpa_saved *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n_words; i++)
        gpai_free(s->words[i]);
    gpai_free(s->words);
    gpai_free(s->results);
    gpai_free(s->reference_numbers);
    gpai_free(s->reference_rows);
    gpai_free(s->ids);
    gpai_free(s->id_rows);
    gpai_free(s->marked);
    for (size_t i = 0; i < s->n_kept; i++)
        gpai_value_free(s->kept[i]);
    gpai_free(s->kept);
    gpai_saved_kinds_free(s);
    gpai_free(s->notes);
    gpai_free(s->scale);
    gpai_free(s->options);
    gpai_free(s->inputs);
    gpai_free(s->units);
    gpai_free(s->items);
    gpai_value_free(s->head);
    gpai_free(s->receipt);
    gpai_free(s->bytes);
    gpai_free(s);
}

gpa_saved_kind gpa_saved_type(const gpa_saved *s)
{
    return s->kind;
}

const gpa_report_info *gpa_saved_info(const gpa_saved *s)
{
    return &s->info;
}

size_t gpa_saved_count(const gpa_saved *s)
{
    return s->n_items;
}

const char *gpai_saved_word(const gpa_saved *s, size_t i)
{
    return i < s->n_words ? s->words[i] : NULL;
}

bool gpai_saved_is_shard(const gpa_saved *s)
{
    return gpai_value_get(s->head, "shard") != NULL;
}

const char *gpai_saved_bytes(const gpa_saved *s, size_t *size)
{
    if (size != NULL)
        *size = s->size;
    return s->bytes;
}

gpai_value *gpai_saved_item(gpai_reader *r, const gpa_saved *s, size_t i,
                            gpai_shown *name)
{
    gpai_value *o = NULL;
    snprintf(name->text, sizeof name->text, "%.130s, %s %zu", s->name.text,
             s->kind == GPA_SAVED_EXPLANATIONS ? "explanation" : "row", i + 1);
    r->name = name->text;
    r->status = gpai_json_parse(&o, s->items[i].at, s->items[i].size, r->name, r->err);
    if (r->status == GPA_OK && !gpai_value_is_object(o))
        gpai_read_fail(r, NULL, "not an object");
    return o;
}

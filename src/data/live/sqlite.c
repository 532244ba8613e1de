#include "data/live/sqlite.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/build.h"
#include "data/slurp.h"
#include <nettle/sha2.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SECONDS = 120, STEPS = 10000, LONGEST = 16 << 20 };

struct database {
    sqlite3 *db;
    sqlite3_stmt *rows;
    gpa_table *t;
    struct timespec until;
    struct sha256_ctx sum;
    char *copy; /* of a file in memory */
    gpa_error *err;
};

bool gpai_is_sqlite(const char *bytes, size_t size)
{
    return size >= sizeof GPAI_SQLITE_MAGIC &&
           memcmp(bytes, GPAI_SQLITE_MAGIC, sizeof GPAI_SQLITE_MAGIC) == 0;
}

size_t gpai_sqlite_split(const char *path, const char **rest)
{
    *rest = NULL;
    for (const char *p = strchr(path, '?'); p != NULL && !gpai_is_file(path);
         p = strchr(p + 1, '?'))
        if (strncmp(p, "?table=", 7) == 0 || strncmp(p, "?query=", 7) == 0) {
            *rest = p + 1;
            return (size_t)(p - path);
        }
    return strlen(path);
}

static gpa_status fail(const struct database *d, const char *what)
{
    return gpai_fail(d->err, GPA_DATA, "%s: %s", d->t->source.text, what);
}

/* What the database itself has to say. */
static gpa_status fail_sql(const struct database *d)
{
    char line[300];
    int code = sqlite3_errcode(d->db);
    const char *why = sqlite3_errmsg(d->db);
    if (code == SQLITE_NOMEM)
        return gpai_nomem(d->err, "sqlite");
    if (code == SQLITE_INTERRUPT)
        return gpai_fail(d->err, GPA_DATA, "%s: the query takes more than %d s",
                         d->t->source.text, SECONDS);
    if (code == SQLITE_AUTH)
        why = "only SELECT is let through";
    gpai_show_line(line, sizeof line, why, strlen(why));
    return gpai_fail(d->err, GPA_DATA, "%s: SQLite: %s", d->t->source.text, line);
}

/* Reading, calling functions and nothing else. */
static int authorize(void *ctx, int action, const char *a, const char *b, const char *c,
                     const char *e)
{
    (void)ctx, (void)a, (void)b, (void)c, (void)e;
    return action == SQLITE_SELECT || action == SQLITE_READ ||
                   action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE
               ? SQLITE_OK
               : SQLITE_DENY;
}

static int is_late(void *ctx)
{
    const struct database *d = ctx;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > d->until.tv_sec ||
           (now.tv_sec == d->until.tv_sec && now.tv_nsec > d->until.tv_nsec);
}

static void guard(struct database *d)
{
    sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, LONGEST);
    sqlite3_limit(d->db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(d->db, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_busy_timeout(d->db, 1000 * 5);
    clock_gettime(CLOCK_MONOTONIC, &d->until);
    d->until.tv_sec += SECONDS;
    sqlite3_progress_handler(d->db, STEPS, is_late, d);
    sqlite3_set_authorizer(d->db, authorize, NULL);
}

/* One statement that gives rows, and nothing behind it. */
static gpa_status prepare(struct database *d, const char *sql)
{
    sqlite3_stmt *more = NULL;
    const char *tail = NULL;
    if (sqlite3_prepare_v2(d->db, sql, -1, &d->rows, &tail) != SQLITE_OK)
        return fail_sql(d);
    bool another =
        sqlite3_prepare_v2(d->db, tail, -1, &more, NULL) != SQLITE_OK || more != NULL;
    sqlite3_finalize(more);
    if (another)
        return fail(d, "one statement is asked for, not several");
    if (d->rows == NULL || sqlite3_column_count(d->rows) == 0 ||
        !sqlite3_stmt_readonly(d->rows))
        return fail(d, "no statement that gives rows: SELECT ... FROM ...");
    return GPA_OK;
}

/* The names of tables and views, as a list for people; the only one, or NULL, in
 * `only`, to be freed. */
static gpa_status list_tables(struct database *d, char *list, size_t size, char **only)
{
    static const char SQL[] = "SELECT name FROM sqlite_schema WHERE type IN ('table', "
                              "'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    size_t n = 0, used = 0;
    gpa_status st = prepare(d, SQL);
    *only = NULL;
    list[0] = '\0';
    while (st == GPA_OK && sqlite3_step(d->rows) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(d->rows, 0);
        gpai_shown shown = gpai_show_text(name != NULL ? name : "");
        if (n++ == 0)
            *only = gpai_strdup(name != NULL ? name : "");
        if (used + strlen(shown.text) + 8 < size)
            used += (size_t)snprintf(list + used, size - used, "%s%s",
                                     n > 1 ? ", " : "", shown.text);
    }
    if (st == GPA_OK && sqlite3_errcode(d->db) != SQLITE_DONE)
        st = fail_sql(d);
    sqlite3_finalize(d->rows);
    d->rows = NULL;
    if (n != 1) {
        gpai_free(*only);
        *only = NULL;
    }
    return st;
}

/* SELECT * FROM "name", whatever the name. */
static gpa_status prepare_table(struct database *d, const char *name)
{
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
    gpa_status st = sql != NULL ? prepare(d, sql) : gpai_nomem(d->err, "sqlite");
    sqlite3_free(sql);
    return st;
}

/* The table of that name, or the only one. */
static gpa_status choose_table(struct database *d, const char *name)
{
    char list[200], *only = NULL;
    gpa_status st = list_tables(d, list, sizeof list, &only);
    if (st == GPA_OK && name == NULL && only == NULL)
        st = gpai_fail(d->err, GPA_DATA,
                       "%s: a SQLite database: say which rows, FILE?table=NAME (there "
                       "are %s) or FILE?query=SELECT ...",
                       d->t->source.text, list[0] != '\0' ? list : "none");
    else if (st == GPA_OK && prepare_table(d, name != NULL ? name : only) != GPA_OK)
        st = gpai_fail(d->err, GPA_DATA, "%s: no such table (there are %s)",
                       d->t->source.text, list[0] != '\0' ? list : "none");
    gpai_free(only);
    return st;
}

static gpa_status add_columns(struct database *d)
{
    gpa_table *t = d->t;
    gpa_status st = GPA_OK;
    for (int k = 0; k < sqlite3_column_count(d->rows) && st == GPA_OK; k++) {
        char numbered[32];
        const char *name = sqlite3_column_name(d->rows, k);
        size_t there = 0;
        if (name == NULL)
            return gpai_nomem(d->err, "sqlite");
        snprintf(numbered, sizeof numbered, "column%d", k + 1);
        name = name[0] != '\0' ? name : numbered;
        if (gpai_table_lookup(t, name, strlen(name), &there))
            return gpai_fail(
                d->err, GPA_DATA, "%s: columns %zu and %d are both named \"%s\"",
                t->source.text, there + 1, k + 1, gpai_show_text(name).text);
        st = gpai_table_add(t, name, strlen(name), d->err);
        sha256_update(&d->sum, strlen(name) + 1, (const uint8_t *)name);
    }
    return st;
}

/* A cell into the table and its digest. */
static gpa_status put(struct database *d, gpai_build *b, int k)
{
    size_t column = (size_t)k, size = 0;
    int type = sqlite3_column_type(d->rows, k);
    char text[40];
    const char *bytes = text;
    gpa_status st = GPA_OK;
    if (type == SQLITE_INTEGER) {
        sqlite3_int64 v = sqlite3_column_int64(d->rows, k);
        size = (size_t)snprintf(text, sizeof text, "%lld", v);
        st = gpai_build_whole(b, column, v);
    } else if (type == SQLITE_FLOAT) {
        double v = sqlite3_column_double(d->rows, k);
        size = (size_t)snprintf(text, sizeof text, "%a", v);
        st = gpai_build_real(b, column, v);
    } else if (type == SQLITE_NULL) {
        st = gpai_build_missing(b, column);
    } else if (type == SQLITE_TEXT) {
        bytes = (const char *)sqlite3_column_text(d->rows, k);
        size = (size_t)sqlite3_column_bytes(d->rows, k);
        if (bytes == NULL)
            return gpai_nomem(d->err, "sqlite");
        st = gpai_build_text(b, column, bytes, size);
    } else {
        return gpai_fail(
            d->err, GPA_DATA,
            "%s: column \"%s\" has blobs, which are not read: leave it out "
            "with ?query=SELECT ...",
            d->t->source.text, gpai_show_text(d->t->column[column].name).text);
    }
    uint8_t head[9] = {(uint8_t)type};
    for (size_t i = 0; i < 8; i++)
        head[1 + i] = (uint8_t)((uint64_t)size >> (8 * i));
    sha256_update(&d->sum, sizeof head, head);
    sha256_update(&d->sum, size, (const uint8_t *)bytes);
    return st;
}

static gpa_status take_rows(struct database *d, const gpa_table_options *opt)
{
    gpai_build b;
    size_t rows = 0;
    int step = SQLITE_ROW;
    sha256_init(&d->sum);
    gpa_status st = add_columns(d);
    if (st != GPA_OK)
        return st;
    st = gpai_build_open(&b, d->t, opt->text_column, opt->max_bytes, d->err);
    while (st == GPA_OK && (step = sqlite3_step(d->rows)) == SQLITE_ROW) {
        for (int k = 0; k < (int)d->t->n_columns && st == GPA_OK; k++)
            st = put(d, &b, k);
        rows++;
    }
    if (st == GPA_OK && step != SQLITE_DONE)
        st = fail_sql(d);
    if (st == GPA_OK && rows == 0)
        st = fail(d, "empty, no rows");
    if (st == GPA_OK)
        st = gpai_build_end(&b, rows);
    gpai_build_close(&b);
    gpai_digest_end(&d->sum, d->t->digest);
    return st;
}

static gpa_status read_open(struct database *d, const char *rest,
                            const gpa_table_options *opt)
{
    guard(d);
    bool query = rest != NULL && strncmp(rest, "query=", 6) == 0;
    gpa_status st =
        query ? prepare(d, rest + 6) : choose_table(d, rest != NULL ? rest + 6 : NULL);
    if (st == GPA_OK)
        st = take_rows(d, opt);
    return st;
}

static void close_database(struct database *d)
{
    sqlite3_finalize(d->rows);
    sqlite3_close(d->db);
    gpai_free(d->copy);
}

gpa_status gpai_sqlite_read(gpa_table *t, const char *file, const char *rest,
                            const gpa_table_options *opt, gpa_error *err)
{
    gpa_error none;
    struct database d = {.t = t, .err = err != NULL ? err : &none};
    int open =
        sqlite3_open_v2(file, &d.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    gpa_status st = open == SQLITE_OK ? read_open(&d, rest, opt) : fail_sql(&d);
    close_database(&d);
    return st;
}

gpa_status gpai_sqlite_parse(gpa_table *t, const char *bytes, size_t size,
                             const char *rest, const gpa_table_options *opt,
                             gpa_error *err)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19, LEGACY = 1 };
    gpa_error none;
    struct database d = {.t = t, .err = err != NULL ? err : &none};
    d.copy = gpai_regrow(NULL, size + 1, 1);
    if (d.copy == NULL)
        return gpai_nomem(err, "sqlite");
    memcpy(d.copy, bytes, size);
    if (size > READ_VERSION) /* there is no log beside it, which it may ask for */
        d.copy[WRITE_VERSION] = d.copy[READ_VERSION] = LEGACY;
    int open = sqlite3_open_v2(":memory:", &d.db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (open == SQLITE_OK)
        open = sqlite3_deserialize(d.db, "main", (unsigned char *)d.copy,
                                   (sqlite3_int64)size, (sqlite3_int64)size,
                                   SQLITE_DESERIALIZE_READONLY);
    gpa_status st = open == SQLITE_OK ? read_open(&d, rest, opt) : fail_sql(&d);
    close_database(&d);
    return st;
}

/* Rows of SQLite databases, which the database's own library writes here. */
#include "data_support.h"

#include <sqlite3.h>

static const char FILE_NAME[] = "gpa-test-sqlite.db";

static void make(const char *sql)
{
    sqlite3 *db = NULL;
    char *why = NULL;
    unlink(FILE_NAME);
    assert_int_equal(sqlite3_open(FILE_NAME, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
    sqlite3_close(db);
}

static gpa_table *read_ok(const char *rest, const gpa_table_options *opt)
{
    char path[600];
    gpa_table *t = NULL;
    gpa_error err = {GPA_OK, ""};
    snprintf(path, sizeof path, "%s%s", FILE_NAME, rest);
    if (gpa_table_read(&t, path, opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return t;
}

static void read_refused(const char *rest, const char *message)
{
    char path[600], want[1200];
    gpa_table *t = NULL;
    gpa_error err = {GPA_OK, ""};
    snprintf(path, sizeof path, "%s%s", FILE_NAME, rest);
    snprintf(want, sizeof want, "%s: %s", path, message);
    assert_int_equal(gpa_table_read(&t, path, NULL, &err), GPA_DATA);
    assert_string_equal(err.message, want);
    assert_null(t);
    assert_int_equal(gpa_table_read(&t, path, NULL, NULL), GPA_DATA);
}

static const char TWO[] =
    "CREATE TABLE rows (id INTEGER, a REAL, b, c TEXT);"
    "INSERT INTO rows VALUES (9007199254740993, 1.5, 2, 'x'), (2, NULL, 2.5, NULL),"
    "(3, -1e300, 7, 'y \"z\"');"
    "CREATE TABLE \"other \"\"one\" (y); INSERT INTO \"other \"\"one\" VALUES (4), "
    "('t');";

static void test_table(void **state)
{
    gpa_table_options opt;
    (void)state;
    make(TWO);
    gpa_table_options_init(&opt);
    opt.text_column = "id";
    gpa_table *t = read_ok("?table=rows", &opt);
    assert_int_equal(gpa_table_columns(t), 4);
    assert_string_equal(gpa_table_name(t, 3), "c");
    assert_column(t, 1, (const double[]){1.5, (double)NAN, -1e300}, 3);
    assert_column(t, 2, (const double[]){2, 2.5, 7}, 3);
    assert_string_equal(gpa_table_text(t, 0, 0), "9007199254740993");
    assert_string_equal(gpa_table_text(t, 2, 3), "y \"z\"");
    assert_string_equal(gpa_table_text(t, 1, 3), "");
    gpa_table_free(t);
    t = read_ok("?table=other \"one", NULL); /* numbers before a text are text, too */
    assert_false(gpa_table_is_numeric(t, 0));
    assert_string_equal(gpa_table_text(t, 0, 0), "4");
    gpa_table_free(t);
}

static void test_query(void **state)
{
    gpa_table *t;
    (void)state;
    make(TWO);
    t = read_ok("?query=SELECT a + b AS s, max(b) FROM rows WHERE id > 2; -- all?",
                NULL);
    assert_string_equal(gpa_table_name(t, 0), "s");
    assert_column(t, 1, (const double[]){7}, 1);
    gpa_table_free(t);
    t = read_ok("?query=WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n "
                "WHERE i < 1000) SELECT i, i*i FROM n",
                NULL);
    assert_int_equal(gpa_table_rows(t), 1000);
    assert_true(gpa_table_numbers(t, 1, NULL)[999] == 1e6);
    char digest[GPA_DIGEST_SIZE];
    strcpy(digest, gpa_table_digest(t));
    gpa_table_free(t);
    t = read_ok("?query=WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n "
                "WHERE i<1000) SELECT i, i*i FROM n ORDER BY i",
                NULL);
    assert_string_equal(gpa_table_digest(t), digest); /* that of the rows */
    gpa_table_free(t);
}

static void test_refused(void **state)
{
    (void)state;
    make(TWO);
    read_refused("", "a SQLite database: say which rows, FILE?table=NAME (there are "
                     "rows, other \"one) or FILE?query=SELECT ...");
    read_refused("?table=row", "no such table (there are rows, other \"one)");
    read_refused("?query=SELECT 1; SELECT 2",
                 "one statement is asked for, not several");
    read_refused("?query=DELETE FROM rows", "SQLite: only SELECT is let through");
    read_refused("?query=ATTACH 'x.db' AS x", "SQLite: only SELECT is let through");
    read_refused("?query=PRAGMA user_version", "SQLite: only SELECT is let through");
    read_refused("?query=SELECT load_extension('x')", "SQLite: not authorized");
    read_refused("?query=SELEKT 1", "SQLite: near \"SELEKT\": syntax error");
    read_refused("?query=", "no statement that gives rows: SELECT ... FROM ...");
    read_refused("?query=SELECT * FROM rows WHERE id < 0", "empty, no rows");
    read_refused("?query=SELECT 1 AS a, 2 AS a",
                 "columns 1 and 2 are both named \"a\"");
    read_refused("?query=SELECT x'00' AS a",
                 "column \"a\" has blobs, which are not read: "
                 "leave it out with ?query=SELECT ...");
    gpa_table *t = read_ok("?table=rows", NULL); /* nothing was changed */
    assert_int_equal(gpa_table_rows(t), 3);
    gpa_table_free(t);
}

/* Rows without end are stopped by the limit of a table. */
static void test_endless(void **state)
{
    gpa_table_options opt;
    gpa_table *t = NULL;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    make(TWO);
    gpa_table_options_init(&opt);
    opt.max_bytes = 1 << 20;
    assert_int_equal(
        gpa_table_read(
            &t,
            "gpa-test-sqlite.db?query=WITH RECURSIVE n(i) AS (VALUES(1) UNION "
            "ALL SELECT i+1 FROM n) SELECT i FROM n",
            &opt, &err),
        GPA_DATA);
    assert_non_null(strstr(err.message, ": larger than the limit of 1048576 bytes"));
}

/* The only table needs no name; from memory, too, and with a log that is not there. */
static void test_only(void **state)
{
    char bytes[65536];
    (void)state;
    make("PRAGMA journal_mode=WAL; CREATE TABLE t (a, y); INSERT INTO t VALUES (1, 2);"
         "PRAGMA wal_checkpoint(TRUNCATE);");
    gpa_table *t = read_ok("", NULL);
    assert_column(t, 1, (const double[]){2}, 1);
    FILE *f = fopen(FILE_NAME, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    gpa_table *u = parse_ok(bytes, n, "-", NULL);
    assert_column(u, 0, (const double[]){1}, 1);
    assert_string_equal(gpa_table_digest(t), gpa_table_digest(u));
    gpa_table_free(u);
    gpa_table_free(t);
    for (size_t cut = 16; cut < n; cut += 97) { /* spoilt in any place: a status */
        memset(bytes + cut, 0xff, 3);
        if (gpa_table_parse(&t, bytes, n, "t", NULL, NULL) == GPA_OK)
            gpa_table_free(t);
    }
    unlink(FILE_NAME); /* then it is as with any other file */
    gpa_error err = {GPA_OK, ""};
    const char *gone = "gpa-test-sqlite.db?table=rows";
    assert_int_equal(gpa_table_read(&t, gone, NULL, &err), GPA_IO);
    assert_string_equal(err.message,
                        "gpa-test-sqlite.db: cannot read: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),   cmocka_unit_test(test_query),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_endless),
        cmocka_unit_test(test_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Compressed files: the bytes were written by gzip 1.12 and zstd 1.5.4. */
#include "data_support.h"

#include "data/packed/unpack.h"
#include <zlib.h>
#include <zstd.h>

/* "a,b\n1,2\n3,4.5\n" */
static const char GZIP[] =
    "\037\213\010\000\000\000\000\000\000\003\113\324\111\342\062\324"
    "\061\342\062\326\061\321\063\345\002\000\310\104\246\306\016\000"
    "\000\000";
static const char ZSTD[] =
    "\050\265\057\375\044\016\161\000\000\141\054\142\012\061\054\062"
    "\012\063\054\064\056\065\012\336\133\071\104";

static void assert_table(const char *bytes, size_t size, const char *name)
{
    gpa_table *t = parse_ok(bytes, size, name, NULL);
    char digest[GPA_DIGEST_SIZE];
    assert_int_equal(gpa_table_columns(t), 2);
    assert_column(t, 0, (const double[]){1, 3}, 2);
    assert_column(t, 1, (const double[]){2, 4.5}, 2);
    gpa_digest(bytes, size, digest); /* that of the file as it lies there */
    assert_string_equal(gpa_table_digest(t), digest);
    gpa_table_free(t);
}

static void test_formats(void **state)
{
    (void)state;
    assert_table(BYTES(GZIP), "t.csv.gz");
    assert_table(BYTES(GZIP), "-"); /* whatever it is called */
    assert_table(BYTES(ZSTD), "t.csv.zst");
    assert_table(BYTES(ZSTD), "t.csv");
    assert_int_equal(gpai_packing_name("a.jsonl.gz"), 7);
    assert_int_equal(gpai_packing_name("a.ZST"), 1);
    assert_int_equal(gpai_packing_name(".gz"), 3);
}

/* Members one after the other are one file, as `cat a.gz b.gz` makes them. */
static void test_members(void **state)
{
    char two[2 * sizeof GZIP + 64] = "";
    size_t n = sizeof GZIP - 1;
    (void)state;
    memcpy(two, GZIP, n);
    memcpy(two + n, GZIP, n);
    gpa_table *t = parse_ok(two, 2 * n, "t", NULL);
    assert_int_equal(gpa_table_rows(t), 5); /* the second header is a row of text */
    gpa_table_free(t);
    memset(two + n, 0, n);
    t = parse_ok(two, n + 10, "t", NULL); /* filled up with zeros */
    gpa_table_free(t);
    two[n] = 'x';
    parse_refused(two, n + 10, "t", NULL, "t: the gzip data has other bytes behind it");
}

static void test_refused(void **state)
{
    char bad[sizeof GZIP + sizeof ZSTD];
    (void)state;
    for (size_t n = 3; n < sizeof GZIP - 1; n++)
        parse_refused(GZIP, n, "t", NULL,
                      "t: the gzip data ends early: is the file cut off?");
    for (size_t n = 4; n < sizeof ZSTD - 1; n++)
        parse_refused(ZSTD, n, "t", NULL,
                      "t: the zstd data ends early: is the file cut off?");
    memcpy(bad, GZIP, sizeof GZIP);
    bad[sizeof GZIP - 8] ^= 1; /* in the checksum */
    parse_refused(bad, sizeof GZIP - 1, "t", NULL,
                  "t: the gzip data is spoilt: incorrect data check");
    memcpy(bad, ZSTD, sizeof ZSTD);
    bad[sizeof ZSTD - 2] ^= 1;
    parse_refused(bad, sizeof ZSTD - 1, "t", NULL,
                  "t: the zstd data is spoilt: Restored data doesn't match checksum");
}

/* A hundred megabytes of zeros in a hundred kilobytes, or ten: stopped at the limit
 * that a plain file has, before they are there. */
static void test_bombs(void **state)
{
    enum { SIZE = 100 << 20 };
    uLongf gz_size = compressBound(SIZE);
    size_t zst_room = ZSTD_compressBound(SIZE);
    char *zeros = calloc(SIZE, 1), *gz = malloc(gz_size + 32), *zst = malloc(zst_room);
    gpa_table_options opt;
    z_stream z = {.next_in = (Bytef *)zeros, .avail_in = SIZE};
    (void)state;
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
    z.next_out = (Bytef *)gz;
    z.avail_out = (uInt)gz_size + 32;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    gz_size = z.total_out;
    deflateEnd(&z);
    size_t zst_size = ZSTD_compress(zst, zst_room, zeros, SIZE, 3);
    assert_true(gz_size < SIZE / 500 && zst_size < SIZE / 5000);
    gpa_table_options_init(&opt);
    opt.max_bytes = 1 << 20;
    parse_refused(gz, gz_size, "t.csv.gz", &opt,
                  "t.csv.gz: unpacked it is larger than the limit of 1048576 bytes");
    parse_refused(zst, zst_size, "t.csv.zst", &opt,
                  "t.csv.zst: unpacked it is larger than the limit of 1048576 bytes");
    opt.max_bytes = SIZE; /* all of it: then it is read, and no text */
    parse_refused(gz, gz_size, "t.csv.gz", &opt,
                  "t.csv.gz: line 1: a zero byte, this is not a text file");
    opt.max_bytes = SIZE - 1;
    parse_refused(zst, zst_size, "t", &opt,
                  "t: unpacked it is larger than the limit of 104857599 bytes");
    free(zst);
    free(gz);
    free(zeros);
}

/* Twice around is once too often, whichever. */
static void test_twice(void **state)
{
    char out[256];
    (void)state;
    size_t n = ZSTD_compress(out, sizeof out, GZIP, sizeof GZIP - 1, 1);
    parse_refused(out, n, "t", NULL, "t: compressed twice: unpack it first");
}

/* Text is asked for after the plain bytes were forgotten: unpacked once more. */
static void test_forgotten(void **state)
{
    enum { ROWS = 600000 };
    size_t size = 0, room = (size_t)ROWS * 20;
    char *text = malloc(room), *zst = malloc(ZSTD_compressBound(room));
    gpa_table *t = NULL;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    size += (size_t)sprintf(text, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        size += (size_t)sprintf(text + size, "%d,%s\n", i, i == ROWS - 1 ? "x" : "1.5");
    assert_true(size > 4 << 20);
    size_t n = ZSTD_compress(zst, ZSTD_compressBound(room), text, size, 1);
    struct scratch f = scratch_file(zst, n);
    assert_int_equal(gpa_table_read(&t, f.path, NULL, &err), GPA_OK);
    assert_int_equal(gpa_table_rows(t), ROWS);
    assert_true(gpa_table_numbers(t, 0, NULL)[ROWS - 1] == ROWS - 1);
    assert_string_equal(gpa_table_text(t, ROWS - 1, 1), "x");
    assert_string_equal(gpa_table_text(t, 0, 1), "1.5");
    gpa_table_free(t);
    unlink(f.path);
    free(zst);
    free(text);
}

/* Other files of the command: numbers, one a line, and JSON. */
static void test_others(void **state)
{
    gpa_error err = {GPA_OK, ""};
    double *numbers = NULL;
    char out[128];
    size_t n = 0;
    (void)state;
    size_t size = ZSTD_compress(out, sizeof out, "1\n2.5\n", 6, 1);
    struct scratch f = scratch_file(out, size);
    assert_int_equal(gpa_numbers_read(f.path, &numbers, &n, &err), GPA_OK);
    assert_int_equal(n, 2);
    assert_true(numbers[1] == 2.5);
    gpa_numbers_free(numbers);
    unlink(f.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats), cmocka_unit_test(test_members),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_twice),   cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cli/journal.h"
#include "console/terminal.h"
#include "fuzz.h"
#include <unistd.h>

/* A file in a folder of journals: the first byte says whose it is, and whether the rest
 * is that file, or records (a row, a length of two bytes, the bytes) that get the heads
 * and digests they need. */

enum { ROWS = 16, MARK = 8 };
static char folder[] = "/tmp/gpa-fuzz-journal-XXXXXX";
static const char QUESTION[] = "{\"version\":\"1\",\"options\":{\"model\":\"m\"}}";
static char names[2][sizeof folder + 16];

void say(const char *format, ...)
{
    MUST(format != NULL); /* thousands of times a second that is enough */
}

static void leave(void)
{
    (void)!unlink(names[0]);
    (void)!unlink(names[1]);
    (void)!rmdir(folder);
}

static void write_record(FILE *to, uint64_t row, const void *bytes, uint64_t length)
{
    char digest[GPA_DIGEST_SIZE] = {0};
    uint64_t key[] = {row, length};
    char *all = malloc(sizeof key + length + 1);
    MUST(all != NULL);
    memcpy(all, key, sizeof key);
    if (length > 0)
        memcpy(all + sizeof key, bytes, length);
    gpa_digest(all, sizeof key + length, digest);
    MUST(fwrite("gpajrnl1", MARK, 1, to) == 1);
    MUST(fwrite(digest, sizeof digest, 1, to) == 1);
    MUST(fwrite(all, sizeof key + length, 1, to) == 1);
    free(all);
}

static void write_file(const char *name, const uint8_t *data, size_t size, bool records)
{
    FILE *to = fopen(name, "wb");
    MUST(to != NULL);
    if (!records && size > 0)
        MUST(fwrite(data, size, 1, to) == 1);
    if (records)
        write_record(to, UINT64_MAX, QUESTION, sizeof QUESTION - 1);
    for (size_t at = 0; records && at + 3 <= size;) {
        size_t length = data[at + 1] + 256u * data[at + 2], left = size - at - 3;
        length = length < left ? length : left;
        write_record(to, data[at], data + at + 3, length);
        at += 3 + length;
    }
    MUST(fclose(to) == 0);
}

/* Which rows are there, and what they hold is explanations of them. */
static gpa_status look(bool has[ROWS], gpa_error *err)
{
    struct journal *j = NULL;
    const struct shard all = {.index = 1, .of = 1};
    gpa_status st = journal_open(&j, folder, &all, QUESTION, ROWS, err);
    for (size_t row = 0; row < ROWS && st == GPA_OK; row++) {
        gpa_explanation *e = NULL;
        gpa_error why = {0};
        has[row] = journal_has(j, row);
        if (!has[row])
            continue;
        gpa_status one = journal_get(j, row, &e, &why);
        check_error(one, &why);
        MUST((one == GPA_OK) == (e != NULL));
        MUST(one == GPA_OK || one == GPA_DATA);
        MUST(e == NULL || gpa_explanation_row(e, 0) == row);
        gpa_explanation_free(e);
    }
    journal_close(j);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool has[ROWS] = {false}, again[ROWS] = {false};
    gpa_error err = {0}, other = {0};
    if (names[0][0] == '\0') {
        MUST(mkdtemp(folder) != NULL);
        snprintf(names[0], sizeof names[0], "%s/all.gpaj", folder);
        snprintf(names[1], sizeof names[1], "%s/other.gpaj", folder);
        MUST(atexit(leave) == 0);
    }
    if (size == 0)
        return 0;
    (void)!unlink(names[0]);
    (void)!unlink(names[1]);
    write_file(names[data[0] & 1], data + 1, size - 1, data[0] & 2);
    gpa_status st = look(has, &err);
    check_error(st, &err);
    MUST(st == GPA_OK || st == GPA_DATA);
    MUST(look(again, &other) == st); /* what was mended stays so */
    MUST(memcmp(has, again, sizeof has) == 0 &&
         strcmp(err.message, other.message) == 0);
    return 0;
}

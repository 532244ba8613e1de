#define _GNU_SOURCE /* syscall */
#include "data/live/sqlite.h"
#include "fuzz.h"
#include <dirent.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* FILE?table=NAME and FILE?query=SELECT … of a small database, or the bytes of one. No
 * file is changed, and none is made. */

static char folder[] = "/tmp/gpa-fuzz-sqlite-XXXXXX", file[sizeof folder + 8];
static struct stat as_made;

/* Time goes by a thousand times as fast, so that a query may take a moment only. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    enum { FASTER = 1000, BILLION = 1000000000 };
    long status = syscall(SYS_clock_gettime, clock, t);
    if (status == 0 && clock == CLOCK_MONOTONIC) {
        uint64_t now = ((uint64_t)t->tv_sec * BILLION + (uint64_t)t->tv_nsec) * FASTER;
        t->tv_sec = (time_t)(now / BILLION % 1000000000);
        t->tv_nsec = (long)(now % BILLION);
    }
    return (int)status;
}

static void leave(void)
{
    (void)!unlink(file);
    (void)!rmdir(folder);
}

static void make(void)
{
    static const char SQL[] =
        "CREATE TABLE rows (id, a REAL, b INTEGER, c TEXT);"
        "INSERT INTO rows VALUES ('r1', 1.5, 2, 'x'), ('r2', NULL, 3, NULL),"
        "('r3', -1e300, 7, 'y');"
        "CREATE TABLE \"other \"\"one\" (y, z); INSERT INTO \"other \"\"one\" "
        "VALUES (4, x'00'), ('t', 1);"
        "CREATE VIEW both AS SELECT a, b FROM rows; CREATE TABLE none (a)";
    sqlite3 *db = NULL;
    MUST(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/rows.db", folder);
    MUST(atexit(leave) == 0);
    MUST(sqlite3_open(file, &db) == SQLITE_OK);
    MUST(sqlite3_exec(db, SQL, NULL, NULL, NULL) == SQLITE_OK);
    MUST(sqlite3_close(db) == SQLITE_OK);
    MUST(stat(file, &as_made) == 0);
}

/* The folder holds the database, as it was made, and nothing else. */
static void check_folder(void)
{
    struct stat now;
    size_t files = 0;
    DIR *list = opendir(folder);
    MUST(list != NULL);
    for (struct dirent *one; (one = readdir(list)) != NULL;)
        files += one->d_name[0] != '.';
    closedir(list);
    MUST(files == 1 && stat(file, &now) == 0);
    MUST(now.st_size == as_made.st_size && now.st_ino == as_made.st_ino &&
         now.st_mtim.tv_sec == as_made.st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == as_made.st_mtim.tv_nsec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 1 << 20 };
    gpa_table_options opt;
    gpa_table *t = NULL;
    gpa_error err = {0};
    gpa_status st;
    char *text = copy_of(data, size);
    if (as_made.st_ino == 0)
        make();
    gpa_table_options_init(&opt);
    opt.max_bytes = MOST;
    opt.text_column = "id";
    if (gpai_is_sqlite(text, size)) {
        st = gpa_table_parse(&t, text, size, "a.db", &opt, &err);
    } else {
        char *path = malloc(sizeof file + strlen(text));
        MUST(path != NULL);
        strcat(strcpy(path, file), text);
        st = gpa_table_read(&t, path, &opt, &err);
        free(path);
    }
    check_table(st, t, &err);
    check_folder();
    free(text);
    return 0;
}

#include "cli/journal.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/text.h"
#include "console/out.h"
#include "console/terminal.h"
#include "study/jobs/question.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gpa/data.h>
#include <gpa/saved.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file is a row of records: this head, then so many bytes. The first is the question,
 * the others are packed explanations. */
struct head {
    char mark[8];
    char digest[GPA_DIGEST_SIZE]; /* of all that follows */
    struct key {
        uint64_t row, length; /* of the bytes behind it */
    } key;
};

static const char MARK[8] = "gpajrnl1";
static const char ENDING[] = ".gpaj";
static const uint64_t QUESTION = UINT64_MAX;
enum { NAME_SIZE = 64, SYNC_SECONDS = 1, WRITERS = 10000 };

/* Where a record is. */
struct place {
    uint32_t file; /* from 1; 0: nowhere */
    uint64_t at, length;
};

struct journal {
    const char *folder, *question;
    struct place *places; /* n_rows */
    size_t n_rows;
    char (*names)[NAME_SIZE]; /* of the files */
    size_t n_names, names_room;
    int fd;        /* the one that is written; -1: none yet */
    uint32_t mine; /* its number, from 1 */
    uint64_t end;  /* of its last whole record */
    int read_fd;   /* another that is read; -1: none */
    uint32_t reading;
    char *record; /* that was read last: its key and bytes */
    size_t room;
    gpa_text *text; /* a record on its way */
    time_t synced;
    bool unsynced;
};

static gpa_status cannot(const struct journal *j, const char *what, const char *name,
                         gpa_error *err)
{
    return gpai_fail(err, GPA_IO, "cannot %s %.200s/%s: %s", what, j->folder, name,
                     strerror(errno));
}

static gpa_status open_file(const struct journal *j, const char *name, int flags,
                            int *fd, gpa_error *err)
{
    size_t size = strlen(j->folder) + NAME_SIZE + 2;
    char *path = malloc(size);
    if (path == NULL)
        return gpai_nomem(err, "journal");
    snprintf(path, size, "%s/%s", j->folder, name);
    TEMP_RETRY(*fd, open(path, flags | O_CLOEXEC | O_NONBLOCK, 0666));
    gpa_status st = *fd >= 0 ? GPA_OK : cannot(j, "open", name, err);
    struct stat is;
    if (st == GPA_OK && (fstat(*fd, &is) != 0 || !S_ISREG(is.st_mode))) {
        st = gpai_fail(err, GPA_IO, "%.200s/%s is no file: give another folder",
                       j->folder, name); /* a pipe would wait for ever */
        close(*fd);
        *fd = -1;
    }
    free(path);
    return st;
}

/* As many of n bytes as there are; -1 on failure. */
static ssize_t read_all(int fd, void *to, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got;
        TEMP_RETRY(got, read(fd, (char *)to + done, n - done));
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* The record at the place where `fd` stands, of which there are `left` bytes: its key
 * and bytes in j->record. *whole: it is one. */
static gpa_status read_record(struct journal *j, int fd, const char *name,
                              uint64_t left, struct head *h, bool *whole,
                              gpa_error *err)
{
    char now[GPA_DIGEST_SIZE];
    size_t key = sizeof h->key;
    memset(h, 0, sizeof *h);
    ssize_t got = read_all(fd, h, left < sizeof *h ? (size_t)left : sizeof *h);
    *whole = got == (ssize_t)sizeof *h && memcmp(h->mark, MARK, sizeof MARK) == 0 &&
             h->key.length <= left - sizeof *h;
    if (got >= 0 && *whole) {
        if (!gpai_grow(&j->record, &j->room, key + (size_t)h->key.length + 1, 1))
            return gpai_nomem(err, "journal");
        memcpy(j->record, &h->key, key);
        got = read_all(fd, j->record + key, (size_t)h->key.length);
        *whole = got == (ssize_t)h->key.length;
    }
    if (got < 0)
        return cannot(j, "read", name, err);
    if (*whole) {
        j->record[key + h->key.length] = '\0';
        gpa_digest(j->record, key + (size_t)h->key.length, now);
        *whole = strncmp(now, h->digest, sizeof now) == 0;
    }
    return GPA_OK;
}

/* The first record must be the question. */
static gpa_status check_question(const struct journal *j, gpa_error *err)
{
    gpa_error why = {0};
    gpa_status st = gpai_question_same(j->question, j->record + sizeof(struct key),
                                       "the journal", &why);
    return st == GPA_OK ? st
                        : gpai_fail(err, st,
                                    "--journal %.150s: %.200s; use another folder, or "
                                    "remove this one",
                                    j->folder, why.message);
}

/* All records of a file (or its question alone) as far as they are whole; *end: how far
 * that is. */
static gpa_status load(struct journal *j, int fd, uint32_t file, bool question,
                       uint64_t *end, gpa_error *err)
{
    const char *name = j->names[file - 1];
    struct stat is;
    struct head h;
    bool whole = true;
    *end = 0;
    if (fstat(fd, &is) != 0)
        return cannot(j, "read", name, err);
    for (uint64_t size = (uint64_t)is.st_size; *end < size && whole;) {
        gpa_status st = read_record(j, fd, name, size - *end, &h, &whole, err);
        if (st == GPA_OK && *end == 0 &&
            memcmp(h.mark, MARK, size < sizeof MARK ? size : sizeof MARK) != 0)
            st = gpai_fail(err, GPA_DATA, "%.200s/%s is not a journal of gpa",
                           j->folder, name);
        /* what is torn at the start of a job is shorter than its question */
        if (st == GPA_OK && *end == 0 && !whole &&
            size >= sizeof h + strlen(j->question))
            st = gpai_fail(err, GPA_DATA,
                           "%.200s/%s is damaged, and does not say what was asked; "
                           "remove it to have its rows done again",
                           j->folder, name);
        if (st == GPA_OK && *end == 0 && whole)
            st = check_question(j, err);
        if (st != GPA_OK || question)
            return st;
        if (!whole)
            break;
        if (*end > 0 && h.key.row < j->n_rows && j->places[h.key.row].file == 0)
            j->places[h.key.row] = (struct place){file, *end, h.key.length};
        *end += sizeof h + h.key.length;
    }
    return GPA_OK;
}

static bool is_journal(const char *name)
{
    size_t length = strlen(name), ending = sizeof ENDING - 1;
    return length > ending && length < NAME_SIZE &&
           strcmp(name + length - ending, ENDING) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static gpa_status add_name(struct journal *j, const char *name, gpa_error *err)
{
    if (!gpai_grow(&j->names, &j->names_room, j->n_names + 1, sizeof *j->names))
        return gpai_nomem(err, "journal");
    snprintf(j->names[j->n_names++], NAME_SIZE, "%s", name);
    return GPA_OK;
}

static gpa_status list_files(struct journal *j, gpa_error *err)
{
    gpa_status st = GPA_OK;
    DIR *folder = opendir(j->folder);
    if (folder == NULL)
        return gpai_fail(err, GPA_IO, "cannot read the folder %.200s: %s", j->folder,
                         strerror(errno));
    for (struct dirent *one; st == GPA_OK && (one = readdir(folder)) != NULL;)
        if (is_journal(one->d_name))
            st = add_name(j, one->d_name, err);
    closedir(folder);
    if (j->n_names > 0)
        qsort(j->names, j->n_names, sizeof *j->names, by_name);
    return st;
}

/* Puts a record at the end of the own file, or leaves that as it was. */
static gpa_status append(struct journal *j, uint64_t row, gpa_error *err)
{
    struct head h;
    char *bytes = j->text->data; /* where room was left for the head */
    size_t size = gpa_text_length(j->text), key = sizeof h - sizeof h.key;
    memset(&h, 0, sizeof h);
    memcpy(h.mark, MARK, sizeof MARK);
    h.key = (struct key){row, size - sizeof h};
    memcpy(bytes + key, &h.key, sizeof h.key);
    gpa_digest(bytes + key, size - key, h.digest);
    memcpy(bytes, &h, sizeof h);
    for (size_t done = 0; done < size;) {
        ssize_t wrote;
        TEMP_RETRY(wrote, write(j->fd, bytes + done, size - done));
        if (wrote < 0) {
            gpa_status st = cannot(j, "write", j->names[j->mine - 1], err);
            if (ftruncate(j->fd, (off_t)j->end) == 0) /* else the next run sees to it */
                (void)lseek(j->fd, (off_t)j->end, SEEK_SET);
            return st;
        }
        done += (size_t)wrote;
    }
    j->end += size;
    j->unsynced = true;
    return GPA_OK;
}

/* Room for a head in front of what is packed. */
static void begin_record(struct journal *j)
{
    static const struct head none;
    gpa_text_clear(j->text);
    gpai_text_bytes(j->text, (const char *)&none, sizeof none);
}

/* A file of its own: the first of its names that no other process writes. */
static gpa_status take_file(struct journal *j, const struct shard *s, gpa_error *err)
{
    char name[NAME_SIZE], part[40] = "all", more[16] = "";
    gpa_status st = GPA_OK;
    if (s->given)
        snprintf(part, sizeof part, "shard-%zu-of-%zu", s->index, s->of);
    for (int i = 1; i <= WRITERS && st == GPA_OK; i++) {
        if (i > 1)
            snprintf(more, sizeof more, "-%d", i);
        snprintf(name, sizeof name, "%s%s%s", part, more, ENDING);
        st = open_file(j, name, O_RDWR | O_CREAT, &j->fd, err);
        if (st != GPA_OK)
            break;
        int locked;
        TEMP_RETRY(locked, flock(j->fd, LOCK_EX | LOCK_NB));
        if (locked == 0)
            break;
        if (errno != EWOULDBLOCK)
            st = cannot(j, "lock", name, err);
        close(j->fd);
        j->fd = -1;
    }
    if (st == GPA_OK && j->fd < 0)
        st = gpai_fail(err, GPA_IO, "%.200s: more than %d processes write there",
                       j->folder, WRITERS);
    for (uint32_t i = 0; st == GPA_OK && i < j->n_names; i++)
        if (strcmp(j->names[i], name) == 0)
            j->mine = i + 1;
    if (st == GPA_OK && j->mine == 0) {
        st = add_name(j, name, err);
        j->mine = (uint32_t)j->n_names;
    }
    return st;
}

/* What is torn at its end goes; a new one begins with the question. */
static gpa_status begin_file(struct journal *j, gpa_error *err)
{
    const char *name = j->names[j->mine - 1];
    struct stat is;
    gpa_status st = load(j, j->fd, j->mine, false, &j->end, err);
    if (st != GPA_OK)
        return st;
    if (fstat(j->fd, &is) != 0)
        return cannot(j, "read", name, err);
    if ((uint64_t)is.st_size > j->end) {
        if (j->end > 0)
            say("journal: %s/%s ends in the middle of an explanation, which is done "
                "again",
                j->folder, name);
        if (ftruncate(j->fd, (off_t)j->end) != 0)
            return cannot(j, "write", name, err);
    }
    if (lseek(j->fd, (off_t)j->end, SEEK_SET) < 0)
        return cannot(j, "write", name, err);
    if (j->end > 0)
        return GPA_OK;
    begin_record(j);
    gpai_text_add(j->text, j->question);
    st = gpai_text_seal(j->text, 0, err);
    return st == GPA_OK ? append(j, QUESTION, err) : st;
}

/* The other files, or their questions alone. */
static gpa_status load_others(struct journal *j, bool question, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (uint32_t i = 1; i <= j->n_names && st == GPA_OK; i++) {
        uint64_t end;
        int fd = -1;
        if (i == j->mine)
            continue;
        st = open_file(j, j->names[i - 1], O_RDONLY, &fd, err);
        if (st == GPA_OK)
            st = load(j, fd, i, question, &end, err);
        if (fd >= 0)
            close(fd);
    }
    return st;
}

gpa_status journal_open(struct journal **out, const char *folder,
                        const struct shard *shard, const char *question, size_t n_rows,
                        gpa_error *err)
{
    bool made;
    struct journal *j = *out = gpai_calloc(1, sizeof *j);
    if (j == NULL)
        return gpai_nomem(err, "journal");
    *j = (struct journal){.folder = folder,
                          .question = question,
                          .n_rows = n_rows,
                          .fd = -1,
                          .read_fd = -1,
                          .synced = time(NULL)};
    gpa_status st = gpa_text_new(&j->text, err);
    j->places = gpai_calloc(n_rows + 1, sizeof *j->places);
    if (st == GPA_OK && j->places == NULL)
        st = gpai_nomem(err, "journal");
    if (st == GPA_OK)
        st = out_folder(NULL, folder, &made, err);
    if (st == GPA_OK)
        st = list_files(j, err);
    if (st == GPA_OK)
        st = load_others(j, true, err); /* one of another question stays as it is */
    if (st == GPA_OK)
        st = take_file(j, shard, err);
    if (st == GPA_OK)
        st = begin_file(j, err);
    return st == GPA_OK ? load_others(j, false, err) : st;
}

bool journal_has(const struct journal *j, size_t row)
{
    return j != NULL && row < j->n_rows && j->places[row].file != 0;
}

/* The file that a record is in, open. */
static gpa_status open_reading(struct journal *j, uint32_t file, int *fd,
                               gpa_error *err)
{
    gpa_status st = GPA_OK;
    *fd = j->fd;
    if (file == j->mine)
        return GPA_OK;
    if (j->reading != file) {
        if (j->read_fd >= 0)
            close(j->read_fd);
        j->reading = 0;
        st = open_file(j, j->names[file - 1], O_RDONLY, &j->read_fd, err);
        j->reading = st == GPA_OK ? file : 0;
    }
    *fd = j->read_fd;
    return st;
}

gpa_status journal_get(struct journal *j, size_t row, gpa_explanation **out,
                       gpa_error *err)
{
    const struct place *p = &j->places[row];
    const char *name = j->names[p->file - 1];
    struct head h;
    gpa_error why = {0};
    bool whole = false;
    int fd;
    *out = NULL;
    gpa_status st = open_reading(j, p->file, &fd, err);
    if (st == GPA_OK && lseek(fd, (off_t)p->at, SEEK_SET) < 0)
        st = cannot(j, "read", name, err);
    if (st == GPA_OK)
        st = read_record(j, fd, name, sizeof h + p->length, &h, &whole, err);
    if (st == GPA_OK && fd == j->fd && lseek(fd, (off_t)j->end, SEEK_SET) < 0)
        st = cannot(j, "read", name, err);
    if (st != GPA_OK)
        return st;
    st = whole ? gpa_explanation_unpack(out, j->record + sizeof h.key,
                                        (size_t)h.key.length, &why)
               : GPA_DATA;
    if (st == GPA_NOMEM)
        return gpai_nomem(err, "journal");
    if (st == GPA_OK && gpa_explanation_row(*out, 0) == row)
        return GPA_OK;
    gpa_explanation_free(*out);
    *out = NULL;
    return gpai_fail(err, GPA_DATA,
                     "%.200s/%s: row %zu is not as it was written; remove this file to "
                     "have its rows done again",
                     j->folder, name, row);
}

gpa_status journal_put(struct journal *j, size_t row, const gpa_explanation *e,
                       gpa_error *err)
{
    begin_record(j);
    gpa_status st = gpa_explanation_pack(j->text, e, err);
    if (st == GPA_OK)
        st = append(j, row, err);
    return st == GPA_OK && time(NULL) - j->synced >= SYNC_SECONDS ? journal_sync(j, err)
                                                                  : st;
}

gpa_status journal_sync(struct journal *j, gpa_error *err)
{
    int done = 0;
    if (j->unsynced)
        TEMP_RETRY(done, fsync(j->fd));
    j->unsynced = false;
    j->synced = time(NULL);
    return done == 0 ? GPA_OK : cannot(j, "write", j->names[j->mine - 1], err);
}

void journal_close(struct journal *j)
{
    if (j == NULL)
        return;
    if (j->fd >= 0)
        close(j->fd);
    if (j->read_fd >= 0)
        close(j->read_fd);
    gpa_text_free(j->text);
    gpai_free(j->record);
    gpai_free(j->names);
    gpai_free(j->places);
    gpai_free(j);
}

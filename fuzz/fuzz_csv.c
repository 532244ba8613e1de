#include "data/table.h"
#include "fuzz.h"
#include <sys/socket.h>
#include <unistd.h>

/* Beside it, a parser that is as simple as can be: for files of a comma, quotes and
 * line ends, without blanks. It gives the cells one after the other, or NULL where it
 * would refuse. */
struct cells {
    char *text;            /* all of them, each with a zero behind it */
    size_t n, rows, first; /* first: of the first row */
};

static bool is_simple(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < '!' && text[i] != '\n')
            return false;
    return size > 0 && memchr(text, 0, size) == NULL &&
           memchr(text, ',', size) != NULL && strncmp(text, "sep=", 4) != 0 &&
           (unsigned char)text[0] < 0x80 &&
           strcspn(text, ",") < strcspn(text, "\n\";|");
}

static bool simple(const char *text, size_t size, struct cells *c)
{
    const char *p = text, *end = text + size;
    char *to = c->text = malloc(size + 2);
    MUST(to != NULL);
    while (p < end) {
        if (*p == '\n') { /* a blank line */
            p++;
            continue;
        }
        for (bool more = true; more;) {
            bool quoted = p < end && *p == '"', closed = !quoted;
            for (p += quoted; p < end && (quoted ? !closed : *p != ',' && *p != '\n');
                 p++) {
                if (quoted && *p == '"' && p + 1 < end && p[1] == '"')
                    *to++ = *p++;
                else if (quoted && *p == '"')
                    closed = true;
                else
                    *to++ = *p;
            }
            if (!closed || (quoted && p < end && *p != ',' && *p != '\n'))
                return false;
            *to++ = '\0';
            c->n++;
            more = p < end && *p == ',';
            p += p < end;
        }
        c->rows++;
        c->first = c->rows == 1 ? c->n : c->first;
        if (c->n != c->rows * c->first)
            return false;
    }
    return c->rows > 1;
}

/* Text of a file that both can read is the same. */
static void compare(const gpa_table *t, const struct cells *c)
{
    const char *p = c->text;
    MUST(gpa_table_columns(t) == c->first && gpa_table_rows(t) == c->rows - 1);
    for (size_t i = 0; i < c->n; i++, p += strlen(p) + 1) {
        size_t row = i / c->first, k = i % c->first;
        const char *got = row > 0 ? gpa_table_text(t, row - 1, k) : NULL;
        if (row == 0 && *p != '\0')
            MUST(strcmp(gpa_table_name(t, k), p) == 0);
        if (got != NULL)
            MUST(strcmp(got, p) == 0);
    }
}

/* Puts the bytes where standard input was, in a few pieces: packets, of which a read
 * gives one at a time, as a pipe may. */
static void serve_in_pieces(const uint8_t *data, size_t size)
{
    enum { PIECES = 24 }; /* for which the socket has room before they are read */
    int ends[2];
    uint32_t dice = 2463534242u ^ (uint32_t)size;
    MUST(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    for (size_t at = 0, left = PIECES, n; at < size; at += n, left--) {
        dice = dice * 1664525u + 1013904223u + data[at];
        n = left > 1 ? 1 + (dice >> 8) % (2 * (size / PIECES) + 1) : size - at;
        n = n < size - at ? n : size - at;
        MUST(write(ends[1], data + at, n) == (ssize_t)n);
    }
    MUST(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
}

/* Read in pieces it is the same table, or refused in the same words. */
static void compare_pieces(const uint8_t *data, size_t size,
                           const gpa_table_options *opt)
{
    enum { MOST = 32768 }; /* a read asks for more than that, and loses no byte */
    gpa_table *a = NULL, *b = NULL;
    gpa_error whole = {0}, pieces = {0};
    if (size > MOST)
        return;
    char *text = copy_of(data, size);
    gpa_status st = gpa_table_parse(&a, text, size, "-", opt, &whole);
    serve_in_pieces(data, size);
    MUST(gpa_table_read(&b, "-", opt, &pieces) == st);
    MUST(strcmp(whole.message, pieces.message) == 0);
    MUST((a == NULL) == (b == NULL));
    if (a != NULL) {
        MUST(strcmp(gpa_table_digest(a), gpa_table_digest(b)) == 0);
        MUST(gpa_table_rows(a) == gpa_table_rows(b));
        MUST(gpa_table_columns(a) == gpa_table_columns(b));
    }
    gpa_table_free(b);
    gpa_table_free(a);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpa_table_options opt;
    gpa_table *t = NULL;
    gpa_error err = {0};
    struct cells c = {0};
    char *text = copy_of(data, size);
    gpa_table_options_init(&opt);
    gpa_status st = gpa_table_parse(&t, text, size, "a.csv", &opt, &err);
    if (st == GPA_OK && is_simple(text, size)) {
        MUST(simple(text, size, &c));
        compare(t, &c);
    }
    free(c.text);
    check_table(st, t, &err);
    opt.no_header = true;
    t = NULL;
    err = (gpa_error){0};
    st = gpa_table_parse(&t, text, size, "a.csv", &opt, &err);
    check_table(st, t, &err);
    free(text);
    compare_pieces(data, size, &opt);
    return 0;
}

#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"
#include "watch/lines/fields.h"
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

/* What gpa watch reads: all of it as lines, and each line as a row. */

static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i * d];
    return 0;
}

static gpa_study *open_study(gpa_table **table)
{
    static const char ROWS[] = "ts,a,day,y\n1,1,2026-01-01,1.5\n2,2,2026-01-02,2.1\n"
                               "3,3,2026-01-03,2.9\n4,1,2026-01-04,1\n";
    gpa_study *s = NULL;
    MUST(gpa_table_parse(table, ROWS, sizeof ROWS - 1, "rows", NULL, NULL) == GPA_OK);
    MUST(gpa_study_new(&s, "explain", NULL) == GPA_OK);
    MUST(gpa_study_set(s, "id", "ts", NULL) == GPA_OK);
    MUST(gpa_study_set(s, "drop", "day", NULL) == GPA_OK);
    gpa_study_set_table(s, *table);
    gpa_study_set_predict(s, predict, NULL, 0, NULL);
    MUST(gpa_study_open(s, NULL) == GPA_OK);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpa_table *table = NULL;
    gpa_study *s = open_study(&table);
    struct lines l;
    struct line line;
    struct fields f;
    double x[1];
    bool begun = false, header = false, bad = false;
    int fd = memfd_create("lines", 0);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size &&
         lseek(fd, 0, SEEK_SET) == 0);
    MUST(lines_open(&l, fd, NULL) == GPA_OK);
    MUST(fields_open(&f, s, "ts", NULL) == GPA_OK);
    while (!l.ended && !bad) {
        MUST(lines_fill(&l, NULL) == GPA_OK);
        while (!bad && lines_next(&l, &line)) {
            struct fields_row row = {.x = x};
            gpa_error why = {0};
            MUST(line.length <= line.bytes &&
                 memchr(line.text, '\n', line.length) == NULL);
            if (!begun && !line_is_blank(&line) && !line.cut) {
                begun = true;
                bad = fields_begin(&f, &line, &header, &why) != GPA_OK;
                MUST(!bad || why.message[0] != '\0');
                if (header || bad)
                    continue;
            }
            enum trouble t = fields_read(&f, &line, &row, &why);
            MUST(t < TROUBLES && strlen(row.id) == row.id_length);
            MUST(t == FINE || why.message[0] != '\0');
            MUST(t != FINE || (!isinf(row.y) && !isinf(x[0])));
        }
    }
    MUST(bad || l.taken == size);
    fields_close(&f);
    lines_close(&l);
    close(fd);
    gpa_study_free(s);
    gpa_table_free(table);
    return 0;
}

/* bench_read FILE [TIMES]: how long the library takes to read a table: the least of
 * some times, seconds; rows; bytes; and the most memory it took, kilobytes. */
#include <gpa/gpa.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The most memory there was; not that of whoever started it. */
static long most_memory(void)
{
    char line[256];
    long most = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "VmHWM: %ld", &most) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return most;
}

int main(int argc, char **argv)
{
    double best = 1e300;
    size_t rows = 0;
    struct stat file;
    if (argc < 2 || stat(argv[1], &file) != 0)
        return 2;
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.max_bytes = (size_t)8 << 30;
    for (int i = argc > 2 ? atoi(argv[2]) : 3; i > 0; i--) {
        gpa_table *t = NULL;
        gpa_error err;
        double from = now();
        if (gpa_table_read(&t, argv[1], &opt, &err) != GPA_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        double took = now() - from;
        best = took < best ? took : best;
        rows = gpa_table_rows(t);
        gpa_table_free(t);
    }
    printf("%.6f %zu %lld %ld\n", best, rows, (long long)file.st_size, most_memory());
    return 0;
}

/* How long a row takes, by the number of rows asked at a time.
 *
 *     bench_model SPEC            a table for one model
 *     bench_model --answer SPEC   one line out for each line in, for bench_model.py:
 *                                 "ROWS REPEATS" is answered by "NS_PER_ROW SUM"
 */
#include <gpa/gpa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ROWS = 10000 };

struct bench {
    gpa_model *m;
    double *x, *y;
    double sum; /* of the last predictions */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Rows that another program makes just as easily. */
static int prepare(struct bench *b)
{
    size_t d = gpa_model_dim(b->m);
    b->x = calloc(MAX_ROWS * d, sizeof *b->x);
    b->y = calloc(MAX_ROWS, sizeof *b->y);
    if (b->x == NULL || b->y == NULL)
        return 0;
    for (size_t i = 0; i < MAX_ROWS; i++) {
        for (size_t k = 0; k < d; k++)
            b->x[i * d + k] = (double)((7 * i + 13 * k) % 101) / 50 - 1;
    }
    return 1;
}

/* Mean time per row of `repeats` calls, in ns; negative when the model fails. */
static double time_calls(struct bench *b, size_t rows, size_t repeats)
{
    gpa_error err;
    double start = now();
    for (size_t i = 0; i < repeats; i++) {
        if (gpa_model_predict(b->m, b->x, rows, b->y, &err) != GPA_OK) {
            fprintf(stderr, "bench_model: %s\n", err.message);
            return -1;
        }
    }
    double each = (now() - start) / (double)(rows * repeats);
    b->sum = 0;
    for (size_t i = 0; i < rows; i++)
        b->sum += b->y[i];
    return each;
}

static int answer(struct bench *b)
{
    size_t rows, repeats;
    while (scanf("%zu %zu", &rows, &repeats) == 2) {
        if (rows == 0 || rows > MAX_ROWS || repeats == 0)
            return 2;
        double each = time_calls(b, rows, repeats);
        if (each < 0)
            return 4;
        printf("%.6g %.17g\n", each, b->sum);
        fflush(stdout);
    }
    return 0;
}

static int table(struct bench *b)
{
    static const size_t sizes[] = {1, 10, 100, 1000, MAX_ROWS};
    printf("%8s %12s %14s\n", "rows", "ns per row", "rows per s");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double best = 0;
        for (int round = 0; round < 50; round++) {
            double each = time_calls(b, sizes[i], 1 + 20000 / sizes[i]);
            if (each < 0)
                return 4;
            if (round == 0 || each < best)
                best = each;
        }
        printf("%8zu %12.1f %14.0f\n", sizes[i], best, 1e9 / best);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    gpa_error err;
    int answering = argc == 3 && strcmp(argv[1], "--answer") == 0, code = 2;
    if (argc != 2 + answering) {
        fprintf(stderr, "usage: bench_model [--answer] SPEC\n");
        return 2;
    }
    if (gpa_model_open(&b.m, argv[argc - 1], NULL, &err) != GPA_OK)
        fprintf(stderr, "bench_model: %s\n", err.message);
    else if (prepare(&b))
        code = answering ? answer(&b) : table(&b);
    free(b.y);
    free(b.x);
    gpa_model_free(b.m);
    return code;
}

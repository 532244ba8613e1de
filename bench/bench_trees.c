/* How long a row of a tree model takes, here and in XGBoost's own library.
 *
 * bench_trees SPEC ROWS             our predictions bench_trees --xgboost FILE ROWS
 * those of libxgboost's C API, on one thread
 *
 * ROWS is a file of doubles, row after row. Each line "N REPEATS" that comes in is
 * answered by "NS_PER_ROW SUM", the time of the first N rows and the sum of their
 * predictions; bench_trees.py asks and compares. */
#include <dlfcn.h>
#include <gpa/gpa.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bench {
    gpa_model *m;
    double *x, *y;
    size_t n, d;
    double sum; /* of the last predictions */
};

/* What is needed of libxgboost, so that nothing is when it is not there. */
struct library {
    void *handle, *booster;
    int (*create)(const void **, uint64_t, void **);
    int (*load)(void *, const char *);
    int (*set)(void *, const char *, const char *);
    int (*features)(void *, uint64_t *);
    int (*predict)(void *, const char *, const char *, void *, const uint64_t **,
                   uint64_t *, const float **);
};

typedef int (*predict_fn)(void *model, struct bench *b, size_t rows);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int predict_ours(void *model, struct bench *b, size_t rows)
{
    gpa_error err;
    if (gpa_model_predict(model, b->x, rows, b->y, &err) == GPA_OK)
        return 1;
    fprintf(stderr, "bench_trees: %s\n", err.message);
    return 0;
}

static int predict_theirs(void *model, struct bench *b, size_t rows)
{
    static const char how[] = "{\"type\":0,\"training\":false,\"iteration_begin\":0,"
                              "\"iteration_end\":0,\"strict_shape\":false,"
                              "\"cache_id\":0,\"missing\":NaN}";
    struct library *l = model;
    char array[160];
    const uint64_t *shape;
    const float *y;
    uint64_t dims;
    snprintf(array, sizeof array,
             "{\"data\":[%zu,true],\"shape\":[%zu,%zu],\"typestr\":\"<f8\","
             "\"version\":3}",
             (size_t)(uintptr_t)b->x, rows, b->d);
    if (l->predict(l->booster, array, how, NULL, &shape, &dims, &y) != 0)
        return 0;
    for (size_t i = 0; i < rows; i++)
        b->y[i] = (double)y[i];
    return 1;
}

static int read_rows(struct bench *b, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        return 0;
    b->n = (size_t)ftell(f) / sizeof *b->x / b->d;
    b->x = calloc(b->n * b->d + 1, sizeof *b->x);
    b->y = calloc(b->n + 1, sizeof *b->y);
    rewind(f);
    int good = b->x != NULL && b->y != NULL &&
               fread(b->x, sizeof *b->x, b->n * b->d, f) == b->n * b->d;
    fclose(f);
    return good;
}

static int answer(struct bench *b, predict_fn predict, void *model)
{
    size_t rows, repeats;
    while (scanf("%zu %zu", &rows, &repeats) == 2) {
        if (rows == 0 || rows > b->n || repeats == 0)
            return 2;
        double start = now();
        for (size_t i = 0; i < repeats; i++)
            if (!predict(model, b, rows))
                return 4;
        double each = (now() - start) / (double)(rows * repeats);
        b->sum = 0;
        for (size_t i = 0; i < rows; i++)
            b->sum += b->y[i];
        printf("%.6g %.17g\n", each, b->sum);
        fflush(stdout);
    }
    return 0;
}

/* A function pointer is not an object pointer in C; dlsym pretends that it is. */
static int find(void *handle, const char *name, void *function)
{
    void *p = dlsym(handle, name);
    memcpy(function, &p, sizeof p);
    return p != NULL;
}

static int open_library(struct library *l, const char *file, size_t *d)
{
    uint64_t features = 0;
    l->handle = dlopen("libxgboost.so.0", RTLD_NOW);
    if (l->handle == NULL)
        l->handle = dlopen("libxgboost.so", RTLD_NOW);
    if (l->handle == NULL || !find(l->handle, "XGBoosterCreate", &l->create) ||
        !find(l->handle, "XGBoosterLoadModel", &l->load) ||
        !find(l->handle, "XGBoosterSetParam", &l->set) ||
        !find(l->handle, "XGBoosterGetNumFeature", &l->features) ||
        !find(l->handle, "XGBoosterPredictFromDense", &l->predict))
        return 0;
    if (l->create(NULL, 0, &l->booster) != 0 || l->load(l->booster, file) != 0 ||
        l->set(l->booster, "nthread", "1") != 0 ||
        l->features(l->booster, &features) != 0)
        return 0;
    *d = (size_t)features;
    return 1;
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    struct library l = {0};
    gpa_error err;
    int theirs = argc == 4 && strcmp(argv[1], "--xgboost") == 0;
    if (argc != 3 + theirs) {
        fprintf(stderr, "usage: bench_trees SPEC ROWS | --xgboost FILE ROWS\n");
        return 2;
    }
    if (theirs) {
        if (!open_library(&l, argv[2], &b.d)) {
            fprintf(stderr, "bench_trees: no libxgboost, or it refuses the file\n");
            return 3;
        }
    } else if (gpa_model_open(&b.m, argv[1], NULL, &err) != GPA_OK) {
        fprintf(stderr, "bench_trees: %s\n", err.message);
        return 3;
    } else {
        b.d = gpa_model_dim(b.m);
    }
    int code = 3;
    if (!read_rows(&b, argv[argc - 1]))
        fprintf(stderr, "bench_trees: cannot read %s\n", argv[argc - 1]);
    else if (theirs)
        code = answer(&b, predict_theirs, &l);
    else
        code = answer(&b, predict_ours, b.m);
    free(b.y);
    free(b.x);
    gpa_model_free(b.m);
    return code;
}

/* A plugin that counts the rows it is asked, for every process that has it open at
 * once, and takes its time: config is "FILE MICROSECONDS", or
 * with a comma in between. */
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { INPUTS = 4 };

struct model {
    atomic_ullong *rows; /* in FILE */
    double seconds;      /* per row */
};

int gpa_plugin_abi(void);
void *gpa_plugin_open(const char *config, size_t *inputs, char *error, size_t size);
int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y);
void gpa_plugin_close(void *model);

int gpa_plugin_abi(void)
{
    return 1;
}

void *gpa_plugin_open(const char *config, size_t *inputs, char *error, size_t size)
{
    char path[4096];
    double microseconds = 0;
    struct model *m = calloc(1, sizeof *m);
    int fd = m != NULL && config != NULL &&
                     sscanf(config, "%4095[^ ,]%*[ ,]%lf", path, &microseconds) >= 1
                 ? open(path, O_RDWR | O_CREAT, 0600)
                 : -1;
    void *shared =
        fd >= 0 && ftruncate(fd, sizeof *m->rows) == 0
            ? mmap(NULL, sizeof *m->rows, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
            : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (shared == MAP_FAILED) {
        snprintf(error, size, "config: FILE MICROSECONDS");
        free(m);
        return NULL;
    }
    m->rows = shared;
    m->seconds = 1e-6 * microseconds;
    *inputs = INPUTS;
    return m;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y)
{
    struct model *m = model;
    double until = now() + m->seconds * (double)rows;
    atomic_fetch_add(m->rows, rows);
    for (size_t i = 0; i < rows; i++) {
        const double *r = x + i * inputs;
        y[i] = r[0] + sin(2 * r[1]) + r[2] * r[3];
    }
    while (m->seconds > 0 && now() < until)
        continue;
    return 0;
}

void gpa_plugin_close(void *model)
{
    struct model *m = model;
    munmap(m->rows, sizeof *m->rows);
    free(m);
}

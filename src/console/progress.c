#include "console/progress.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *p, const char *mode, const char *label)
{
    bool automatic = mode == NULL || strcmp(mode, "auto") == 0;
    *p = (struct progress){.label = label, .start = now()};
    p->on = automatic ? isatty(STDERR_FILENO) == 1 : strcmp(mode, "always") == 0;
}

void progress_hide(struct progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = false;
}

static void remaining(double seconds)
{
    if (seconds < 90)
        fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 5400)
        fprintf(stderr, ", %.0f min left", seconds / 60);
    else
        fprintf(stderr, ", %.1f h left", seconds / 3600);
}

void progress_show(struct progress *p, size_t done, size_t total)
{
    double t = now();
    if (!p->on || (done < total && p->last > 0 && t - p->last < 0.2))
        return;
    double spent = t - p->start;
    p->last = t;
    fprintf(stderr, "\r\033[K%s %zu/%zu", p->label, done, total);
    if (done > 0 && spent > 0)
        fprintf(stderr, ", %.3g/s", (double)done / spent);
    if (done > 0 && done < total)
        remaining(spent / (double)done * (double)(total - done));
    if (done == total)
        fprintf(stderr, "\n");
    fflush(stderr);
    p->shown = done < total;
}

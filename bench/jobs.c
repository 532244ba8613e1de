#include "jobs.h"

#include "support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_model(jobs *all, FILE *f)
{
    char spec[1024], config[1024];
    if (fscanf(f, "model %1023[^\n] config %1023[^\n]", spec, config) != 2)
        stop("the job file does not start with a model");
    gpa_error err;
    gpa_model_options opt;
    gpa_model_options_init(&opt);
    opt.config = strcmp(config, "-") == 0 ? NULL : config;
    must(gpa_model_open(&all->model, spec, &opt, &err), &err);
}

static void read_rows(job *j, FILE *f)
{
    j->x = take(j->n * j->d, sizeof *j->x);
    j->y = take(j->n, 2 * sizeof *j->y);
    j->f = j->y + j->n;
    for (size_t t = 0; t < j->n; t++) {
        int good = fscanf(f, "%lf", &j->y[t]);
        for (size_t k = 0; good == 1 && k < j->d; k++)
            good = fscanf(f, "%lf", &j->x[t * j->d + k]);
        if (good != 1)
            stop("a row of the job file is not all numbers");
    }
}

void jobs_open(jobs *all, const char *path)
{
    *all = (jobs){0};
    FILE *f = fopen(path, "r");
    if (f == NULL)
        stop("cannot read the job file");
    open_model(all, f);
    job j = {0};
    while (fscanf(f, " job %63s %zu %zu %lf %lf %lf %lf %lf", j.name, &j.n, &j.d,
                  &j.eta, &j.nu, &j.a, &j.b, &j.kappa) == 8) {
        if (j.n == 0 || j.d != gpa_model_dim(all->model))
            stop("a job does not fit the model");
        read_rows(&j, f);
        gpa_error err;
        must(gpa_model_predict(all->model, j.x, j.n, j.f, &err), &err);
        all->list = realloc(all->list, (all->count + 1) * sizeof *all->list);
        if (all->list == NULL)
            stop("out of memory");
        all->list[all->count++] = j;
    }
    if (all->count == 0)
        stop("the job file holds no job");
    fclose(f);
}

void jobs_close(jobs *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].x);
        free(all->list[i].y);
    }
    free(all->list);
    gpa_model_free(all->model);
}

/* A model as a plugin: a shared object with four functions that `gpa` loads.
 *
 *     cc -std=c17 -O2 -shared -fPIC -o linear_plugin.so linear_plugin.c
 *     gpa explain --model plugin:linear_plugin.so --model-config '1,-2;0.5' data.csv
 *
 * This one is f(x) = 0.5 + 1 x1 - 2 x2: the weights, then after a semicolon the
 * intercept. Copy the file, keep the four functions, put your model inside. It needs no
 * header of libgpa. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Whatever your model needs between calls. Every thread opens an instance of its own,
 * so nothing here needs a lock. Keep it out of global variables for the same reason. */
struct model {
    size_t inputs;
    double intercept;
    double weight[];
};

/* The version of this interface; gpa refuses a plugin that says anything but 1. */
int gpa_plugin_abi(void);

/* Opens one instance. `config` is the text of --model-config, "" without one. Sets
 * `*inputs` to the number of inputs; their order is yours to define. On failure writes
 * one line to `error` and returns NULL. */
void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size);

/* Predicts `rows` rows at once: x[r * inputs + k] is input k of row r, y[r] takes the
 * prediction. NaN and infinity are allowed answers. Returns 0, anything else stops gpa.
 */
int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y);

/* Frees an instance. */
void gpa_plugin_close(void *model);

int gpa_plugin_abi(void)
{
    return 1;
}

/* Reads the number at *text, which must end with `end`, and goes behind it. (strtod
 * follows the program's locale; gpa itself never changes it.) */
static int read_number(const char **text, char end, double *number)
{
    char *stop;
    *number = strtod(*text, &stop);
    if (stop == *text || *stop != end)
        return 0;
    *text = stop + 1;
    return 1;
}

void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size)
{
    size_t n = 1;
    for (const char *c = config; *c != '\0'; c++)
        n += *c == ',';
    struct model *m = malloc(sizeof *m + n * sizeof m->weight[0]);
    if (m == NULL) {
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    const char *text = config;
    int good = 1;
    for (size_t k = 0; good && k < n; k++)
        good = read_number(&text, k + 1 < n ? ',' : ';', &m->weight[k]);
    if (!good || !read_number(&text, '\0', &m->intercept)) {
        snprintf(error, error_size, "config '%s' is not like '1,-2;0.5'", config);
        free(m);
        return NULL;
    }
    m->inputs = n;
    *inputs = n;
    return m;
}

int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y)
{
    const struct model *m = model;
    if (inputs != m->inputs) /* gpa always passes what open said */
        return 1;
    for (size_t r = 0; r < rows; r++) {
        y[r] = m->intercept;
        for (size_t k = 0; k < inputs; k++)
            y[r] += m->weight[k] * x[r * inputs + k];
    }
    return 0;
}

void gpa_plugin_close(void *model)
{
    free(model);
}

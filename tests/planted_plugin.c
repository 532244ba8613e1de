/* The functions behind the planted faults, as one plugin: `lin10`, `inter10`, `sin2` or
 * `fried10` as its config. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int gpa_plugin_abi(void);
void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size);
int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y);
void gpa_plugin_close(void *model);

static const double PI = 3.14159265358979323846;

/* Inputs 3 to 7 are active, the others inert. */
static double lin10(const double *x)
{
    return -1.5539393957653247 * x[2] - 0.6468507367843324 * x[3] -
           0.8971406847185674 * x[4] + 1.2869861460192638 * x[5] +
           1.168518724728045 * x[6];
}

/* The last two inputs are inert. */
static double inter10(const double *x)
{
    return x[0] + x[1] * x[2] + 1.5 * sin(x[3]) + 0.5 * x[4] * x[4] +
           0.7 * fabs(x[5]) * x[6] - 0.8 * x[7];
}

static double sin2(const double *x)
{
    return 2 * cos(PI * x[0]) * cos(PI * x[1]);
}

/* Friedman's function of inputs scaled to variance 1; the last five are inert. */
static double fried10(const double *x)
{
    double u[5];
    for (int i = 0; i < 5; i++)
        u[i] = 0.5 + x[i] / sqrt(12);
    return 10 * sin(PI * u[0] * u[1]) + 20 * (u[2] - 0.5) * (u[2] - 0.5) + 10 * u[3] +
           5 * u[4];
}

static struct function {
    const char *name;
    size_t inputs;
    double (*f)(const double *x);
} functions[] = {
    {"lin10", 10, lin10},
    {"inter10", 10, inter10},
    {"sin2", 2, sin2},
    {"fried10", 10, fried10},
};

int gpa_plugin_abi(void)
{
    return 1;
}

void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(config, functions[i].name) == 0) {
            *inputs = functions[i].inputs;
            return &functions[i];
        }
    snprintf(error, error_size, "no function '%s'", config);
    return NULL;
}

int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y)
{
    const struct function *function = model;
    for (size_t i = 0; i < rows; i++)
        y[i] = function->f(x + i * inputs);
    return 0;
}

void gpa_plugin_close(void *model)
{
    (void)model;
}

/* A plugin that misbehaves in the way its configuration names: what test_plugin.c feeds
 * the plugin adapter. Its interface version comes from the environment. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int gpa_plugin_abi(void);
void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size);
int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y);
void gpa_plugin_close(void *model);

int gpa_plugin_abi(void)
{
    const char *version = getenv("BAD_PLUGIN_ABI");
    return version == NULL ? 1 : atoi(version);
}

void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size)
{
    char *mode = malloc(strlen(config) + 1);
    if (mode == NULL)
        return NULL;
    strcpy(mode, config);
    *inputs = strcmp(mode, "no inputs") == 0 ? 0 : 2;
    if (strcmp(mode, "endless text") == 0) /* no zero byte at the end */
        memset(error, 'e', error_size);
    if (strcmp(mode, "two lines") == 0)
        strcpy(error, "first\nsecond\033[31m");
    if (error[0] == '\0' && strcmp(mode, "silent") != 0)
        return mode;
    free(mode);
    return NULL;
}

int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y)
{
    (void)x;
    (void)inputs;
    for (size_t r = 0; r < rows; r++)
        y[r] = r % 2 == 0 ? (double)NAN : HUGE_VAL;
    return strcmp(model, "fail") == 0 ? 7 : 0;
}

void gpa_plugin_close(void *model)
{
    free(model);
}

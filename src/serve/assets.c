#include "serve/assets.h"
#include <string.h>

const struct asset *asset_find(const char *name)
{
    for (size_t i = 0; i < N_ASSETS; i++)
        if (strcmp(ASSETS[i].name, name) == 0)
            return &ASSETS[i];
    return NULL;
}

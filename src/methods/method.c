#include "methods/attribute.h"
#include <string.h>

/* How each method of the chart (result/method.c) runs. */
static const gpai_method METHODS[] = {
    {"gpa", false, gpai_attribute_gpa},
    {"lc", false, gpai_lc},
    {"lime", false, gpai_lime},
    {"baylime", false, gpai_baylime},
    {"ig", false, gpai_ig},
    {"eig", true, gpai_eig},
    {"sv", true, gpai_shapley},
    {"z", true, gpai_zscore},
};

const gpai_method *gpai_method_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof METHODS / sizeof METHODS[0]; i++)
        if (strcmp(METHODS[i].name, name) == 0)
            return &METHODS[i];
    return NULL;
}

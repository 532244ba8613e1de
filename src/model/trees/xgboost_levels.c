#include "base/alloc.h"
#include "base/text/utf8.h"
#include "model/trees/xgboost.h"
#include <stdio.h>
#include <string.h>

/* Texts: their bytes one after the other as signed numbers, and where each begins:
 * {"offsets":[0,1,3],"values":[97,98,99]} is a, bc. */
static bool add_texts(gpai_tree_levels *to, const gpai_value *offsets,
                      const gpai_value *values, bool *good)
{
    size_t n = gpai_value_items(values), from = 0;
    char *bytes = gpai_calloc(n + 1, 1);
    bool memory = bytes != NULL;
    for (size_t i = 0; memory && *good && i < n; i++) {
        int64_t value = gpai_value_whole(gpai_value_at(values, i));
        *good = value >= -128 && value < 256 && value != 0;
        bytes[i] = (char)(unsigned char)(value & 0xff);
    }
    for (size_t i = 0; memory && *good && i < gpai_value_items(offsets); i++) {
        int64_t end = gpai_value_whole(gpai_value_at(offsets, i));
        *good = end >= (int64_t)from && (size_t)end <= n && (i > 0 || end == 0);
        if (*good && i > 0)
            memory = gpai_tree_levels_add(to, bytes + from, (size_t)end - from);
        if (*good && i > 0 && memory)
            *good = gpai_utf8_all(to->name[to->names - 1]);
        from = (size_t)end;
    }
    gpai_free(bytes);
    return memory;
}

/* Whole numbers: {"type":13,"values":[7,9]}. Even types have no sign, but in UBJ large
 * ones come as if they had. */
static bool add_numbers(gpai_tree_levels *to, const gpai_value *type,
                        const gpai_value *values, bool *good)
{
    bool sign = gpai_value_whole(type) % 2 != 0;
    bool memory = true;
    for (size_t i = 0; memory && *good && i < gpai_value_items(values); i++) {
        const gpai_value *value = gpai_value_at(values, i);
        char text[32];
        int n = snprintf(text, sizeof text, "%lld", (long long)gpai_value_whole(value));
        *good = gpai_value_is_whole(value) && (sign || gpai_value_whole(value) >= 0);
        memory = !*good || gpai_tree_levels_add(to, text, (size_t)n);
    }
    return memory;
}

bool gpai_xgboost_levels(gpai_tree_levels *to, const gpai_value *model, size_t inputs)
{
    const gpai_value *all = gpai_value_get(gpai_value_get(model, "cats"), "enc");
    if (gpai_value_items(all) != inputs)
        return true;
    bool memory = true;
    to->list_of = gpai_calloc(inputs, sizeof *to->list_of);
    for (size_t k = 0; to->list_of != NULL && memory && k < inputs; k++) {
        const gpai_value *item = gpai_value_at(all, k);
        const gpai_value *offsets = gpai_value_get(item, "offsets");
        const gpai_value *values = gpai_value_get(item, "values");
        bool good = true;
        memory = offsets != NULL
                     ? add_texts(to, offsets, values, &good)
                     : add_numbers(to, gpai_value_get(item, "type"), values, &good);
        memory = memory && gpai_tree_levels_end(to);
        if (memory && good && gpai_tree_levels_size(to, k + 1) > 0)
            to->list_of[k] = k + 1;
    }
    return to->list_of != NULL && memory;
}

#include "model/trees/levels.h"
#include "base/alloc.h"

bool gpai_tree_levels_add(gpai_tree_levels *l, const char *name, size_t length)
{
    if (!gpai_grow(&l->name, &l->name_room, l->names + 1, sizeof *l->name))
        return false;
    l->name[l->names] = gpai_strndup(name, length);
    return l->name[l->names++] != NULL;
}

bool gpai_tree_levels_end(gpai_tree_levels *l)
{
    if (!gpai_grow(&l->first, &l->first_room, l->lists + 2, sizeof *l->first))
        return false;
    l->first[0] = 0;
    l->first[++l->lists] = l->names;
    return true;
}

size_t gpai_tree_levels_size(const gpai_tree_levels *l, size_t list)
{
    return l->first[list] - l->first[list - 1];
}

const char *gpai_tree_levels_name(const gpai_tree_levels *l, size_t k, size_t i)
{
    size_t list = l->list_of != NULL ? l->list_of[k] : 0;
    return list == 0 || i >= gpai_tree_levels_size(l, list)
               ? NULL
               : l->name[l->first[list - 1] + i];
}

void gpai_tree_levels_free(gpai_tree_levels *l)
{
    for (size_t i = 0; i < l->names; i++)
        gpai_free(l->name[i]);
    gpai_free(l->name);
    gpai_free(l->first);
    gpai_free(l->list_of);
    *l = (gpai_tree_levels){0};
}

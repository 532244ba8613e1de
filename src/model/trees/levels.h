#ifndef GPAI_MODEL_TREES_LEVELS_H
#define GPAI_MODEL_TREES_LEVELS_H
#include <stdbool.h>
#include <stddef.h>

/* What a model file calls the categories of its inputs: lists of names, one after the
 * other, and the inputs that they belong to. All zero at the beginning. */
typedef struct gpai_tree_levels {
    size_t lists, names;
    size_t *first; /* lists + 1: a list's names are from one to the next */
    char **name;
    size_t *list_of; /* of each input: its list, from 1; 0: none. NULL: all none */
    size_t first_room, name_room;
} gpai_tree_levels;

/* One name more in the list under way; the end of that list. False without memory. */
bool gpai_tree_levels_add(gpai_tree_levels *l, const char *name, size_t length);
bool gpai_tree_levels_end(gpai_tree_levels *l);

size_t gpai_tree_levels_size(const gpai_tree_levels *l,
                             size_t list); /* of a list, from 1 */

/* What code i of input k is called, or NULL. */
const char *gpai_tree_levels_name(const gpai_tree_levels *l, size_t k, size_t i);
void gpai_tree_levels_free(gpai_tree_levels *l);

#endif

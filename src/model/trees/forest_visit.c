#include "model/trees/forest_visit.h"
#include "base/status.h"
#include "base/text/show.h"
#include <string.h>

static gpa_status broken(const char *file, size_t tree, size_t node, const char *what,
                         int32_t value, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA, "%s: tree %zu: node %zu: %s %ld",
                     gpai_show_path(file).text, tree, node, what, (long)value);
}

gpa_status gpai_forest_visit(const gpai_forest_spec *spec, size_t t, const char *file,
                             uint32_t *order, bool *seen, gpai_tree *tree,
                             gpa_error *err)
{
    const gpai_node *node = spec->node + spec->start[t];
    size_t n = spec->start[t + 1] - spec->start[t], filled = 1, level = 1;
    *tree = (gpai_tree){.nodes = 0};
    if (n == 0)
        return gpai_fail(err, GPA_DATA, "%s: tree %zu: no nodes",
                         gpai_show_path(file).text, t);
    memset(seen, 0, n * sizeof *seen);
    order[0] = 0;
    seen[0] = true;
    for (size_t i = 0; i < filled; i++) {
        const gpai_node *at = &node[order[i]];
        if (i == level) { /* the first of the next level */
            tree->depth++;
            level = filled;
        }
        if (at->input < 0)
            continue;
        if ((size_t)at->input >= spec->inputs)
            return broken(file, t, order[i], "there is no input", at->input, err);
        const int32_t child[2] = {at->left, at->right};
        for (int k = 0; k < 2; k++) {
            if (child[k] < 0 || (size_t)child[k] >= n)
                return broken(file, t, order[i], "there is no node", child[k], err);
            if (seen[child[k]])
                return broken(file, t, order[i], "a second way to node", child[k], err);
            seen[child[k]] = true;
            order[filled++] = (uint32_t)child[k];
        }
    }
    tree->nodes = filled;
    return GPA_OK;
}

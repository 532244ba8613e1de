/* A tree ensemble as a gpa plugin; the config text names the file. The format and the
 * programs that write it are in bench/train_models.py. It needs no header of libgpa. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, GROUP = 16, MAX_INPUTS = 4096 };

/* Children stand side by side, so a step is `left + (x > threshold)`. A leaf is its own
 * left child below a threshold of infinity: walking on from it stays there, and all
 * rows of a group can take the same number of steps. */
struct node {
    float threshold;
    int32_t feature, left;
};

struct tree {
    size_t first; /* node */
    size_t depth;
};

struct model {
    size_t inputs, trees, nodes, room;
    double base;
    struct tree *tree;
    struct node *node;
    double *value;
};

int gpa_plugin_abi(void);
void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size);
int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y);
void gpa_plugin_close(void *model);

/* A node as the file has it. */
struct raw {
    long feature, left, right;
    double number; /* threshold or value */
};

int gpa_plugin_abi(void)
{
    return 1;
}

void gpa_plugin_close(void *model)
{
    struct model *m = model;
    if (m == NULL)
        return;
    free(m->tree);
    free(m->node);
    free(m->value);
    free(m);
}

/* The largest float that is <= t: x <= t and x <= below(t) are the same for a float. */
static float below(double t)
{
    float f = (float)t;
    return (double)f > t ? nextafterf(f, -HUGE_VALF) : f;
}

static int grow(struct model *m, size_t more)
{
    if (m->nodes + more <= m->room)
        return 1;
    size_t room = 2 * (m->nodes + more);
    struct node *node = realloc(m->node, room * sizeof *node);
    if (node != NULL)
        m->node = node;
    double *value = realloc(m->value, room * sizeof *value);
    if (value != NULL)
        m->value = value;
    if (node == NULL || value == NULL)
        return 0;
    m->room = room;
    return 1;
}

/* Lays a tree out breadth first. `order` maps new places to old ones. Returns 0 when
 * the nodes do not make a tree. */
static int lay_out(struct model *m, const struct raw *raw, size_t n, size_t *order,
                   size_t *level, struct tree *tree)
{
    size_t filled = 1;
    order[0] = level[0] = 0;
    for (size_t i = 0; i < filled; i++) {
        const struct raw *r = &raw[order[i]];
        struct node *node = &m->node[tree->first + i];
        m->value[tree->first + i] = 0;
        *node = (struct node){HUGE_VALF, 0, (int32_t)i};
        if (level[i] > tree->depth)
            tree->depth = level[i];
        if (r->feature < 0) {
            m->value[tree->first + i] = r->number;
            continue;
        }
        if (r->left < 0 || r->right < 0 || (size_t)r->left >= n ||
            (size_t)r->right >= n || filled + 2 > n)
            return 0;
        *node = (struct node){below(r->number), (int32_t)r->feature, (int32_t)filled};
        order[filled] = (size_t)r->left;
        order[filled + 1] = (size_t)r->right;
        level[filled] = level[filled + 1] = level[i] + 1;
        filled += 2;
    }
    return filled == n;
}

static int read_nodes(FILE *f, struct raw *raw, size_t n, size_t inputs)
{
    for (size_t i = 0; i < n; i++) {
        struct raw *r = &raw[i];
        if (fscanf(f, "%ld %lf", &r->feature, &r->number) != 2)
            return 0;
        if (r->feature >= (long)inputs)
            return 0;
        if (r->feature >= 0 && fscanf(f, "%ld %ld", &r->left, &r->right) != 2)
            return 0;
    }
    return 1;
}

static int read_tree(struct model *m, FILE *f, struct tree *tree)
{
    size_t n = 0;
    if (fscanf(f, " tree %zu", &n) != 1 || n == 0 || n > INT32_MAX || !grow(m, n))
        return 0;
    struct raw *raw = calloc(n, sizeof *raw);
    size_t *order = calloc(2 * n, sizeof *order);
    int good = raw != NULL && order != NULL && read_nodes(f, raw, n, m->inputs);
    if (good) {
        *tree = (struct tree){.first = m->nodes};
        good = lay_out(m, raw, n, order, order + n, tree);
        m->nodes += n;
    }
    free(raw);
    free(order);
    return good;
}

static int read_model(struct model *m, FILE *f)
{
    if (fscanf(f, "trees 1 inputs %zu base %lf count %zu", &m->inputs, &m->base,
               &m->trees) != 3)
        return 0;
    if (m->inputs == 0 || m->inputs > MAX_INPUTS)
        return 0;
    m->tree = calloc(m->trees + 1, sizeof *m->tree);
    int good = m->tree != NULL;
    for (size_t t = 0; good && t < m->trees; t++)
        good = read_tree(m, f, &m->tree[t]);
    return good;
}

void *gpa_plugin_open(const char *config, size_t *inputs, char *error,
                      size_t error_size)
{
    struct model *m = calloc(1, sizeof *m);
    FILE *f = fopen(config, "r");
    int good = m != NULL && f != NULL && read_model(m, f);
    if (f != NULL)
        fclose(f);
    if (good) {
        *inputs = m->inputs;
        return m;
    }
    snprintf(error, error_size,
             f == NULL ? "cannot read '%s'" : "'%s' is no .trees file", config);
    gpa_plugin_close(m);
    return NULL;
}

/* GROUP rows walk one tree in step: their loads do not wait for each other. */
static void walk(const struct node *node, size_t depth, const float *x, size_t inputs,
                 int32_t *leaf)
{
    int32_t at[GROUP] = {0};
    for (size_t step = 0; step < depth; step++) {
        for (size_t r = 0; r < GROUP; r++) {
            const struct node *n = &node[at[r]];
            at[r] = n->left + (x[r * inputs + (size_t)n->feature] > n->threshold);
        }
    }
    memcpy(leaf, at, sizeof at);
}

/* Adds every tree's answer for `rows` rows, at most BLOCK. `x` has room for all BLOCK:
 * the last group walks with rows that nobody asked for. */
static void add_trees(const struct model *m, const float *x, size_t rows, double *y)
{
    int32_t leaf[GROUP];
    for (size_t t = 0; t < m->trees; t++) {
        const struct tree *tree = &m->tree[t];
        const double *value = m->value + tree->first;
        for (size_t g = 0; g < rows; g += GROUP) {
            walk(m->node + tree->first, tree->depth, x + g * m->inputs, m->inputs,
                 leaf);
            for (size_t r = 0; r < GROUP && g + r < rows; r++)
                y[g + r] += value[leaf[r]];
        }
    }
}

int gpa_plugin_predict(void *model, const double *x, size_t rows, size_t inputs,
                       double *y)
{
    const struct model *m = model;
    float *block = calloc(BLOCK * inputs, sizeof *block);
    if (block == NULL)
        return 1;
    for (size_t start = 0; start < rows; start += BLOCK) {
        size_t n = rows - start < BLOCK ? rows - start : BLOCK;
        for (size_t i = 0; i < n * inputs; i++)
            block[i] = (float)x[start * inputs + i];
        for (size_t r = 0; r < n; r++)
            y[start + r] = m->base;
        add_trees(m, block, n, y + start);
    }
    free(block);
    return 0;
}

#ifndef GPA_CLI_SHARD_H
#define GPA_CLI_SHARD_H
#include "study/options.h"
#include <gpa/status.h>

/* Which part of the work is done here: of the explanations in the order of one run each
 * `of`-th, from the index-th on, which counts from 1. All of it: 1 of 1. */
struct shard {
    bool given; /* --shard */
    size_t index, of;
};

/* As --shard and --shards say; `auto`: as the scheduler does, which is said. */
gpa_status shard_read(struct shard *s, const gpai_options *a, gpa_error *err);

/* A file name with the index in place of {shard}, where this is a shard; to be freed.
 */
gpa_status shard_name(const struct shard *s, const char *name, char **out,
                      gpa_error *err);

/* How many of so many explanations it has. */
size_t shard_size(const struct shard *s, size_t total);

#endif

#ifndef GPAI_DATA_UNPACK_H
#define GPAI_DATA_UNPACK_H
#include <gpa/status.h>
#include <stddef.h>

/* Compressed bytes, told by the first of them. */
typedef enum gpai_packing { GPAI_PLAIN, GPAI_GZIP, GPAI_ZSTD } gpai_packing;

gpai_packing gpai_packing_of(const char *bytes, size_t size);

/* How long a file's name is without the ending of its packing: "a.csv.gz" is a.csv. */
size_t gpai_packing_name(const char *name);

/* Unpacks gzip or zstd, all members and frames of it, into fresh memory (gpai_free)
 * with a zero byte after the end. GPA_DATA when that is spoilt, cut off, or more than
 * max_bytes: it is then never there in memory. */
gpa_status gpai_unpack(char **out, size_t *out_size, const char *bytes, size_t size,
                       const char *path, size_t max_bytes, gpa_error *err);

/* gpai_slurp (data/slurp.h), unpacked where it is packed. */
gpa_status gpai_slurp_unpacked(char **bytes, size_t *size, const char *path,
                               size_t max_bytes, gpa_error *err);

#endif

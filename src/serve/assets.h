#ifndef GPA_SERVE_ASSETS_H
#define GPA_SERVE_ASSETS_H
#include <stddef.h>

/* The files of web/, made C by tools/embed.py while building: byte for byte, and the
 * only files there are. */
struct asset {
    const char *name, *type, *etag;
    const unsigned char *bytes;
    size_t size;
};

extern const struct asset ASSETS[];
extern const size_t N_ASSETS;

/* By its very name; NULL: there is none. */
const struct asset *asset_find(const char *name);

#endif

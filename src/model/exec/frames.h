#ifndef GPAI_MODEL_EXEC_FRAMES_H
#define GPAI_MODEL_EXEC_FRAMES_H
#include "model/kinds.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The frames that a model in a child process speaks, in bytes; docs/connect/exec.md is
 * the description for others. Whole numbers are 32 bits, all numbers little-endian.
 *
 * - hello: GPAH version inputs size, then `size` bytes: the inputs' names, one a line
 * - kinds, for children of version 2: GPAK inputs size, then `size` bytes: for every
 *   input how it is written, its name, its levels
 * - request: GPAQ rows inputs, then rows * inputs doubles
 * - reply: GPAR rows size, then rows doubles, or `size` bytes of complaint
 */
enum {
    GPAI_FRAME_VERSION = 2, /* and all before it; 1 takes numbers only */
    GPAI_HELLO_BYTES = 16,
    GPAI_HEAD_BYTES = 12,       /* of a request and a reply */
    GPAI_NAMES_MOST = 1 << 24,  /* bytes */
    GPAI_INPUTS_MOST = 1000000, /* as many columns as a table may have */
    GPAI_COMPLAINT_MOST = 1 << 20,
    GPAI_KINDS_FRAME_MOST = 1 << 27 /* names of columns and their levels */
};

typedef struct gpai_hello_head {
    uint32_t version;
    uint32_t inputs; /* 0: any number */
    uint32_t size;   /* of the names; 0: no names */
} gpai_hello_head;

typedef struct gpai_reply {
    uint32_t rows;
    uint32_t size; /* of the complaint; 0: predictions follow */
} gpai_reply;

/* What is wrong goes into `wrong`, a text of this size, and false comes back. */
enum { GPAI_WRONG = 200 };

/* Reads the head of a hello. `got` bytes are there, at least 4: enough to see that it
 * is something else altogether, which is then quoted. */
bool gpai_frame_hello(gpai_hello_head *h, const unsigned char *head, size_t got,
                      char wrong[GPAI_WRONG]);

/* Cuts names out of `text` in place: size bytes, followed by room for one more. There
 * must be d of them. */
bool gpai_frame_names(const char **names, size_t d, char *text, size_t size,
                      char wrong[GPAI_WRONG]);

/* What the inputs are, for a child that takes text. Gives the bytes of the frame; `out`
 * NULL only measures. */
size_t gpai_frame_kinds(unsigned char *out, const gpai_model_kinds *kinds);

void gpai_frame_request(unsigned char head[GPAI_HEAD_BYTES], uint32_t rows,
                        uint32_t inputs);

/* The same for the head of a reply to `rows` rows, of which the first is number `first`
 * in messages. */
bool gpai_frame_reply(gpai_reply *r, const unsigned char *head, size_t got, size_t rows,
                      gpai_asked asked, char wrong[GPAI_WRONG]);

/* Doubles of this machine to those of the frames, or back; false when they are the
 * same and nothing was done. */
bool gpai_frame_swap(double *values, size_t n);

#endif

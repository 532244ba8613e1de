#ifndef GPA_WATCH_PLACE_H
#define GPA_WATCH_PLACE_H
#include "watch/stream.h"

/* Where the lines and --out were when the state was saved. A file is known again by the
 * bytes before that place. */

/* Of the end of --out, as far as we wrote it; 0: it is no file that is kept. */
gpa_status place_out_key(const struct watch *w, uint64_t *key, gpa_error *err);

/* --out ends where it did: what was written since goes. GPA_DATA, and nothing is
 * touched, when it is another file. */
gpa_status place_in_out(struct watch *w, gpa_error *err);

/* A file of lines is read on from there. */
gpa_status place_in_lines(struct watch *w, gpa_error *err);

#endif

#ifndef GPA_WATCH_STATE_H
#define GPA_WATCH_STATE_H
#include "watch/stream.h"

/* --state: all that is known, in one file that is replaced as a whole. One list of what
 * there is writes and reads it. */

/* Refuses a name under which it would not be found again, or that is --out's, too. */
gpa_status state_name(const gpai_options *a, gpa_error *err);
/* Reads the file, if there is one (*there), and what was known of the first lines
 * (*known: anything was): to be called before anything else is known. GPA_DATA when it
 * is damaged. */
gpa_status state_read(struct watch *w, bool *there, bool *known, gpa_error *err);
/* The rest of it, once all is open; GPA_INVALID when it belongs to another question. */
gpa_status state_take(struct watch *w, gpa_error *err);
/* Writes it: all or nothing. Before anything is known only how long --out is, so that
 * what a start wrote that never came to save anything goes. GPA_IO when another process
 * wrote it meanwhile. */
gpa_status state_save(struct watch *w, gpa_error *err);

#endif

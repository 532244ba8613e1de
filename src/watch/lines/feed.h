#ifndef GPA_WATCH_LINES_FEED_H
#define GPA_WATCH_LINES_FEED_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* --on-full drop: a thread reads whatever comes, so that nobody who writes has to wait,
 * and keeps it for the watch. Lines for which there is no room are dropped, whole, and
 * counted. */
struct feed;

/* It lives as long as the program: its thread may be reading still. */
gpa_status feed_open(struct feed **out, int from, gpa_error *err);

/* A descriptor that can be read from when there is something, or the end. */
int feed_ready(const struct feed *f);
/* As read(2), of whole lines; 0 at the end, -1 with EAGAIN when there is nothing. */
ssize_t feed_read(struct feed *f, char *to, size_t n);
/* How many were dropped since this was asked last. */
uint64_t feed_dropped(struct feed *f);

#endif

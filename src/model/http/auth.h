#ifndef GPAI_AUTH_H
#define GPAI_AUTH_H
#include <gpa/status.h>

/* The header line that proves who we are, in fresh memory: `where` is env:NAME or
 * file:PATH, and holds a token ("Authorization: Bearer TOKEN"), a scheme and its value
 * ("Basic dXNlcjpwYXNz") or a whole header ("X-Api-Key: KEY"). Messages never show what
 * is in there, nor `where`, which could be a secret by mistake. */
gpa_status gpai_auth_header(char **out, const char *where, gpa_error *err);

#endif

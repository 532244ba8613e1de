#ifndef GPAI_MODEL_HTTP_TRANSPORT_AUTH_H
#define GPAI_MODEL_HTTP_TRANSPORT_AUTH_H
#include <gpa/status.h>
#include <stddef.h>

/* The header line that proves who we are, in fresh memory: `where` is env:NAME or
 * file:PATH, and holds a token ("Authorization: Bearer TOKEN"), a scheme and its value
 * ("Basic dXNlcjpwYXNz") or a whole header ("X-Api-Key: KEY"). Messages never show what
 * is in there, nor `where`, which could be a secret by mistake. */
gpa_status gpai_auth_header(char **out, const char *where, gpa_error *err);

/* Replaces what `text` (room for `size` bytes) has of the secret in such a header line
 * by ***: all of it, or six characters and more in a row, for servers say what they
 * were sent, and messages are cut. Also where they quoted it (%2F, \x2f, \u002f). */
void gpai_auth_blank(const char *header, char *text, size_t size);

#endif

#ifndef GPAI_HTML_POLICY_H
#define GPAI_HTML_POLICY_H
#include "base/text/text.h"

/* A content security policy that allows one style sheet and one script (NULL: none),
 * those with these very bytes, and nothing else: no network, no frames, no forms. */
void gpai_html_policy(gpa_text *t, const char *style, const char *script);

#endif

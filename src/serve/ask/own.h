#ifndef GPA_SERVE_ASK_OWN_H
#define GPA_SERVE_ASK_OWN_H
#include "serve/ask/asked.h"

/* The study of a question about rows of one's own. */
gpa_status own_open(struct asked *a, const gpai_options *given, const char *command,
                    gpa_model *model, gpa_error *err);

#endif

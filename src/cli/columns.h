#ifndef GPA_CLI_COLUMNS_H
#define GPA_CLI_COLUMNS_H
#include "cli/load.h"

/* Decides which columns are the target, the id and the model's inputs. */
gpa_status choose_columns(struct load *l, const struct args *a, gpa_error *err);

#endif

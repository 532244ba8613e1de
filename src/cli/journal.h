#ifndef GPA_CLI_JOURNAL_H
#define GPA_CLI_JOURNAL_H
#include "cli/shard.h"
#include <gpa/explain.h>

/* --journal DIR: every finished explanation, kept where a run that was killed finds it
 * again. Each process appends to a file of its own, which nobody else writes meanwhile;
 * all files of the folder are read. A record is whole or, at the end of a file that was
 * cut short, not there. */
struct journal;

/* Opens the folder, which is made when it is missing, for rows below n_rows. A journal
 * of another question is refused with what it differs in. *out is to be closed also
 * when this fails. */
gpa_status journal_open(struct journal **out, const char *folder,
                        const struct shard *shard, const char *question, size_t n_rows,
                        gpa_error *err);

/* Whether the explanation of a row (of several: their first) is there; it, to be freed.
 */
bool journal_has(const struct journal *j, size_t row);
gpa_status journal_get(struct journal *j, size_t row, gpa_explanation **out,
                       gpa_error *err);

/* Appends one; at once, so that a kill loses nothing that is finished, and on the disk
 * within a second. When that fails the file is as it was before. */
gpa_status journal_put(struct journal *j, size_t row, const gpa_explanation *e,
                       gpa_error *err);

/* All of it is on the disk. */
gpa_status journal_sync(struct journal *j, gpa_error *err);
void journal_close(struct journal *j); /* NULL is fine */

#endif

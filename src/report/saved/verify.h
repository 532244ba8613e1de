#ifndef GPAI_REPORT_SAVED_VERIFY_H
#define GPAI_REPORT_SAVED_VERIFY_H
#include <gpa/saved.h>

/* What `gpa verify` needs to make a saved result again and compare. */

/* The command that made it, word by word: "explain", "--model", …, "--", file. NULL at
 * the end; at once when the options were not saved. */
const char *gpai_saved_word(const gpa_saved *s, size_t i);

/* Whether it is but a part of a job. */
bool gpai_saved_is_shard(const gpa_saved *s);

/* The file as it is; borrowed. */
const char *gpai_saved_bytes(const gpa_saved *s, size_t *size);

/*
 * Where two results of the same kind first differ, as text for people appended to `t`;
 * nothing when they agree. Numbers are compared exactly, the layout of the text and the
 * version are not. Of pages the digests of the results are compared, then every byte
 * unless they were made by different versions.
 */
gpa_status gpai_saved_difference(gpa_text *t, const gpa_saved *a, const gpa_saved *b,
                                 gpa_error *err);

#endif

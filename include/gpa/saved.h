#ifndef GPA_SAVED_H
#define GPA_SAVED_H
#include <gpa/compare.h>
#include <gpa/explain.h>
#include <gpa/report.h>
#include <gpa/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A result that was saved, read back: JSON, or a page, of which only the receipt is
 * read. Files may come from anywhere: what is wrong with one is GPA_DATA. */
typedef struct gpa_saved gpa_saved;

typedef enum gpa_saved_kind {
    GPA_SAVED_EXPLANATIONS = 1, /* gpa-explanation/1 */
    GPA_SAVED_COMPARISON = 2,   /* gpa-comparison/1 */
    GPA_SAVED_PAGE = 3          /* HTML: nothing but the receipt */
} gpa_saved_kind;

/** Reads a file ("-": standard input). GPA_IO when it cannot be read, GPA_UNSUPPORTED
 * when it is a result of another kind. */
GPA_API GPA_CHECKED gpa_status gpa_saved_read(gpa_saved **out, const char *path,
                                              gpa_error *err);

/** The same from memory; `name` stands for the file in messages. */
GPA_API GPA_CHECKED gpa_status gpa_saved_parse(gpa_saved **out, const char *bytes,
                                               size_t size, const char *name,
                                               gpa_error *err);

GPA_API void gpa_saved_free(gpa_saved *s);
GPA_API gpa_saved_kind gpa_saved_type(const gpa_saved *s);

/** What reports say about the run, ready to be given to them; borrowed. `target` is
 * NULL where it was not saved, `background` unless it was saved in full. Of a page
 * `full` says whether it was made with both. */
GPA_API const gpa_report_info *gpa_saved_info(const gpa_saved *s);

/** How many explanations, compared rows or results of a page there are. */
GPA_API size_t gpa_saved_count(const gpa_saved *s);

/** The i-th explanation, to be freed. All its numbers are the very ones saved. */
GPA_API GPA_CHECKED gpa_status gpa_saved_explanation(gpa_explanation **out,
                                                     const gpa_saved *s, size_t i,
                                                     gpa_error *err);

/** The comparison, to be freed; GPA_UNSUPPORTED when it has a method that this library
 * does not know. */
GPA_API GPA_CHECKED gpa_status gpa_saved_comparison(gpa_comparison **out,
                                                    const gpa_saved *s, gpa_error *err);

/** A whole explanation as bytes behind what is in `t`, and back, to be freed: for
 * another process of the same version on the same kind of machine. Every number is the
 * very same, so that all reports are, too. Bytes that are not such are GPA_DATA. */
GPA_API GPA_CHECKED gpa_status gpa_explanation_pack(gpa_text *t,
                                                    const gpa_explanation *e,
                                                    gpa_error *err);
GPA_API GPA_CHECKED gpa_status gpa_explanation_unpack(gpa_explanation **out,
                                                      const char *bytes, size_t size,
                                                      gpa_error *err);

#ifdef __cplusplus
}
#endif
#endif

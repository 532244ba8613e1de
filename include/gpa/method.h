#ifndef GPA_METHOD_H
#define GPA_METHOD_H
#include <gpa/export.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a method needs and gives: one line of the paper's comparison chart. */
typedef struct gpa_method {
    const char *name;  /* as in --methods */
    const char *title; /* for people */
    bool training_data_free;
    bool baseline_free;
    bool sees_y;                 /* its answer depends on the observed y */
    bool distribution;           /* gives a distribution, not only a number */
    const char *gives;           /* one sentence */
    const char *label;           /* short, for tables and pictures: "LIME" */
    const char *reference_point; /* what its scores are measured from */
} gpa_method;

/** Number of methods in this library. */
GPA_API size_t gpa_method_count(void);

/** The i-th method; NULL beyond the last. */
GPA_API const gpa_method *gpa_method_at(size_t i);

/** The method of this name; NULL when there is none. */
GPA_API const gpa_method *gpa_method_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif

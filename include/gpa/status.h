#ifndef GPA_STATUS_H
#define GPA_STATUS_H
#include <gpa/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One list makes the enum and its text. Values are appended, never reused. */
#define GPA_STATUS_LIST(X)                                                             \
    X(OK, 0, "success")                                                                \
    X(INVALID, 1, "invalid argument")                                                  \
    X(IO, 2, "cannot read or write")                                                   \
    X(DATA, 3, "malformed or empty data")                                              \
    X(MODEL, 4, "the model failed")                                                    \
    X(NUMERIC, 5, "no finite number where one is needed")                              \
    X(NOMEM, 6, "out of memory")                                                       \
    X(UNSUPPORTED, 7, "not supported")                                                 \
    X(STOPPED, 8, "stopped by the caller")

/** What a call came to. Only GPA_OK is success. */
typedef enum gpa_status {
#define X(name, value, text) GPA_##name = value,
    GPA_STATUS_LIST(X)
#undef X
} gpa_status;

/**
 * Where a failing call leaves its one-line message. The caller owns it, on the stack or
 * anywhere else; every function that takes one also takes NULL.
 */
typedef struct gpa_error {
    gpa_status status;
    char message[480];
} gpa_error;

/** The general text of a status, in English; never NULL. */
GPA_API const char *gpa_status_text(gpa_status status);

#ifdef __cplusplus
}
#endif
#endif

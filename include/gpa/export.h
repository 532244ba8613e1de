#ifndef GPA_EXPORT_H
#define GPA_EXPORT_H

/* GPA_API marks what the shared library shows; everything else is hidden. */
#if defined(__GNUC__)
#define GPA_API     __attribute__((visibility("default")))
#define GPA_CHECKED __attribute__((warn_unused_result))
#else
#define GPA_API
#define GPA_CHECKED
#endif

#endif

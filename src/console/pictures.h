#ifndef GPA_CONSOLE_PICTURES_H
#define GPA_CONSOLE_PICTURES_H
#include <gpa/report.h>

/* The pictures there are of an explanation, by the names of their files. */
enum { PICTURES = 4 };

struct picture_kind {
    const char *name;
    gpa_status (*draw)(gpa_text *t, const gpa_report_info *info,
                       const gpa_explanation *e, gpa_error *err);
};

extern const struct picture_kind PICTURE_KINDS[PICTURES];

#endif

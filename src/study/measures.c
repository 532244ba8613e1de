#include "base/status.h"
#include "data/table.h"
#include "study/study.h"
#include <string.h>

/* What columns are called, and measured in: "bmi [kg/m2]" is bmi, in kg/m2. */

/* The name of a column without its unit, and the unit; both live as long as the study.
 */
static gpa_status split(gpa_study *s, size_t column, const char **called,
                        const char **measure, gpa_error *err)
{
    const char *unit, *name = gpa_table_name(s->table, column);
    size_t length = gpai_name_unit(name, &unit);
    *called = name;
    *measure = NULL;
    if (unit == NULL || !gpai_table_unique(s->table, column))
        return GPA_OK;
    *called = gpai_study_keep_text(s, name, length);
    *measure = gpai_study_keep_text(s, unit, strlen(unit) - 1);
    return *called != NULL && *measure != NULL ? GPA_OK : gpai_nomem(err, "study");
}

/* --units COL=UNIT, of an input or the target. */
static gpa_status take_unit(gpa_study *s, const char *text, gpa_error *err)
{
    size_t name, k = gpai_study_named(s, text, &name);
    const char *called = s->target_called != NULL ? s->target_called : "";
    size_t length = strlen(called);
    bool target =
        length > 0 && strncmp(text, called, length) == 0 && text[length] == '=';
    if (strchr(text, '=') == NULL)
        return gpai_fail(err, GPA_INVALID, "--units: '%.100s' is not COL=UNIT", text);
    if (k == s->d && !target)
        return gpai_study_find_input(s, "units", text, strcspn(text, "="), &k, err);
    const char *unit = text + (target && length > name ? length : name) + 1;
    *(target && length > name ? &s->target_measure : &s->measure[k]) =
        *unit != '\0' ? unit : NULL;
    return GPA_OK;
}

gpa_status gpai_study_take_measures(gpa_study *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (s->target != GPAI_NO_COLUMN)
        st = split(s, s->target, &s->target_called, &s->target_measure, err);
    for (size_t k = 0; k < s->d && st == GPA_OK; k++)
        st = split(s, s->columns[k], &s->called[k], &s->measure[k], err);
    for (size_t i = 0; i < s->given.repeats && st == GPA_OK; i++)
        if (s->given.repeat[i].option == OPT_UNITS)
            st = take_unit(s, s->given.repeat[i].text, err);
    return st;
}

#include "base/text/input.h"
#include "base/text/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *gpa_kind_name(gpa_kind kind)
{
    static const char *const NAMES[] = {"number", "whole", "flag", "choice", "held"};
    size_t i = (size_t)kind;
    return i < sizeof NAMES / sizeof NAMES[0] ? NAMES[i] : NULL;
}

size_t gpai_input_level(const gpa_input *in, double value)
{
    size_t from = 0, to = in->levels;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (in->level[middle] < value)
            from = middle + 1;
        else
            to = middle;
    }
    return from < in->levels && in->level[from] == value ? from : in->levels;
}

/* Years are counted from March on, in eras of 400 years: the leap day is then the last
 * day of a year, and every era has the same 146097 days. */
enum { ERA_YEARS = 400, ERA_DAYS = 146097, ERA_TO_1970 = 719468 };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

int64_t gpai_days_from_date(int64_t year, unsigned month, unsigned day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = floor_div(y, ERA_YEARS), in_era = y - era * ERA_YEARS;
    int64_t from_march = (month + 9) % 12;
    int64_t in_year = (153 * from_march + 2) / 5 + (int64_t)day - 1;
    return era * ERA_DAYS + in_era * 365 + in_era / 4 - in_era / 100 + in_year -
           ERA_TO_1970;
}

void gpai_date_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    int64_t z = days + ERA_TO_1970, era = floor_div(z, ERA_DAYS);
    int64_t in_era = z - era * ERA_DAYS;
    int64_t years = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * years + years / 4 - years / 100);
    int64_t from_march = (5 * in_year + 2) / 153;
    *day = (unsigned)(in_year - (153 * from_march + 2) / 5 + 1);
    *month = (unsigned)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = era * ERA_YEARS + years + (*month <= 2 ? 1 : 0);
}

/* Days and seconds as ISO 8601; a fraction of a day or second is cut off. */
static const char *date_text(double value, bool seconds, char room[GPAI_INPUT_ROOM])
{
    static const int64_t DAY = 86400;
    int64_t whole = (int64_t)floor(value), year;
    int64_t days = seconds ? floor_div(whole, DAY) : whole;
    unsigned month, day, rest = seconds ? (unsigned)(whole - days * DAY) : 0;
    gpai_date_from_days(days, &year, &month, &day);
    int used =
        snprintf(room, GPAI_INPUT_ROOM, "%04jd-%02u-%02u", (intmax_t)year, month, day);
    if (seconds && used > 0 && used < GPAI_INPUT_ROOM)
        snprintf(room + used, (size_t)(GPAI_INPUT_ROOM - used), " %02u:%02u:%02u",
                 rest / 3600, rest / 60 % 60, rest % 60);
    return room;
}

/* The fewest digits behind the point with which whole + 0.digits is `value` again. */
static void add_fraction(double value, char *out, size_t size)
{
    double whole = floor(value), power = 1, digits = 0;
    int n = 0;
    while (n < GPAI_FRACTION_MOST && whole + digits / power != value) {
        power *= 10;
        digits = floor((value - whole) * power + 0.5);
        digits = digits < power ? digits : power - 1;
        n++;
    }
    if (n > 0)
        snprintf(out, size, ".%0*ju", n, (uintmax_t)digits);
}

const char *gpai_input_exact(const gpa_input *in, double value,
                             char room[GPAI_INPUT_ROOM])
{
    const char *text = gpai_input_text(in, value, room);
    size_t length = strlen(text);
    bool named = text != room;
    if (!named && in->writing == GPA_WRITING_TIME && strchr(text, ':') != NULL)
        add_fraction(value, room + length, GPAI_INPUT_ROOM - length);
    return text;
}

const char *gpai_input_text(const gpa_input *in, double value,
                            char room[GPAI_INPUT_ROOM])
{
    static const double FAR = 1e12; /* beyond it no date makes sense */
    if (isnan(value))
        return "";
    size_t level = in->level_name != NULL ? gpai_input_level(in, value) : in->levels;
    if (level < in->levels)
        return in->level_name[level];
    bool date = in->writing == GPA_WRITING_DATE, time = in->writing == GPA_WRITING_TIME;
    if ((date || time) && fabs(value) < FAR)
        return date_text(value, time, room);
    gpai_number_text(value, room);
    return room;
}

void gpai_input_brief(const gpa_input *in, double value, char room[GPAI_REAL_SIZE])
{
    char text[GPAI_INPUT_ROOM];
    if (in != NULL && in->writing != GPA_WRITING_NUMBER)
        snprintf(room, GPAI_REAL_SIZE, "%s", gpai_input_text(in, value, text));
    else
        gpai_real_people(room, value, 3);
}

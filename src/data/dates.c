#include "data/dates.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/input.h"
#include "data/table.h"
#include <math.h>

/* Of so many texts all but one must be dates. */
enum { DATES_OF = 20, DAY = 86400 };

/* A number of `least` to `most` digits; -1, and nothing read, when there is none. */
static int digits(const char **p, int least, int most)
{
    const char *q = *p;
    int value = 0, n = 0;
    for (; n < most && *q >= '0' && *q <= '9'; n++)
        value = 10 * value + (*q++ - '0');
    if (n < least)
        return -1;
    *p = q;
    return value;
}

/* One character. */
static bool passed(const char **p, char c)
{
    if (**p != c)
        return false;
    ++*p;
    return true;
}

static bool read_day(const char **p, int64_t *days)
{
    static const int MOST[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int month, day, year = digits(p, 4, 4);
    if (year < 0 || !passed(p, '-') || (month = digits(p, 1, 2)) < 1 || month > 12 ||
        !passed(p, '-') || (day = digits(p, 1, 2)) < 1 || day > MOST[month - 1])
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    *days = gpai_days_from_date(year, (unsigned)month, (unsigned)day);
    return month != 2 || day < 29 || leap;
}

/* hh:mm[:ss[.f…]] as seconds; -1: it is none. */
static double read_clock(const char **p)
{
    int hours = digits(p, 2, 2), minutes, seconds = 0;
    double part = 0;
    if (hours < 0 || hours > 23 || !passed(p, ':') || (minutes = digits(p, 2, 2)) < 0 ||
        minutes > 59)
        return -1;
    if (passed(p, ':') && ((seconds = digits(p, 2, 2)) < 0 || seconds > 60))
        return -1;
    if (passed(p, '.'))
        for (double unit = 0.1; **p >= '0' && **p <= '9'; unit /= 10)
            part += unit * (*(*p)++ - '0');
    return 3600 * hours + 60 * minutes + seconds + part;
}

/* Z, +hh:mm, +hhmm, +hh or nothing: what to take off, in seconds. */
static bool read_offset(const char **p, double *seconds)
{
    bool west = **p == '-';
    int hours, minutes = 0;
    *seconds = 0;
    if (passed(p, 'Z') || **p == '\0')
        return true;
    if (!passed(p, west ? '-' : '+') || (hours = digits(p, 2, 2)) < 0)
        return false;
    if (passed(p, ':') || **p != '\0')
        minutes = digits(p, 2, 2);
    *seconds = (west ? -60.0 : 60.0) * (60 * hours + minutes);
    return hours <= 23 && minutes >= 0 && minutes <= 59;
}

bool gpai_date(const char *text, double *seconds, bool *time)
{
    const char *p = text;
    int64_t days = 0;
    double offset = 0, clock = 0;
    if (!read_day(&p, &days))
        return false;
    *time = *p != '\0';
    if (*time && !passed(&p, 'T') && !passed(&p, ' '))
        return false;
    if (*time && ((clock = read_clock(&p)) < 0 || !read_offset(&p, &offset)))
        return false;
    *seconds = (double)days * DAY + clock - offset;
    return *p == '\0';
}

bool gpai_date_elsewhere(const char *text)
{
    const char *p = text;
    int first = digits(&p, 1, 2), second;
    char mark = *p;
    if (first < 1 || first > 31 || (mark != '.' && mark != '/') || !passed(&p, mark))
        return false;
    if ((second = digits(&p, 1, 2)) < 1 || second > 31 || !passed(&p, mark))
        return false;
    bool month = first <= 12 || second <= 12;
    return month && digits(&p, 4, 4) >= 0 && (*p == '\0' || *p == ' ');
}

struct reading {
    size_t texts, dates, rows; /* rows: still to come, in both tables */
    bool times;
};

/* Whether there may still be enough dates. */
static bool hopeful(const struct reading *r)
{
    return DATES_OF * (r->texts - r->dates) <= r->texts + r->rows;
}

static bool read_table(struct reading *r, const gpa_table *t, size_t column,
                       double *value)
{
    for (size_t row = 0; row < t->n_rows && hopeful(r); row++) {
        bool time = false;
        value[row] = (double)NAN;
        r->rows--;
        if (gpai_table_missing(t, row, column))
            continue;
        if (gpa_table_is_numeric(t, column))
            return false;
        r->texts++;
        if (!gpai_date(gpa_table_text(t, row, column), &value[row], &time)) {
            value[row] = (double)NAN;
            continue;
        }
        r->dates++;
        r->times = r->times || time;
    }
    return hopeful(r);
}

gpa_status gpai_dates_open(gpai_dates *d, const gpa_table *t, size_t column,
                           const gpa_table *other, size_t other_column, gpa_error *err)
{
    size_t n = gpa_table_rows(t), rows = n + gpa_table_rows(other);
    struct reading r = {.rows = rows};
    *d = (gpai_dates){.value = gpai_calloc(rows, sizeof *d->value)};
    if (d->value == NULL)
        return gpai_nomem(err, "dates");
    bool all = read_table(&r, t, column, d->value) &&
               (other == NULL || read_table(&r, other, other_column, d->value + n));
    if (!all || r.dates == 0) {
        gpai_dates_close(d);
        return GPA_OK;
    }
    d->strays = r.texts - r.dates;
    d->writing = r.times ? GPA_WRITING_TIME : GPA_WRITING_DATE;
    for (size_t i = 0; i < rows && !r.times; i++)
        d->value[i] /= DAY;
    return GPA_OK;
}

void gpai_dates_close(gpai_dates *d)
{
    gpai_free(d->value);
    *d = (gpai_dates){.writing = GPA_WRITING_NUMBER};
}

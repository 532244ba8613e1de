#include "base/text/utf8.h"
#include "report/view.h"
#include "report/write.h"
#include <math.h>
#include <string.h>

enum { ID_COLUMNS = 24 };
enum column { ROW, ID, Y, F, GAP, SIGMAS, SCORE, COLUMNS };

struct sheet {
    const gpa_report_info *info;
    const gpa_score_list *list;
    int decimals; /* of f and y - f */
    size_t width[COLUMNS];
};

static void cell(gpa_text *t, const struct sheet *s, size_t row, enum column c)
{
    char number[GPAI_REAL_SIZE], room[GPAI_NAME_SIZE];
    double y = s->list->sample->y[row], f = s->list->sample->f[row];
    bool ascii = s->info->ascii;
    switch (c) {
    case ROW:
        gpai_text_printf(t, "%zu", row);
        return;
    case ID:
        gpai_text_visible(t, gpai_name_row(s->info, row, room), ID_COLUMNS, ascii);
        return;
    case Y:
        gpai_number_text(y, number);
        if (strlen(number) > 9)
            gpai_real_people(number, y, 6);
        break;
    case F:
    case GAP:
        gpai_real_fixed(number, c == F ? f : y - f, s->decimals);
        break;
    case SIGMAS:
        gpai_real_fixed(number, (y - f) / s->list->sigma, 2);
        break;
    case SCORE:
    case COLUMNS:
        gpai_real_fixed(number, s->list->score[row], 3);
        break;
    }
    gpai_text_minus(t, number, c == GAP || c == SIGMAS, ascii);
}

/* A row of scores, or with `heads` their headings; only the id stands to the left. */
static void line(gpa_text *t, const struct sheet *s, size_t row,
                 const char *const *heads)
{
    for (enum column c = ROW; c < COLUMNS; c++) {
        if (c == ID && s->info->ids == NULL)
            continue;
        gpai_text_add(t, "  ");
        size_t start = t->length;
        if (heads != NULL)
            gpai_text_add(t, heads[c]);
        else
            cell(t, s, row, c);
        size_t pad = s->width[c] - gpai_utf8_width(t->data + start);
        if (c == ID) {
            gpai_text_repeat(t, " ", pad);
        } else {
            t->length = start; /* again, now that the padding is known */
            gpai_text_repeat(t, " ", pad);
            if (heads != NULL)
                gpai_text_add(t, heads[c]);
            else
                cell(t, s, row, c);
        }
    }
    gpai_text_add(t, "\n");
}

static void widen(size_t *width, gpa_text *t, size_t start)
{
    size_t w = gpai_utf8_width(t->data + start);
    *width = w > *width ? w : *width;
    gpai_text_cut(t, start);
}

/* Every cell is written, measured and taken back. */
static void lay_out(gpa_text *t, struct sheet *s, const char *const *heads)
{
    const gpa_sample *all = s->list->sample;
    double largest = 0;
    for (size_t i = 0; i < s->list->n_shown; i++)
        largest = fmax(largest, fabs(all->f[s->list->order[i]]));
    s->decimals = gpai_decimals(largest, 5);
    for (enum column c = ROW; c < COLUMNS; c++) {
        s->width[c] = gpai_utf8_width(heads[c]);
        for (size_t i = 0; i < s->list->n_shown; i++) {
            size_t start = t->length;
            cell(t, s, s->list->order[i], c);
            widen(&s->width[c], t, start);
        }
    }
}

static void about(gpa_text *t, const gpa_score_list *list)
{
    char number[GPAI_REAL_SIZE];
    gpai_real_people(number, list->sigma, 5);
    gpai_text_printf(t, "%zu of %zu rows, worst first; sigma %s", list->n_shown,
                     list->sample->n, number);
    if (isfinite(list->collective)) {
        gpai_real_people(number, list->collective, 4);
        gpai_text_printf(t, ", mean score %s", number);
    }
    gpai_text_add(t, "\n\n");
}

void gpai_table_scores(gpa_text *t, const gpa_report_info *info,
                       const gpa_score_list *list)
{
    const char *const heads[COLUMNS] = {
        "row", "id", "y", "f", info->ascii ? "y - f" : "y − f", "in sigma", "score"};
    struct sheet s = {.info = info, .list = list};
    lay_out(t, &s, heads);
    about(t, list);
    gpai_text_add(t, info->colour ? "\033[2m" : "");
    line(t, &s, 0, heads);
    gpai_text_add(t, info->colour ? "\033[0m" : "");
    for (size_t i = 0; i < list->n_shown; i++)
        line(t, &s, list->order[i], NULL);
}

#include "base/text/utf8.h"
#include "report/table/sheet.h"
#include "report/view.h"
#include "report/words/sentence.h"
#include "report/write.h"
#include <math.h>

enum { USUAL = 100 };

/* Columns of a line of the table. */
static size_t table_columns(const gpa_report_info *info)
{
    return gpai_line_columns(info, USUAL);
}

static void setting(gpa_text *t, const gpai_view *v, const char *name, double x)
{
    if (isfinite(x))
        gpai_text_printf(t, "%s %s  ", name, gpai_say_number(v, x, 5).text);
}

static void settings(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    setting(t, v, "eta", s->eta);
    setting(t, v, "nu", s->nu);
    setting(t, v, "a0", s->a0);
    if (v->n == 1 || s->noise != GPA_NOISE_LOCAL)
        setting(t, v, "b", v->b[0]);
    else
        gpai_text_add(t, "b local  ");
    setting(t, v, "sigma", s->sigma);
    setting(t, v, "c_b", s->cb);
    gpai_text_printf(t, "solver %s  marginals %s", gpa_solver_name(s->solver),
                     gpa_marginals_name(s->marginals));
}

/* One sentence of the small print, on lines of its own. */
static void small(gpa_text *t, const gpai_view *v,
                  void (*say)(gpa_text *, const gpai_view *))
{
    gpai_paint(t, v->info, GPAI_DIM);
    size_t start = t->length;
    gpai_text_add(t, "  ");
    say(t, v);
    gpai_text_wrap(t, start, table_columns(v->info), 4);
    gpai_line_end(t, v->info);
}

static void settings_and_cost(gpa_text *t, const gpai_view *v)
{
    gpai_text_add(t, "\n");
    small(t, v, settings);
    small(t, v, gpai_say_rows_asked);
    small(t, v, gpai_say_search);
}

/* A paragraph of sentences. */
static void say(gpa_text *t, const gpai_view *v, gpai_colour_code colour,
                void (*const *words)(gpa_text *, const gpai_view *), size_t n)
{
    gpai_paint(t, v->info, colour);
    size_t start = t->length;
    for (size_t i = 0; i < n; i++)
        words[i](t, v);
    gpai_text_wrap(t, start, gpai_prose_columns(v->info, USUAL), 0);
    gpai_line_end(t, v->info);
}

static void colon(gpa_text *t, const gpai_view *v)
{
    (void)v;
    gpai_text_add(t, ": ");
}

/* The answer first, then what was observed. */
static void sentences(gpa_text *t, const gpai_view *v)
{
    static void (*const first[])(gpa_text *, const gpai_view *) = {gpai_say_rows, colon,
                                                                   gpai_say_first};
    static void (*const what[])(gpa_text *, const gpai_view *) = {gpai_say_what};
    static void (*const why[])(gpa_text *, const gpai_view *) = {gpai_say_why,
                                                                 gpai_say_learnt};
    bool verdict = v->c != NULL || v->unanswered != NULL;
    say(t, v, verdict ? GPAI_BOLD : GPAI_PLAIN, first, 3);
    if (verdict)
        say(t, v, GPAI_PLAIN, what, 1);
    if (v->c == NULL)
        say(t, v, GPAI_PLAIN, why, 2);
    gpai_text_add(t, "\n");
}

static void note(gpa_text *t, const gpa_report_info *info, const char *words)
{
    size_t start = t->length;
    gpai_text_add(t, "  note: ");
    gpai_text_visible(t, words, 0, info->ascii);
    gpai_text_wrap(t, start, table_columns(info), 4);
    gpai_text_add(t, "\n");
}

/* What holds for the whole table: before several explanations, beside a single one. */
void gpai_table_begin(gpa_text *t, const gpa_report_info *info,
                      const gpa_explanation *e)
{
    (void)e;
    for (size_t i = 0; info->explanations > 1 && i < info->n_notes; i++)
        note(t, info, info->notes[i]);
    gpai_text_add(t, info->explanations > 1 && info->n_notes > 0 ? "\n" : "");
}

/* What the table rests on, where that are rows, and what is to be known of its values.
 */
static void basis(gpa_text *t, const gpai_view *v)
{
    bool rows = v->c->plausible_rows > 0;
    if (rows)
        gpai_say_basis(t, v);
    size_t end = t->length;
    gpai_text_add(t, rows ? "; " : "");
    size_t start = t->length;
    gpai_say_short(t, v);
    if (t->length == start)
        gpai_text_cut(t, end);
}

static bool has_basis(gpa_text *t, const gpai_view *v)
{
    size_t start = t->length;
    if (v->c != NULL)
        basis(t, v);
    bool any = t->length > start;
    gpai_text_cut(t, start);
    return any;
}

/* How sure it is: what it rests on, and all that changes the reading. */
static void how_sure(gpa_text *t, const gpai_view *v, bool first)
{
    const gpa_report_info *info = v->info;
    size_t start = t->length;
    gpai_text_add(t, "\n");
    size_t begun = t->length;
    if (has_basis(t, v))
        small(t, v, basis);
    for (size_t i = 0; gpa_explanation_note(v->e, i) != NULL; i++)
        note(t, info, gpa_explanation_note(v->e, i));
    for (size_t i = 0; first && info->explanations < 2 && i < info->n_notes; i++)
        note(t, info, info->notes[i]);
    if (t->length == begun)
        gpai_text_cut(t, start);
}

/* The change of all inputs together, which is another question, beside the verdict. */
static void all_together(gpa_text *t, const gpai_view *v, bool first)
{
    static void (*const words[])(gpa_text *, const gpai_view *) = {
        gpai_say_why, gpai_say_joint, gpai_say_learnt};
    gpai_text_add(t, "\n");
    gpai_paint(t, v->info, GPAI_BOLD);
    gpai_text_add(t, "the joint change: all inputs together");
    gpai_line_end(t, v->info);
    say(t, v, GPAI_PLAIN, words, 3);
    gpai_text_add(t, "\n");
    gpai_table_change(t, v, table_columns(v->info), first);
}

/* What the columns of the first table mean. */
static void legend(gpa_text *t, const gpai_view *v)
{
    size_t start = t->length;
    gpai_paint(t, v->info, GPAI_DIM);
    gpai_text_add(t, "  ");
    gpai_say_legend(t, v);
    gpai_text_wrap(t, start, table_columns(v->info), 2);
    gpai_line_end(t, v->info);
}

gpa_status gpai_table_explanation(gpa_text *t, const gpai_view *v, size_t index,
                                  gpa_error *err)
{
    bool first = index == 0, verbose = v->info->verbose;
    (void)err;
    gpai_text_add(t, first ? "" : "\n\n");
    sentences(t, v);
    if (v->c != NULL)
        gpai_table_who(t, v, table_columns(v->info));
    else
        gpai_table_change(t, v, table_columns(v->info), first && verbose);
    how_sure(t, v, first);
    if (!verbose)
        return GPA_OK;
    if (v->c != NULL) {
        gpai_text_add(t, first ? "\n" : "");
        if (first)
            legend(t, v);
        all_together(t, v, first);
    }
    settings_and_cost(t, v);
    return GPA_OK;
}

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
    char room[GPAI_NAME_SIZE], number[GPAI_REAL_SIZE];
    double y = s->list->sample->y[row], f = s->list->sample->f[row];
    bool ascii = s->info->ascii;
    if (c == ROW) {
        gpai_text_printf(t, "%zu", row);
    } else if (c == ID) {
        gpai_text_visible(t, gpai_name_row(s->info, row, room), ID_COLUMNS, ascii);
    } else if (c == Y) {
        gpai_text_add(t, gpai_cell_observed(y, ascii).text);
    } else {
        const double value[COLUMNS] = {[F] = f,
                                       [GAP] = y - f,
                                       [SIGMAS] = (y - f) / s->list->sigma,
                                       [SCORE] = s->list->score[row]};
        const int decimals[COLUMNS] = {
            [F] = s->decimals, [GAP] = s->decimals, [SIGMAS] = 2, [SCORE] = 3};
        gpai_real_fixed(number, value[c], decimals[c]);
        gpai_text_add(t, gpai_cell_of(number, c == GAP || c == SIGMAS, ascii).text);
    }
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
        gpai_line_pad(t, start, s->width[c], c != ID);
    }
    gpai_text_add(t, "\n");
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
            size_t width = gpai_utf8_width(t->data + start);
            s->width[c] = width > s->width[c] ? width : s->width[c];
            gpai_text_cut(t, start);
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
    gpai_paint(t, info, GPAI_DIM);
    line(t, &s, 0, heads);
    gpai_paint(t, info, GPAI_PLAIN);
    for (size_t i = 0; i < list->n_shown; i++)
        line(t, &s, list->order[i], NULL);
}

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "base/text/text.h"
#include "data/json.h"
#include "data/packed/unpack.h"
#include "study/jobs/question.h"
#include "study/study.h"
#include <math.h>
#include <string.h>

/* --scores: what `gpa score --json` learnt about every row is not asked again. */

struct scored {
    gpa_study *s;
    const char *name; /* of the file, fit to be shown */
    gpai_json_scan scan;
    size_t n; /* rows that it has so far */
    gpa_error *err;
};

static gpa_status not_scores(const struct scored *r, const char *what)
{
    return gpai_fail(r->err, GPA_DATA,
                     "%s: %s; 'gpa score --json --out' writes what --scores takes",
                     r->name, what);
}

/* One {"row":…,"f":…,…}, whose bracket is open. */
static gpa_status read_row(struct scored *r)
{
    double row = (double)NAN, f = (double)NAN;
    gpa_status st = GPA_OK;
    for (bool first = true;; first = false) {
        gpai_token key, colon, value;
        st = gpai_json_item(&r->scan, '}', first, &key, r->err);
        if (st != GPA_OK || key.kind == '}')
            break;
        st = gpai_json_next(&r->scan, &colon, r->err);
        if (st == GPA_OK)
            st = gpai_json_next(&r->scan, &value, r->err);
        if (st != GPA_OK)
            break;
        if (key.kind != 's' || colon.kind != ':' || strchr("snw", value.kind) == NULL)
            return not_scores(r, "a row that is not as it was written");
        double *to = key.length == 3 && memcmp(key.text, "row", 3) == 0 ? &row
                     : key.length == 1 && key.text[0] == 'f'            ? &f
                                                                        : NULL;
        if (to != NULL && value.kind == 'n')
            (void)gpai_number(value.text, value.length, to);
    }
    if (st != GPA_OK)
        return st;
    if (!(row >= 0 && row < (double)r->s->n) || row != floor(row) || !isfinite(f))
        return not_scores(r, "a row that is not in the data, or has no prediction");
    if (!isnan(r->s->f[(size_t)row]))
        return not_scores(r, "a row that is there twice");
    r->s->f[(size_t)row] = f;
    r->n++;
    return GPA_OK;
}

static gpa_status read_rows(struct scored *r)
{
    gpai_token token;
    gpa_status st = GPA_OK;
    for (bool first = true; st == GPA_OK; first = false) {
        st = gpai_json_item(&r->scan, ']', first, &token, r->err);
        if (st != GPA_OK || token.kind == ']')
            break;
        st = token.kind == '{' ? read_row(r)
                               : not_scores(r, "\"rows\" is no list of rows");
    }
    return st;
}

/* Finds the list "rows" of the outermost object and reads it; *gap: where it stands.
 */
static gpa_status find_rows(struct scored *r, const char **gap, size_t *size)
{
    gpai_token token, before = {.kind = 0};
    size_t depth = 0;
    for (;;) {
        gpa_status st = gpai_json_next(&r->scan, &token, r->err);
        if (st != GPA_OK || token.kind == 0)
            return st;
        bool rows = depth == 1 && token.kind == ':' && before.kind == 's' &&
                    before.length == 4 && memcmp(before.text, "rows", 4) == 0;
        before = token;
        depth += token.kind == '{' || token.kind == '[';
        depth -= depth > 0 && (token.kind == '}' || token.kind == ']');
        if (!rows || *gap != NULL)
            continue;
        st = gpai_json_next(&r->scan, &token, r->err);
        if (st == GPA_OK && token.kind != '[')
            return not_scores(r, "\"rows\" is no list of rows");
        *gap = token.text;
        if (st == GPA_OK)
            st = read_rows(r);
        *size = (size_t)(r->scan.at - *gap);
        if (st != GPA_OK)
            return st;
    }
}

/* The rows that were left out then, each for its reason. */
static gpa_status read_left_out(struct scored *r, const gpai_value *list)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < gpai_value_items(list) && st == GPA_OK; i++) {
        const gpai_value *one = gpai_value_get(gpai_value_at(list, i), "row");
        const char *name =
            gpai_value_text(gpai_value_get(gpai_value_at(list, i), "why"));
        int64_t row = gpai_value_whole(one);
        int why = 1;
        while (name != NULL && gpai_study_unfit_name(why) != NULL &&
               strcmp(gpai_study_unfit_name(why), name) != 0)
            why++;
        if (!gpai_value_is_whole(one) || row < 0 || (size_t)row >= r->s->n ||
            !isnan(r->s->f[row]) || name == NULL || gpai_study_unfit_name(why) == NULL)
            return not_scores(r, "\"left_out\" has a row that is none");
        if (r->s->unfit[row] == 0)
            st = gpai_study_leave_out(r->s, (size_t)row, why, r->err);
    }
    return st;
}

/* What predictions and sigma depend on must be as it was then. */
static gpa_status check_options(struct scored *r, const gpai_value *then)
{
    static const enum option_id FREE[] = {OPT_ROWS, OPT_TOP, OPT_THRESHOLD,
                                          OPT_ALL_ROWS, OPT_UNITS};
    gpa_text *t = NULL;
    gpai_value *now = NULL;
    gpa_status st = gpa_text_new(&t, r->err);
    if (st == GPA_OK) {
        gpai_options_record(t, &r->s->given, NULL);
        st = gpai_text_seal(t, 0, r->err);
    }
    if (st == GPA_OK)
        st = gpai_json_parse(&now, gpa_text_data(t), gpa_text_length(t), "options",
                             r->err);
    for (int i = 0; i < OPTIONS && st == GPA_OK; i++) {
        const gpai_option *o = &GPAI_OPTIONS[i];
        bool is_free = o->name == NULL || !o->kept || (o->commands & IN_SCORE) == 0;
        for (size_t k = 0; k < sizeof FREE / sizeof FREE[0]; k++)
            is_free = is_free || i == (int)FREE[k];
        if (!is_free && !gpai_question_agree(gpai_value_get(now, o->name),
                                             gpai_value_get(then, o->name)))
            st = gpai_fail(r->err, GPA_DATA,
                           "%s: made with another --%s than is asked for now", r->name,
                           o->name);
    }
    gpai_value_free(now);
    gpa_text_free(t);
    return st;
}

static gpa_status check_head(struct scored *r, const gpai_value *head)
{
    gpa_study *s = r->s;
    const char *format = gpai_value_text(gpai_value_get(head, "format"));
    const char *data = gpai_value_text(gpai_value_get(head, "input_digest"));
    const char *model = gpai_value_text(gpai_value_get(head, "model_probe_digest"));
    const char *now = gpa_table_digest(s->table);
    if (format == NULL || strcmp(format, "gpa-scores/1") != 0)
        return not_scores(r, "not gpa-scores/1");
    if (data == NULL || model == NULL || strlen(model) != GPA_DIGEST_SIZE - 1)
        return not_scores(r, "without digests of data and model");
    if (now == NULL || strcmp(data, now) != 0)
        return gpai_fail(r->err, GPA_DATA, "%s: scores of other data than %.200s",
                         r->name, s->given.file != NULL ? s->given.file : "these");
    gpa_status st = check_options(r, gpai_value_get(head, "options"));
    if (st == GPA_OK)
        st = read_left_out(r, gpai_value_get(head, "left_out"));
    if (st != GPA_OK)
        return st;
    if (r->n + s->n_unfit != s->n)
        return gpai_fail(r->err, GPA_DATA,
                         "%s: %zu of %zu rows; score all of them, without --rows, "
                         "--top or --threshold",
                         r->name, r->n, s->n);
    memcpy(s->model_digest, model, GPA_DIGEST_SIZE);
    char digest[GPA_DIGEST_SIZE];
    gpa_digest(s->f, s->n * sizeof *s->f, digest);
    if (s->n_unfit == 0 && strcmp(digest, model) != 0)
        return not_scores(r, "predictions that are not as they were written");
    return GPA_OK;
}

gpa_status gpai_study_take_scored(gpa_study *s, gpa_error *err)
{
    enum { MANY = 2000000000 };
    const char *path = s->given.text[OPT_SCORES], *gap = NULL;
    gpai_shown shown = gpai_show_path(path);
    struct scored r = {.s = s, .name = shown.text, .err = err};
    char *bytes = NULL;
    size_t size = 0, gap_size = 0;
    gpai_value *head = NULL;
    gpa_status st = gpai_slurp_unpacked(&bytes, &size, path, MANY, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < s->n; i++)
        s->f[i] = (double)NAN;
    r.scan =
        (gpai_json_scan){.at = bytes, .end = bytes + size, .line = 1, .source = r.name};
    if (bytes[strspn(bytes, " \t\r\n")] != '{')
        st = not_scores(&r, "no JSON");
    if (st == GPA_OK)
        st = find_rows(&r, &gap, &gap_size);
    if (st == GPA_OK && gap == NULL)
        st = not_scores(&r, "without \"rows\"");
    if (st == GPA_OK)
        st = gpai_json_parse_around(&head, bytes, size, gap, gap_size, r.name, err);
    if (st == GPA_OK)
        st = check_head(&r, head);
    gpai_value_free(head);
    gpai_free(bytes);
    return st;
}

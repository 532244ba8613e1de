#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "console/args.h"
#include "console/terminal.h"
#include "data/packed/unpack.h"
#include "watch/counters.h"
#include "watch/lines/feed.h"
#include "watch/metrics.h"
#include "watch/place.h"
#include "watch/state.h"
#include "watch/watch.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_END = 4096 }; /* bytes of a long line by which it is known again */

/* A signal asks us to end: a byte in this pipe, whose ends the handler must know. */
static volatile sig_atomic_t ending;
static volatile int wake[2];

static void on_end(int number)
{
    int kept = errno;
    (void)number;
    if (ending)
        _exit(EXIT_STOPPED); /* asked twice */
    ending = 1;
    (void)!write(wake[1], "", 1);
    errno = kept;
}

static gpa_status catch_signals(gpa_error *err)
{
    static const int ENDS[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction act = {.sa_handler = on_end}, old;
    int ends[2];
    if (pipe(ends) != 0)
        return gpai_fail(err, GPA_IO, "no pipe: %s", strerror(errno));
    for (size_t i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
        wake[i] = ends[i];
    }
    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
        if (sigaction(ENDS[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ENDS[i], &act, NULL);
    return GPA_OK;
}

/* The rows that say what is normal, and all that follows from them. */
static gpa_status open_normal(struct watch *w, gpa_error *err)
{
    size_t id;
    gpai_options *o = &w->explain;
    o->given[OPT_THRESHOLD] = o->given[OPT_REFERENCE] = false;
    o->text[OPT_REFERENCE] = NULL;
    if (gpai_options_is(o, OPT_SCALE, "reference")) /* it is the data of this study */
        o->given[OPT_SCALE] = false;
    if (o->given[OPT_ID] &&
        gpa_table_find(w->reference, o->text[OPT_ID], &id, NULL) != GPA_OK)
        o->given[OPT_ID] = false; /* only new rows have names */
    gpa_status st = gpai_study_from(&w->base, o, err);
    if (st != GPA_OK)
        return st;
    gpa_study_set_table(w->base, w->reference);
    st = gpa_study_open(w->base, err);
    for (size_t i = 0; gpa_study_note(w->base, i) != NULL; i++)
        say("%s", gpa_study_note(w->base, i));
    if (st == GPA_OK)
        st = fields_open(&w->fields, w->base, w->a->text[OPT_ID], err);
    if (st == GPA_OK)
        st = judge_open(&w->judge, w->base, o, w->a, err);
    if (st == GPA_OK && w->a->given[OPT_ID] && !seen_open(&w->seen))
        st = gpai_nomem(err, "watch");
    if (st == GPA_OK && w->a->given[OPT_WAIT])
        st = halves_open(&w->halves, w->base->d, w->a->text[OPT_WAIT], err);
    w->open = st == GPA_OK;
    return st;
}

static void say_normal(const struct watch *w)
{
    char sigma[GPAI_REAL_SIZE], threshold[GPAI_REAL_SIZE];
    const struct normal *n = &w->judge.normal;
    size_t strange = normal_strange(n);
    gpai_real_digits(sigma, n->now.sigma, 5);
    gpai_real_digits(threshold, n->force.threshold, 4);
    say("%s; sigma %s; an anomaly is a row with a score above %s%s, as %zu of the %zu "
        "rows that say what is normal have",
        w->base->taken, sigma, threshold,
        isnan(n->given) ? " (a deviation of 4 sigma)" : "", strange, n->n);
    if (20 * strange > n->n)
        say("that are many: --threshold S would set another limit");
}

/* Whether the first row is one of names: in every other y is a number. */
static bool begins_with_names(const gpa_table *t)
{
    double value;
    for (size_t k = 0; k < gpa_table_columns(t); k++) {
        const char *cell = gpa_table_text(t, 0, k);
        if (cell == NULL || gpai_number(cell, strlen(cell), &value) == GPAI_NUMBER)
            return false;
    }
    return true;
}

/* --no-header is about the lines: the reference may have one, and then says what the
 * columns are called. */
static gpa_status read_reference(struct watch *w, gpa_error *err)
{
    const char *path = w->explain.file = w->a->text[OPT_REFERENCE];
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.text_column = w->a->text[OPT_ID];
    opt.no_header = w->a->given[OPT_NO_HEADER];
    gpa_status st = gpa_table_read(&w->reference, path, &opt, err);
    if (st == GPA_OK && opt.no_header && begins_with_names(w->reference)) {
        opt.no_header = false;
        gpa_table_free(w->reference);
        st = gpa_table_read(&w->reference, path, &opt, err);
    }
    if (st == GPA_OK)
        st = open_normal(w, err);
    if (st == GPA_OK)
        say_normal(w);
    return st;
}

/* Everything said so far goes out at once: whoever reads waits for it. */
static gpa_status write_out(void *ctx, gpa_error *err)
{
    struct watch *w = ctx;
    if (!w->open)
        return GPA_OK;
    w->written += w->judge.records.text->length;
    return out_text(&w->out, w->judge.records.text, err);
}

/* --state, when it is time. A full disk is said once, and the watch goes on: the old
 * state is still there. At the end it is an error. */
static gpa_status save(struct watch *w, bool last, gpa_error *err)
{
    double every = w->a->given[OPT_SAVE_EVERY] ? w->a->real[OPT_SAVE_EVERY] : 10;
    gpa_error why = {0};
    if (w->state == NULL || !w->open ||
        (!last && (!w->unsaved || seconds_now() - w->saved < every)))
        return GPA_OK;
    gpa_status st = state_save(w, &why);
    w->saved = seconds_now();
    w->unsaved = st != GPA_OK;
    if (st != GPA_OK && last)
        return gpai_fail(err, st, "--state: %s", why.message);
    if (st != GPA_OK && w->save_failures++ == 0)
        say("--state: %s; what was saved before stays, and it is tried again",
            why.message);
    return GPA_OK;
}

static gpa_status judge_now(struct watch *w, gpa_error *err)
{
    w->unsaved = w->unsaved || w->judge.n > 0;
    gpa_status st = judge_all(&w->judge, err);
    if (st == GPA_OK)
        st = write_out(w, err);
    return st == GPA_OK && !w->judge.warming ? save(w, false, err) : st;
}

/* Whether a row has all it needs; `why` says what it lacks. */
static enum trouble check_row(const struct watch *w, const struct fields_row *row,
                              gpa_error *why)
{
    const gpa_study *s = w->base;
    size_t k = 0;
    if (w->fields.id_name != NULL && row->id_length == 0) {
        (void)gpai_fail(why, GPA_DATA, "no value of the --id '%.80s'",
                        w->fields.id_name);
        return MISSING_VALUE;
    }
    while (k < s->d && !isnan(row->x[k]))
        k++;
    bool refused = k < s->d && (!row->any || gpa_model_refuses_missing(s->model));
    if (refused || isnan(row->y)) {
        (void)gpai_fail(why, GPA_DATA, "no value of '%.80s'",
                        refused ? s->inputs[k] : gpa_study_target(s));
        return MISSING_VALUE;
    }
    return FINE;
}

/* Halves that wait no longer are said: because of a line, or at the end. */
static void give_up_halves(struct watch *w, bool all)
{
    enum { AT_ONCE = BATCH_ROWS }; /* the others with the next line */
    struct half *x;
    for (size_t i = 0; i < AT_ONCE; i++) {
        x = all ? halves_oldest(&w->halves)
                : halves_late(&w->halves, w->taken, seconds_now());
        if (x == NULL)
            return;
        judge_late(&w->judge, x->has_x ? NO_Y : NO_ROW, x->id,
                   x->has_x ? "its y has not come" : "its inputs have not come", 1);
        halves_drop(&w->halves, x);
    }
}

/* With --wait: half a row waits for the other half, or completes it. *waits: it does.
 */
static enum trouble join(struct watch *w, struct fields_row *row, uint64_t key,
                         bool *waits)
{
    bool has_x = row->any, has_y = !isnan(row->y);
    struct half *other = halves_find(&w->halves, key);
    *waits = false;
    w->taken += has_x;
    if ((!has_x && !has_y) || (has_x && has_y && other == NULL))
        return FINE; /* what is missing is found later */
    if (other != NULL && !(has_x && has_y) && other->has_x == has_x)
        return DUPLICATE;
    *waits = other == NULL;
    if (other == NULL) {
        struct half half = {.key = key,
                            .at = w->taken,
                            .time = seconds_now(),
                            .has_x = has_x,
                            .y = row->y};
        memcpy(half.id, row->id, sizeof half.id);
        halves_add(&w->halves, &half, row->x);
        return FINE;
    }
    if (!has_x)
        memcpy(row->x, half_x(&w->halves, other), w->base->d * sizeof *row->x);
    if (!has_y)
        row->y = other->y;
    row->any = true;
    halves_drop(&w->halves, other);
    return FINE;
}

/* Rows with names: have they come before? Do they wait? */
static enum trouble look_up(struct watch *w, struct fields_row *row, bool *waits,
                            gpa_error *why)
{
    enum trouble t = FINE;
    uint64_t key = map_key(row->id, row->id_length);
    if (w->fields.id_name == NULL || row->id_length == 0)
        return check_row(w, row, why);
    if (seen_before(&w->seen, key))
        t = DUPLICATE;
    else if (w->halves.half != NULL)
        t = join(w, row, key, waits);
    if (t == DUPLICATE)
        (void)gpai_fail(why, GPA_DATA, "a row of this name came before");
    if (t != FINE || *waits)
        return t;
    t = check_row(w, row, why);
    if (t == FINE)
        seen_add(&w->seen, key);
    return t;
}

/* The first line: a header, or a row. A state knows the header that there was, so that
 * the lines may go on without one. */
static gpa_status begin_lines(struct watch *w, const struct line *line, bool *header,
                              gpa_error *err)
{
    const gpa_text *t = w->header;
    struct line known = {t->data, t->length, t->length, false};
    bool again =
        t->length == line->length && memcmp(t->data, line->text, line->length) == 0;
    bool before = t->length > 0 && !again && !line_is_json(line);
    gpa_status st = fields_begin(&w->fields, before ? &known : line, header, err);
    w->begun = st == GPA_OK;
    if (st == GPA_OK && *header && t->length == 0)
        gpai_text_bytes(w->header, line->text, line->length);
    *header = *header && !before;
    return st;
}

static gpa_status take_line(struct watch *w, const struct line *line, gpa_error *err)
{
    struct fields_row row = {.x = judge_room(&w->judge)};
    gpa_error why = {0};
    bool header = false, waits = false;
    w->position.number++;
    if (!w->begun && !line_is_blank(line) && !line->cut) {
        gpa_status st = begin_lines(w, line, &header, err);
        if (st != GPA_OK || header)
            return st;
    }
    enum trouble t = fields_read(&w->fields, line, &row, &why);
    if (t != FINE && fields_again(&w->fields, line)) {
        gpa_text_clear(w->header);
        gpai_text_bytes(w->header, line->text, line->length);
        return GPA_OK;
    }
    if (t == FINE)
        t = look_up(w, &row, &waits, &why);
    if (w->halves.half != NULL)
        give_up_halves(w, false);
    judge_add(&w->judge, t, waits, w->position.number, row.id, why.message, row.y);
    return judge_full(&w->judge) ? judge_now(w, err) : GPA_OK;
}

/* The first lines are enough: what is normal is known now, and they are scored. */
static gpa_status end_warm_up(struct watch *w, gpa_error *err)
{
    const gpa_text *raw = w->warm.raw;
    bool enough = warm_enough(&w->warm); /* rows with words are taken out below */
    gpa_status st = warm_table(&w->warm, &w->reference, err);
    w->explain.file = "-";
    if (st == GPA_OK)
        st = open_normal(w, err);
    if (st != GPA_OK)
        return st;
    if (enough)
        say("the first %ju rows say what is normal", (uintmax_t)w->warm.good);
    else
        say("the first %ju rows say what is normal, as the lines end before --warm-up "
            "%ju is reached",
            (uintmax_t)w->warm.good, (uintmax_t)w->warm.wanted);
    say_normal(w);
    w->judge.warming = true;
    const char *last = raw->data + raw->length, *end;
    for (const char *p = raw->data; st == GPA_OK && p < last; p = end + 1) {
        end = memchr(p, '\n', (size_t)(last - p)); /* there is one behind each */
        struct line line = {p, (size_t)(end - p), (size_t)(end - p) + 1,
                            end - p >= LINE_MOST};
        st = take_line(w, &line, err);
    }
    if (st == GPA_OK)
        st = judge_now(w, err);
    w->judge.warming = false;
    gpa_text_clear(w->warm.raw);
    return st;
}

/* Whether these are the first bytes of something packed, or of Parquet or SQLite. */
static bool no_text(const struct line *line)
{
    return gpai_packing_of(line->text, line->length) != GPAI_PLAIN ||
           (line->length > 4 && memcmp(line->text, "PAR1", 4) == 0) ||
           (line->length > 16 && memcmp(line->text, "SQLite format 3", 16) == 0);
}

static gpa_status take_any(struct watch *w, const struct line *line, gpa_error *err)
{
    size_t passed = line->cut ? line->length - LINE_END : 0;
    w->position = (struct position){w->lines.taken, line->bytes - passed,
                                    map_key(line->text + passed, line->length - passed),
                                    w->lines.skipping, w->position.number};
    bool first = !w->begun && (w->open || w->warm.raw->length == 0);
    if (first && no_text(line))
        return gpai_fail(err, GPA_DATA,
                         "watch takes lines of CSV or JSON, and what comes is no text: "
                         "unpack it first (zcat FILE | gpa watch ...)");
    if (w->open)
        return take_line(w, line, err);
    gpa_status st = warm_add(&w->warm, line, err);
    return st == GPA_OK && warm_enough(&w->warm) ? end_warm_up(w, err) : st;
}

/* Waits until there is something to read, or a signal. */
static gpa_status wait_for_lines(struct watch *w, gpa_error *err)
{
    int fd = w->lines.feed != NULL ? feed_ready(w->lines.feed) : w->lines.fd;
    struct pollfd on[2] = {{.fd = fd, .events = POLLIN},
                           {.fd = wake[0], .events = POLLIN}};
    int n = poll(on, 2, w->unsaved ? 200 : -1);
    if (n < 0 && errno != EINTR)
        return gpai_fail(err, GPA_IO, "cannot wait for lines: %s", strerror(errno));
    return n > 0 && on[0].revents != 0 && !ending ? lines_fill(&w->lines, err) : GPA_OK;
}

/* The lines have come to their end. */
static gpa_status say_last(struct watch *w, gpa_error *err)
{
    gpa_status st = GPA_OK;
    while (st == GPA_OK && w->halves.half != NULL &&
           halves_oldest(&w->halves) != NULL) {
        give_up_halves(w, true);
        st = judge_now(w, err);
    }
    return st == GPA_OK ? judge_end(&w->judge, err) : st;
}

/* --on-full drop: how many lines came and went. */
static void say_dropped(struct watch *w)
{
    uint64_t n = w->lines.feed != NULL && w->open ? feed_dropped(w->lines.feed) : 0;
    if (n > 0)
        judge_late(&w->judge, DROPPED, NULL, "lines came faster than they were judged",
                   n);
}

static void count(struct watch *w)
{
    if (w->metrics == NULL)
        return;
    counters_write(w->counters, w);
    w->counters = metrics_show(w->metrics, w->counters);
}

static gpa_status follow(struct watch *w, gpa_error *err)
{
    struct line line;
    gpa_status st = GPA_OK;
    while (st == GPA_OK && !w->lines.ended && !ending) {
        count(w);
        st = wait_for_lines(w, err);
        uint64_t before = w->judge.counts.lines;
        double read = seconds_now();
        while (st == GPA_OK && lines_next(&w->lines, &line))
            st = take_any(w, &line, err);
        say_dropped(w);
        if (st == GPA_OK && w->open)
            st = judge_now(w, err);
        if (w->judge.counts.lines > before)
            w->lag = seconds_now() - read;
        if (st == GPA_OK)
            st = save(w, false, err);
    }
    if (st == GPA_OK && !w->open && w->state != NULL)
        say("only %ju of the %ju rows that are to say what is normal (--warm-up) have "
            "come: with --state they are waited for, and the next start begins with "
            "these lines again",
            (uintmax_t)w->warm.good, (uintmax_t)w->warm.wanted);
    else if (st == GPA_OK && !w->open && !ending)
        st = end_warm_up(w, err);
    if (st == GPA_OK && lines_left(&w->lines) > 0)
        say("the last line has no end yet: with --state it waits for it");
    if (st == GPA_OK && w->open && w->state == NULL) /* else it goes on another time */
        st = say_last(w, err);
    if (st == GPA_OK)
        st = write_out(w, err);
    return st == GPA_OK ? save(w, true, err) : st;
}

static gpa_status open_input(struct watch *w, gpa_error *err)
{
    const char *path = w->a->file;
    int input = STDIN_FILENO;
    if (strcmp(path, "-") == 0) {
        if (isatty(STDIN_FILENO) == 1)
            say("reading the lines from the terminal (or name a file)");
    } else {
        TEMP_RETRY(input, open(path, O_RDONLY | O_CLOEXEC));
        if (input < 0)
            return gpai_fail(err, GPA_IO, "cannot open %.200s: %s", path,
                             strerror(errno));
    }
    gpa_status st = lines_open(&w->lines, input, err);
    w->lines.grows = w->a->given[OPT_STATE]; /* and another start goes on there */
    if (st == GPA_OK && gpai_options_is(w->a, OPT_ON_FULL, "drop"))
        st = feed_open(&w->lines.feed, input, err);
    return st;
}

/* What is normal: from the reference, from the state, or from the first lines. */
static gpa_status open_reference(struct watch *w, gpa_error *err)
{
    bool there = false, known = false;
    gpa_status st = GPA_OK;
    if (!w->a->given[OPT_REFERENCE])
        st = warm_open(&w->warm, w->a, err);
    if (st == GPA_OK && w->state != NULL)
        st = state_read(w, &there, &known, err);
    if (st == GPA_OK && !there && w->state != NULL)
        st = state_save(w, err);
    if (st == GPA_OK && w->a->given[OPT_REFERENCE])
        st = read_reference(w, err);
    else if (st == GPA_OK && known) {
        w->explain.file = "-";
        st = warm_table(&w->warm, &w->reference, err);
        if (st == GPA_OK)
            st = open_normal(w, err);
    }
    if (st == GPA_OK && known)
        st = state_take(w, err);
    if (st == GPA_OK && there) /* it is ours, and so is what it says of --out */
        st = place_in_out(w, err);
    return st == GPA_OK && known ? place_in_lines(w, err) : st;
}

static gpa_status open_output(struct watch *w, gpa_error *err)
{
    const char *path = w->a->text[OPT_WATCH_OUT];
    gpa_status st = path == NULL
                        ? out_open(&w->outputs, &w->out, NULL, err)
                        : out_append(&w->outputs, &w->out, path, &w->written, err);
    if (st == GPA_OK)
        st = gpa_text_new(&w->header, err);
    return st == GPA_OK && w->a->given[OPT_STATE] ? gpa_text_new(&w->state, err) : st;
}

static gpa_status open_all(struct watch *w, gpa_error *err)
{
    const gpai_options *a = w->a;
    if (a->given[OPT_REFERENCE] && a->given[OPT_WARM_UP])
        return gpai_fail(err, GPA_INVALID,
                         "watch: only one of --reference and --warm-up");
    if (a->given[OPT_EVERY_LINE] && a->given[OPT_ONLY])
        return gpai_fail(err, GPA_INVALID, "watch: only one of --every and --only");
    if (a->given[OPT_STATE] && gpai_options_is(a, OPT_ON_FULL, "drop"))
        return gpai_fail(err, GPA_INVALID,
                         "watch: only one of --state and --on-full drop: lines that "
                         "were dropped cannot come out again");
    if (a->given[OPT_WAIT] && !a->given[OPT_ID])
        return gpai_fail(err, GPA_INVALID,
                         "--wait needs --id COL: by it the halves of a row are joined");
    if (!a->given[OPT_MODEL])
        return gpai_fail(err, GPA_INVALID,
                         "watch: --model is missing, e.g. --model mlp:model.json");
    gpa_status st = open_input(w, err);
    if (st == GPA_OK && a->given[OPT_STATE])
        st = state_name(a, err);
    if (st == GPA_OK)
        st = open_output(w, err);
    if (st == GPA_OK && a->given[OPT_METRICS])
        st = gpa_text_new(&w->counters, err);
    if (st == GPA_OK && a->given[OPT_METRICS])
        st = metrics_open(&w->metrics, a->text[OPT_METRICS], err);
    w->saved = seconds_now();
    if (st == GPA_OK)
        st = open_reference(w, err);
    /* until here a signal ends us at once: there is nothing to save, and whoever opens
     * the other end of a pipe may never come */
    return st == GPA_OK ? catch_signals(err) : st;
}

static void say_end(const struct watch *w)
{
    const struct counts *c = &w->judge.counts;
    uint64_t problems = 0;
    for (int t = FINE + 1; t < TROUBLES; t++)
        problems += t != DUPLICATE ? c->problems[t] : 0;
    say("lines %ju, rows %ju, anomalies %ju, episodes %ju, problems %ju, duplicates "
        "%ju",
        (uintmax_t)c->lines, (uintmax_t)c->rows, (uintmax_t)c->anomalies,
        (uintmax_t)w->judge.episodes.opened, (uintmax_t)problems,
        (uintmax_t)c->problems[DUPLICATE]);
    if (10 * c->problems[DUPLICATE] > c->lines)
        say("many lines were dropped, as a row of the same --id came before: it has to "
            "be another one for every row");
}

int cmd_watch(const gpai_options *a)
{
    gpa_error err = {0};
    struct watch *w = gpai_calloc(1, sizeof *w);
    if (w == NULL)
        return give_up(gpai_nomem(&err, "watch"), &err);
    *w = (struct watch){.a = a, .explain = *a, .outputs = {.given = a}};
    w->judge.said = write_out;
    w->judge.said_ctx = w;
    gpai_options_become(&w->explain, "explain");
    gpa_status st = open_all(w, &err);
    if (st == GPA_OK)
        st = follow(w, &err);
    if (st == GPA_OK && w->open)
        say_end(w);
    metrics_close(w->metrics);
    gpa_text_free(w->counters);
    judge_close(&w->judge);
    seen_close(&w->seen);
    halves_close(&w->halves);
    warm_close(&w->warm);
    fields_close(&w->fields);
    gpa_study_free(w->base);
    gpa_table_free(w->reference);
    gpa_text_free(w->header);
    gpa_text_free(w->state);
    lines_close(&w->lines);
    if (st != GPA_OK)
        out_unmake(&w->out);
    out_discard(&w->out);
    gpai_free(w);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}

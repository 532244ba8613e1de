#include "base/text/json.h"
#include "base/text/words.h"
#include "report/embedded.h"
#include "serve/answers.h"
#include "serve/assets.h"
#include "serve/serving.h"
#include "serve/values.h"
#include <gpa/version.h>
#include <math.h>
#include <string.h>

/* What is answered at once: the page and its parts, what is served, how it is. */

static void give(struct reply *r, const char *type, const void *bytes, size_t size)
{
    r->status = 200;
    r->type = type;
    r->bytes = bytes;
    r->size = size;
}

void answer_page(struct exchange *x, gpa_model *model)
{
    (void)model;
    answer_asset(x, NULL);
}

void answer_asset(struct exchange *x, gpa_model *model)
{
    static const char look[] = "look.css";
    const char *name = x->ask.path[0] != '\0' ? x->ask.path : "index.html";
    (void)model;
    if (strcmp(name, look) == 0) {
        give(&x->reply, "text/css; charset=utf-8", gpai_look_css,
             strlen(gpai_look_css));
        return;
    }
    const struct asset *a = asset_find(name);
    if (a == NULL) {
        reply_problem(&x->reply, 404, "there is no such page");
        return;
    }
    give(&x->reply, a->type, a->bytes, a->size);
    x->reply.etag = a->etag;
}

void answer_health(struct exchange *x, gpa_model *model)
{
    gpa_text *t = reply_text(&x->reply, TYPE_JSON);
    (void)model;
    if (t == NULL)
        return;
    gpai_text_add(t, "{\"status\":\"ok\"");
    gpai_json_text_field(t, "version", gpa_version());
    gpai_json_text_field(t, "state", serving_state_name(serving_state(x->on)));
    gpai_text_add(t, "}\n");
}

void answer_metrics(struct exchange *x, gpa_model *model)
{
    gpa_text *t = reply_text(&x->reply, "text/plain; version=0.0.4; charset=utf-8");
    (void)model;
    if (t != NULL)
        metrics_write(t, x->on);
}

static void model_field(gpa_text *t, const gpa_study *s)
{
    gpai_json_open(t, "model", "{");
    gpai_json_text_field(t, "spec", gpa_model_spec(s->model));
    gpai_json_count_field(t, "inputs", s->d);
    gpai_json_bool_field(t, "in_process", gpa_model_in_process(s->model));
    gpai_text_add(t, "}");
}

static void limits_field(gpa_text *t)
{
    gpai_json_open(t, "limits", "{");
    gpai_json_count_field(t, "explain_rows", EXPLAIN_ROWS);
    gpai_json_count_field(t, "page_rows", PAGE_ROWS);
    gpai_json_count_field(t, "points", POINTS);
    gpai_json_count_field(t, "body_bytes", BODY_SIZE);
    gpai_text_add(t, "}");
}

static void formats_field(gpa_text *t, bool png)
{
    static const char *const FORMATS[] = {"html", "json", "json-full",
                                          "csv",  "svg",  "png"};
    gpai_json_open(t, "formats", "[");
    for (size_t i = 0; i < 5 + (size_t)png; i++)
        gpai_json_text_item(t, FORMATS[i]);
    gpai_text_add(t, "]");
}

static void notes_field(gpa_text *t, const gpa_study *s, bool ready)
{
    gpai_json_open(t, "notes", "[");
    for (size_t i = 0; ready && i < s->n_tell; i++)
        gpai_json_text_item(t, s->tell[i]);
    gpai_text_add(t, "]");
}

static void state_fields(gpa_text *t, struct serving *v, enum state state)
{
    const gpa_study *s = v->study;
    bool ready = state == STATE_READY || state == STATE_STOPPED;
    gpai_json_text_field(t, "state", serving_state_name(state));
    gpai_json_count_field(t, "scored", atomic_load(&v->scored));
    values_field(t, "usable", ready ? (double)(s->n - s->n_unfit) : (double)NAN);
    values_field(t, "sigma", ready ? s->sigma : (double)NAN);
    notes_field(t, s, ready);
    gpai_json_key(t, "problem");
    if (state == STATE_FAILED)
        problem_json(t, problem_status(v->failed.status), v->failed.message);
    else
        gpai_text_add(t, "null");
}

void answer_study(struct exchange *x, gpa_model *model)
{
    struct serving *v = x->on;
    const gpa_study *s = v->study;
    enum state state = serving_state(v);
    const gpa_text *about =
        state == STATE_SCORING || v->about[1] == NULL ? v->about[0] : v->about[1];
    gpa_text *t = reply_text(&x->reply, TYPE_JSON);
    (void)model;
    if (t == NULL)
        return;
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "version", gpa_version());
    model_field(t, s);
    gpai_json_text_field(t, "file", s->given.file);
    gpai_json_key(t, "id");
    if (s->id != GPAI_NO_COLUMN)
        gpai_json_string(t, gpa_table_name(s->table, s->id));
    else
        gpai_text_add(t, "null");
    gpai_json_count_field(t, "rows", s->n);
    gpai_json_count_field(t, "seed", gpai_options_count(&s->given, OPT_SEED, 1));
    state_fields(t, v, state);
    limits_field(t);
    formats_field(t, v->png);
    gpai_json_key(t, "command");
    size_t start = t->length;
    gpai_study_command(t, s, NULL);
    gpai_json_string_tail(t, start);
    gpai_json_open(t, "features", "[");
    for (size_t k = 0; k < s->d; k++)
        gpai_json_text_item(t, s->called[k]);
    gpai_text_add(t, "],\n");
    gpai_text_bytes(t, gpa_text_data(about), gpa_text_length(about));
    gpai_text_add(t, "}\n");
}

void answer_cancel(struct exchange *x, gpa_model *model)
{
    struct serving *v = x->on;
    const char *word = strrchr(x->ask.path, '/');
    uint64_t id = 0;
    bool found = false;
    (void)model;
    if (!serving_ready(x))
        return;
    if (word != NULL && gpai_word_count(word + 1, &id) && id > 0 && id <= UINT32_MAX)
        found =
            jobs_cancel(v->slow, (unsigned)id) || jobs_cancel(v->quick, (unsigned)id);
    if (found)
        give(&x->reply, NULL, "", 0);
    else
        reply_problem(&x->reply, 404, "no such job is running: it may be done");
    x->reply.status = found ? 204 : x->reply.status;
}

void answer_stop_scoring(struct exchange *x, gpa_model *model)
{
    struct serving *v = x->on;
    (void)model;
    if (serving_state(v) != STATE_SCORING) {
        reply_problem(&x->reply, 409, "no rows are being scored");
        return;
    }
    atomic_store(&v->enough, true);
    give(&x->reply, NULL, "", 0);
    x->reply.status = 204;
}

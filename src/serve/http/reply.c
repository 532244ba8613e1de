#include "serve/http/reply.h"
#include "base/text/json.h"
#include "base/text/words.h"
#include <stdarg.h>
#include <stdio.h>

static const char *title_of(int status)
{
    static const struct {
        int status;
        const char *title;
    } TITLES[] = {{400, "The question is wrong"},
                  {401, "No token"},
                  {403, "Not from here"},
                  {404, "Not there"},
                  {405, "Not this method"},
                  {409, "Not now"},
                  {411, "A length is needed"},
                  {413, "Too large"},
                  {415, "Not JSON"},
                  {422, "Cannot be answered"},
                  {500, "Something broke"},
                  {502, "The model failed"},
                  {503, "Busy"}};
    for (size_t i = 0; i < sizeof TITLES / sizeof TITLES[0]; i++)
        if (TITLES[i].status == status)
            return TITLES[i].title;
    return "Problem";
}

int problem_status(gpa_status st)
{
    switch (st) {
    case GPA_OK:
        return 200;
    case GPA_INVALID:
        return 400;
    case GPA_DATA:
    case GPA_NUMERIC:
    case GPA_UNSUPPORTED:
        return 422;
    case GPA_MODEL:
        return 502;
    case GPA_STOPPED:
        return 409;
    case GPA_NOMEM:
        return 503;
    case GPA_IO:
        return 500;
    }
    return 500;
}

void problem_json(gpa_text *t, int status, const char *detail)
{
    char safe[1200];
    gpai_word_safe(safe, sizeof safe, detail);
    gpai_text_add(t, "{");
    gpai_json_text_field(t, "type", "about:blank");
    gpai_json_text_field(t, "title", title_of(status));
    gpai_json_count_field(t, "status", (uint64_t)status);
    gpai_json_text_field(t, "detail", safe);
    gpai_text_add(t, "}");
}

gpa_text *reply_text(struct reply *r, const char *type)
{
    gpa_text_free(r->body);
    r->body = NULL;
    if (gpa_text_new(&r->body, NULL) != GPA_OK) {
        static const char none[] =
            "{\"type\":\"about:blank\",\"title\":\"Busy\",\"status\":"
            "503,\"detail\":\"out of memory\"}";
        *r = (struct reply){.status = 503,
                            .type = "application/problem+json",
                            .bytes = none,
                            .size = sizeof none - 1,
                            .retry = 1};
        return NULL;
    }
    r->status = 200;
    r->type = type;
    return r->body;
}

void reply_problem(struct reply *r, int status, const char *detail, ...)
{
    char text[1100];
    va_list args;
    va_start(args, detail);
    vsnprintf(text, sizeof text, detail, args);
    va_end(args);
    const char *allow = r->allow;
    reply_free(r);
    gpa_text *t = reply_text(r, "application/problem+json");
    r->allow = allow;
    if (t == NULL)
        return;
    problem_json(t, status, text);
    r->status = status;
    r->retry = status == 503 ? 1 : 0;
}

void reply_failed(struct reply *r, gpa_status st, const gpa_error *err)
{
    const char *message = err->message[0] != '\0' ? err->message : gpa_status_text(st);
    reply_problem(r, problem_status(st), "%s", message);
}

void reply_free(struct reply *r)
{
    gpa_text_free(r->body);
    *r = (struct reply){.status = 0};
}

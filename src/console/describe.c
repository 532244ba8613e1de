#include "console/describe.h"
#include "base/text/json.h"
#include "console/out.h"
#include "console/terminal.h"
#include <gpa/version.h>

static void describe_options(gpa_text *t, unsigned bit)
{
    gpai_json_open(t, "options", "[");
    for (int i = 0; i < OPTIONS; i++) {
        const gpai_option *o = &GPAI_OPTIONS[i];
        if ((o->commands & bit) == 0)
            continue;
        gpai_json_comma(t);
        gpai_text_add(t, "{");
        gpai_json_text_field(t, o->name != NULL ? "name" : "heading",
                             o->name != NULL ? o->name : o->help);
        if (o->name != NULL)
            gpai_json_text_field(t, "help", o->help);
        if (o->argument != NULL)
            gpai_json_text_field(t, "argument", o->argument);
        gpai_json_bool_field(t, "repeated", o->kind == OPTION_LIST);
        gpai_text_add(t, "}");
    }
    gpai_text_add(t, "]");
}

/* A field of a command that has it; those that another program runs have few. */
static void add(gpa_text *t, const char *name, const char *text)
{
    if (text != NULL)
        gpai_json_text_field(t, name, text);
}

static void describe(gpa_text *t, const struct command *c)
{
    gpai_json_comma(t);
    gpai_text_add(t, "\n{");
    add(t, "name", c->name);
    add(t, "summary", c->summary);
    add(t, "usage", c->usage);
    add(t, "about", c->about);
    add(t, "examples", c->examples);
    add(t, "second", c->second);
    gpai_json_open(t, "exit", "[");
    for (int i = 0; i < EXITS; i++)
        if ((EXIT_MEANINGS[i].commands & c->bit) != 0) {
            gpai_json_comma(t);
            gpai_text_add(t, "{");
            gpai_json_count_field(t, "code", (uint64_t)EXIT_MEANINGS[i].code);
            gpai_json_text_field(t, "means", EXIT_MEANINGS[i].means);
            gpai_text_add(t, "}");
        }
    gpai_text_add(t, "]");
    describe_options(t, c->bit);
    gpai_text_add(t, "}");
}

int describe_commands(const struct command *commands, size_t n)
{
    gpa_error err = {0};
    gpa_text *t = NULL;
    gpa_status st = gpa_text_new(&t, &err);
    if (st == GPA_OK) {
        gpai_text_add(t, "{");
        gpai_json_text_field(t, "format", "gpa-help/1");
        gpai_json_text_field(t, "version", gpa_version());
        gpai_json_open(t, "commands", "[");
        for (size_t i = 0; i < n; i++)
            describe(t, &commands[i]);
        gpai_text_add(t, "]}\n");
        st = gpai_text_seal(t, 0, &err);
    }
    if (st == GPA_OK)
        st = out_whole(&(struct outputs){0}, NULL, t, &err);
    gpa_text_free(t);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}

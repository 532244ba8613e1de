#include "lab/planted/result.h"
#include "lab/write.h"
#include <gpa/version.h>
#include <math.h>

/* What the measures are called; `first_place` is `recall` where there is one culprit.
 */
static const struct {
    const char *name;
    enum measure measure;
    bool one_culprit;
} FIGURES[] = {
    {"first_place", RECALL, true}, {"recall", RECALL, false},
    {"output_auc", OUTPUT, false}, {"set90_holds", HOLDS, false},
    {"set90_size", SIZE, false},   {"correction_error", ERROR, false},
    {"model_rows", ROWS, false},
};

static void put_figure(FILE *f, struct figure g)
{
    if (isnan(g.value)) {
        fputs("null", f);
        return;
    }
    fputs("{\"value\":", f);
    word_json_real(f, g.value);
    fputs(",\"interval90\":[", f);
    word_json_real(f, g.low);
    fputc(',', f);
    word_json_real(f, g.high);
    fputs("]}", f);
}

static void put_methods(FILE *f, const struct bench *b, const struct tally *t,
                        size_t kind)
{
    fputs("\"methods\":{", f);
    for (size_t r = 0; r < b->n_rivals; r++) {
        fprintf(f, "%s\n    \"%s\":{", r > 0 ? "," : "", b->rivals[r]->name);
        for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
            bool applies = !FIGURES[i].one_culprit ||
                           (kind < t->n_kinds && t->kinds[kind].culprits == 1);
            struct figure none = {(double)NAN, (double)NAN, (double)NAN};
            fprintf(f, "%s\"%s\":", i > 0 ? "," : "", FIGURES[i].name);
            put_figure(f,
                       applies ? tally_figure(t, kind, r, FIGURES[i].measure) : none);
        }
        fputc('}', f);
    }
    fputc('}', f);
}

/* "kinds":[…],"total":{…} */
static void put_tally(FILE *f, const struct bench *b, const struct tally *t)
{
    fputs("\"kinds\":[", f);
    for (size_t k = 0; k < t->n_kinds; k++) {
        fprintf(f, "%s\n  {\"kind\":", k > 0 ? "," : "");
        word_json(f, t->kinds[k].name);
        fprintf(f, ",\"cases\":%zu,\"culprits\":%zu,\"rows\":%zu,", tally_cases(t, k),
                t->kinds[k].culprits, t->kinds[k].rows);
        put_methods(f, b, t, k);
        fputc('}', f);
    }
    fprintf(f, "],\n \"total\":{\"cases\":%zu,", tally_cases(t, t->n_kinds));
    put_methods(f, b, t, t->n_kinds);
    fputc('}', f);
}

static void put_planting(FILE *f, const struct bench *b)
{
    const struct planting *p = b->planting;
    const char *comma = "";
    fputs(",\n\"planting\":{\"threshold\":", f);
    word_json_real(f, p->threshold);
    fputs(",\"quantile\":", f);
    word_json_real(f, p->quantile);
    fprintf(f, ",\"normal_rows\":%zu,\"model_rows\":%ju,\"never_culprits\":[",
            p->normal, (uintmax_t)p->model_rows);
    for (size_t k = 0; k < b->sets[0].inputs; k++)
        if (!p->able[k]) {
            fputs(comma, f);
            word_json(f, b->features[k]);
            comma = ",";
        }
    fputs("],\"kinds\":[", f);
    for (size_t i = 0; i < 4; i++)
        fprintf(f, "%s{\"kind\":\"%s\",\"wanted\":%zu,\"made\":%zu}", i > 0 ? "," : "",
                p->kinds[i].kind, p->kinds[i].wanted, p->kinds[i].made);
    fputs("]}", f);
}

static void put_set(FILE *f, const struct bench *b, const struct bench_set *s)
{
    fputs("{\"set\":", f);
    word_json(f, s->name);
    fputs(",\"model\":", f);
    word_json(f, s->model);
    fprintf(f, ",\"inputs\":%zu,\"unlabelled_rows\":%zu,\"sigma\":", s->inputs,
            s->rows);
    word_json_real(f, s->sigma);
    fputs(",\n ", f);
    put_tally(f, b, &s->tally);
    fputc('}', f);
}

void bench_write_json(FILE *f, const struct bench *b)
{
    const char *comma = "";
    fprintf(f,
            "{\"format\":\"gpa-bench-planted/1\",\"version\":\"%s\",\"seed\":%ju,"
            "\"resamples\":%d,\n\"methods\":[",
            gpa_version(), (uintmax_t)b->seed, RESAMPLES);
    for (size_t r = 0; r < b->n_rivals; r++)
        fprintf(f, "%s{\"name\":\"%s\",\"title\":\"%s\",\"unlabelled_rows\":%s}",
                r > 0 ? "," : "", b->rivals[r]->name, b->rivals[r]->title,
                b->rivals[r]->rows ? "true" : "false");
    fputs("]", f);
    if (b->planting != NULL)
        put_planting(f, b);
    fputs(",\n\"sets\":[", f);
    for (size_t i = 0; i < b->n_sets; i++)
        if (b->sets[i].model != NULL) {
            fprintf(f, "%s\n", comma);
            put_set(f, b, &b->sets[i]);
            comma = ",";
        }
    fputs("],\n\"skipped\":[", f);
    comma = "";
    for (size_t i = 0; i < b->n_sets; i++)
        if (b->sets[i].model == NULL) {
            fprintf(f, "%s{\"set\":", comma);
            word_json(f, b->sets[i].name);
            fputs(",\"reason\":", f);
            word_json(f, b->sets[i].reason);
            fputc('}', f);
            comma = ",";
        }
    fputs("],\n\"mean\":", f);
    if (b->n_run > 1) {
        fprintf(f, "{\"sets\":%zu,\n ", b->n_run);
        put_tally(f, b, &b->mean);
        fputc('}', f);
    } else {
        fputs("null,\"mean_reason\":\"one set only\"", f);
    }
    fputs("}\n", f);
}

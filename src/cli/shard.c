#include "cli/shard.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/words.h"
#include "console/terminal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a scheduler tells a task its number. Arrays of tasks may begin anywhere and have
 * steps; where the last one is not known, --shards says how many there are. */
struct scheduler {
    const char *name;
    const char *task;         /* its number */
    const char *first;        /* of the first task; NULL: `base` */
    const char *step;         /* between tasks; NULL: 1 */
    const char *count, *last; /* how many tasks, or the last; NULL: not known */
    uint64_t base;            /* where numbers begin, unless `first` says it */
    bool inner;               /* it may run within a task of another, alone */
};

static const struct scheduler SCHEDULERS[] = {
    {"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
     "SLURM_ARRAY_TASK_COUNT", NULL, 1, false},
    {"Kubernetes", "JOB_COMPLETION_INDEX", NULL, NULL, NULL, NULL, 0, false},
    {"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", NULL, NULL, "AWS_BATCH_JOB_ARRAY_SIZE",
     NULL, 0, false},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", NULL, NULL, "OMPI_COMM_WORLD_SIZE", NULL, 0,
     true},
    {"PMI", "PMI_RANK", NULL, NULL, "PMI_SIZE", NULL, 0, true},
    {"PBS", "PBS_ARRAY_INDEX", NULL, NULL, NULL, NULL, 1, false},
    {"SGE", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_STEPSIZE", NULL, "SGE_TASK_LAST",
     1, false},
    {"GNU parallel", "PARALLEL_SEQ", NULL, NULL, NULL, NULL, 1, false},
};
enum { N_SCHEDULERS = sizeof SCHEDULERS / sizeof SCHEDULERS[0] };

/* A number from the environment; false: there is none, as in "undefined". */
static bool number(const char *name, uint64_t *value)
{
    const char *text = name != NULL ? getenv(name) : NULL;
    return text != NULL && gpai_word_count(text, value);
}

/* How many tasks it says there are; 0: it does not say. */
static uint64_t tasks(const struct scheduler *s, uint64_t first, uint64_t step)
{
    uint64_t n = 0;
    if (number(s->count, &n))
        return n;
    return number(s->last, &n) && n >= first ? (n - first) / step + 1 : 0;
}

/* The one scheduler that set a number; a launcher of one process counts only where
 * there is no other. */
static gpa_status find(const struct scheduler **found, gpa_error *err)
{
    const struct scheduler *alone = NULL;
    uint64_t n = 0;
    *found = NULL;
    for (size_t i = 0; i < N_SCHEDULERS; i++) {
        const struct scheduler *s = &SCHEDULERS[i];
        if (!number(s->task, &n))
            continue;
        if (s->inner && number(s->count, &n) && n == 1) {
            alone = s;
            continue;
        }
        bool same = *found != NULL && s->inner && (*found)->inner; /* both of MPI */
        if (*found != NULL && !same)
            return gpai_fail(err, GPA_INVALID,
                             "--shard auto: both %s and %s are set; say --shard I/N",
                             (*found)->task, s->task);
        *found = *found != NULL ? *found : s;
    }
    *found = *found != NULL ? *found : alone;
    return *found != NULL ? GPA_OK
                          : gpai_fail(err, GPA_INVALID,
                                      "--shard auto: no scheduler says which part this "
                                      "is (SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, "
                                      "...); say --shard I/N");
}

/* With --shards all tasks are known, so that some of an array can be done again: they
 * are numbered as if the array began at 1. */
static gpa_status ask_scheduler(struct shard *to, uint64_t said, gpa_error *err)
{
    const struct scheduler *s;
    uint64_t task = 0, first = 0, step = 1;
    gpa_status st = find(&s, err);
    if (st != GPA_OK)
        return st;
    (void)number(s->task, &task);
    if (said > 0 || !number(s->first, &first))
        first = s->base;
    if (said > 0 || !number(s->step, &step) || step == 0)
        step = 1;
    uint64_t of = said > 0 ? said : tasks(s, first, step);
    if (of == 0)
        return gpai_fail(err, GPA_INVALID,
                         "--shard auto: %s does not say how many parts there are: "
                         "give --shards N",
                         s->task);
    if (task < first || (task - first) / step >= of)
        return gpai_fail(err, GPA_INVALID,
                         "--shard auto: %s is %ju, and %ju parts are numbered from %ju",
                         s->task, (uintmax_t)task, (uintmax_t)of, (uintmax_t)first);
    to->index = (size_t)((task - first) / step + 1);
    to->of = (size_t)of;
    say("shard %zu/%zu (%s: %s=%ju)", to->index, to->of, s->name, s->task,
        (uintmax_t)task);
    return GPA_OK;
}

/* "3/16". */
static bool parse(struct shard *to, const char *text)
{
    char first[24];
    uint64_t index = 0, of = 0;
    size_t length = strcspn(text, "/");
    if (text[length] == '\0' || length >= sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    bool good = gpai_word_count(first, &index) &&
                gpai_word_count(text + length + 1, &of) && index >= 1 && index <= of &&
                of <= 1000000000;
    to->index = (size_t)index;
    to->of = (size_t)of;
    return good;
}

gpa_status shard_read(struct shard *s, const gpai_options *a, gpa_error *err)
{
    static const enum option_id LATER[] = {OPT_HTML, OPT_PICTURES, OPT_PNG};
    const char *text = a->text[OPT_SHARD];
    uint64_t said = a->count[OPT_SHARDS];
    *s = (struct shard){.given = a->given[OPT_SHARD], .index = 1, .of = 1};
    if (!s->given)
        return said == 0 ? GPA_OK
                         : gpai_fail(err, GPA_INVALID,
                                     "--shards goes with --shard: how many parts "
                                     "there are");
    for (size_t i = 0; i < sizeof LATER / sizeof LATER[0]; i++)
        if (a->given[LATER[i]])
            return gpai_fail(err, GPA_INVALID,
                             "%s: a shard is JSON; give --%s to 'gpa merge'",
                             a->command, GPAI_OPTIONS[LATER[i]].name);
    if (strcmp(text, "auto") == 0)
        return ask_scheduler(s, said, err);
    if (!parse(s, text))
        return gpai_fail(err, GPA_INVALID,
                         "--shard: '%.200s' is neither auto nor I/N, a part from 1 to "
                         "N of N parts",
                         text);
    return said == 0 || said == s->of
               ? GPA_OK
               : gpai_fail(err, GPA_INVALID, "--shard %.40s, but --shards %ju", text,
                           (uintmax_t)said);
}

gpa_status shard_name(const struct shard *s, const char *name, char **out,
                      gpa_error *err)
{
    static const char HERE[] = "{shard}";
    const char *at = s->given ? strstr(name, HERE) : NULL;
    size_t size = strlen(name) + 24;
    *out = gpai_calloc(size, 1);
    if (*out == NULL)
        return gpai_nomem(err, "explain");
    if (at == NULL)
        snprintf(*out, size, "%s", name);
    else
        snprintf(*out, size, "%.*s%zu%s", (int)(at - name), name, s->index,
                 at + sizeof HERE - 1);
    return GPA_OK;
}

size_t shard_size(const struct shard *s, size_t total)
{
    return total < s->index ? 0 : (total - s->index) / s->of + 1;
}

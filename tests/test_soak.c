#include "server_support.h"
#include <dirent.h>
#include <gpa/gpa.h>

/* A mixed load in one process: models of every connector are opened, explain a few rows
 * and are closed again; some of them lie, die or do not answer. When it has run for a
 * while, memory, descriptors and children stay what they were.
 *
 *     test_soak            about two thousand explanations
 *     GPA_SOAK=N           N questions, of ROWS explanations each where all goes well
 */

enum { ROWS = 6, QUESTIONS = 500, SURROGATE = 20, WARM_UP = 3, MOST_MB = 6 };

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED true /* what is freed is kept for a while */
#else
#define SANITIZED false
#endif

struct kind {
    const char *connector, *name;
    bool works;
    unsigned weight;
};
static const struct kind KINDS[] = {
    {"native", "", true, 24},
    {"native", "missing", false, 1},
    {"plugin", "1,-2;0.5", true, 16},
    {"plugin", "no numbers", false, 2},
    {"worker", "", true, 6},
    {"liar", "honest", true, 6},
    {"liar", "crash", false, 1},
    {"liar", "kill", false, 1},
    {"liar", "few", false, 1},
    {"liar", "truncated", false, 1},
    {"liar", "wrong magic", false, 1},
    {"liar", "complains", false, 1},
    {"liar", "exit", false, 1},
    {"liar", "hang", false, 1},
    {"liar", "4 GB of names", false, 1},
    {"v2", "ok", true, 4},
    {"mlflow", "ok", true, 3},
    {"tfserving", "ok", true, 3},
    {"v2", "error", false, 1},
    {"v2", "not_json", false, 1},
    {"v2", "cut_json", false, 1},
    {"v2", "few", false, 1},
    {"mlflow", "text", false, 1},
    {"v2", "hangs", false, 1},
};
enum { N_KINDS = sizeof KINDS / sizeof KINDS[0] };

static struct served server;
static char native[] = "/tmp/gpa-soak-XXXXXX";

/* What a process holds. */
struct held {
    double mb;
    size_t descriptors, children;
};

static size_t count_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    size_t n = 0;
    assert_non_null(d);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n - 3; /* . and .. and its own */
}

/* Those that ended and were not waited for count as well. */
static size_t count_children(void)
{
    DIR *d = opendir("/proc");
    size_t n = 0;
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        char path[300], text[512] = "";
        int parent = 0;
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        FILE *f = e->d_name[0] >= '0' && e->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        if (f == NULL)
            continue;
        const char *name_end =
            fgets(text, sizeof text, f) != NULL ? strrchr(text, ')') : NULL;
        if (name_end != NULL && sscanf(name_end, ") %*c %d", &parent) == 1)
            n += parent == getpid();
        fclose(f);
    }
    closedir(d);
    return n;
}

static struct held look(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*u %lu", &pages), 1);
    fclose(f);
    return (struct held){(double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576,
                         count_descriptors(), count_children()};
}

static const char *built(const char *name)
{
    const char *path = getenv(name);
    return path != NULL ? path : "";
}

/* The spec of a kind, and its config where it has one. */
static const char *spec_of(const struct kind *k, char *spec, size_t size)
{
    const char *c = k->connector;
    if (strcmp(c, "native") == 0)
        snprintf(spec, size, "%s%s", native, k->name);
    else if (strcmp(c, "plugin") == 0)
        snprintf(spec, size, "plugin:%s", built("GPA_TEST_PLUGIN"));
    else if (strcmp(c, "worker") == 0)
        snprintf(spec, size, "exec:'%s'", built("GPA_TEST_WORKER"));
    else if (strcmp(c, "liar") == 0)
        snprintf(spec, size, "exec:'%s' '%s'", built("GPA_TEST_LIAR"), k->name);
    else if (strcmp(c, "mlflow") == 0)
        snprintf(spec, size, "mlflow:http://127.0.0.1:%d/%s", server.port, k->name);
    else
        snprintf(spec, size, "%s:http://127.0.0.1:%d/%s/models/%s", c, server.port,
                 strcmp(c, "v2") == 0 ? "v2" : "v1", k->name);
    return spec;
}

static gpa_status take(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    (void)index;
    (void)err;
    *(size_t *)ctx += gpa_explanation_dim(e) >= 2;
    return GPA_OK;
}

/* One question, from opening the model to closing it. */
static gpa_status ask(const struct kind *k, size_t question, const gpa_table *t,
                      size_t *explained, gpa_error *err)
{
    char spec[2048];
    gpa_study *s = NULL;
    bool plugin = strcmp(k->connector, "plugin") == 0,
         hangs = strncmp(k->name, "hang", 4) == 0,
         served = strstr("v2 mlflow tfserving", k->connector) != NULL;
    gpa_status st = gpa_study_new(&s, "explain", err);
    gpa_study_set_table(s, t);
    const char *const options[][2] = {
        {"model", spec_of(k, spec, sizeof spec)},
        {"target", "y"},
        {"features", served ? "x1,x2,x3" : "x1,x2"},
        {"sigma", "1"},
        {"marginals", question % SURROGATE == 0 ? "surrogate" : "plugin"}, /* slow */
        {"rows", "0-5"},
        {"threads", "2"},
        {"model-workers", "2"},
        {"model-timeout", hangs ? "0.2" : "20"},
        {plugin ? "model-config" : "seed", plugin ? k->name : "1"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0] && st == GPA_OK; i++)
        st = gpa_study_set(s, options[i][0], options[i][1], err);
    if (st == GPA_OK)
        st = gpa_study_open(s, err);
    if (st == GPA_OK)
        st = gpa_study_explain(s, NULL, 0, false, take, explained, err);
    gpa_study_free(s);
    return st;
}

static const struct kind *draw(uint64_t *dice)
{
    unsigned all = 0, at = 0;
    for (size_t i = 0; i < N_KINDS; i++)
        all += KINDS[i].weight;
    *dice = *dice * 6364136223846793005u + 1442695040888963407u;
    unsigned mark = (unsigned)(*dice >> 33) % all;
    for (size_t i = 0; i < N_KINDS; i++)
        if (mark < (at += KINDS[i].weight))
            return &KINDS[i];
    return &KINDS[0];
}

static gpa_table *make_table(void)
{
    char text[4096] = "x1,x2,x3,y\n";
    gpa_table *t = NULL;
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d.5,%d.25,%d,%d\n",
                 i % 11, i * i % 7, i * 5 % 9, i * 3 % 5);
    assert_int_equal(gpa_table_parse(&t, text, strlen(text), "soak.csv", NULL, NULL),
                     GPA_OK);
    return t;
}

static void nothing_grows(void **state)
{
    (void)state;
    const char *given = getenv("GPA_SOAK");
    size_t questions = given != NULL ? (size_t)atol(given) : QUESTIONS;
    size_t explained = 0, failed = 0;
    uint64_t dice = 17;
    gpa_table *t = make_table();
    struct held first = {0}, now = {0};
    for (size_t i = 0; i < questions; i++) {
        /* every kind once, then at random */
        const struct kind *k = i < N_KINDS ? &KINDS[i] : draw(&dice);
        size_t before = explained;
        gpa_error err = {0};
        gpa_status st = ask(k, i, t, &explained, &err);
        if ((st == GPA_OK) != k->works)
            fail_msg("%s %s: %s", k->connector, k->name, err.message);
        assert_true(!k->works || explained == before + ROWS);
        failed += st != GPA_OK;
        if (i == questions / WARM_UP)
            first = look();
    }
    gpa_table_free(t);
    now = look();
    print_message("%zu questions, %zu explanations, %zu refused; %.1f to %.1f MB, %zu "
                  "to %zu descriptors, %zu to %zu children\n",
                  questions, explained, failed, first.mb, now.mb, first.descriptors,
                  now.descriptors, first.children, now.children);
    assert_int_equal(now.descriptors, first.descriptors);
    assert_int_equal(now.children, first.children);
    assert_int_equal(now.children, 1); /* the server */
    assert_true(SANITIZED || now.mb < first.mb + MOST_MB);
}

static int start(void **state)
{
    (void)state;
    static const char linear[] = "{\"type\":\"linear\",\"w\":[2,-3],\"b\":1}";
    int fd = mkstemp(native);
    bool written =
        fd >= 0 && write(fd, linear, strlen(linear)) == (ssize_t)strlen(linear);
    if (fd >= 0)
        close(fd);
    server = serve("liar.py", NULL);
    return written && server.port > 0 ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    end_server(&server);
    unlink(native);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_grows)};
    return cmocka_run_group_tests(tests, start, end);
}

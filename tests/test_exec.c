#include "support.h"

#include "base/alloc.h"
#include <dirent.h>
#include <errno.h>
#include <gpa/gpa.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What children do, and what comes of it. They are real ones: tests/liar.c, whose first
 * argument says where it is dishonest, and the worker in examples/exec. */
static const char memory[] = "test_exec_memory"; /* a file for children to write to */

static const char *built(const char *variable)
{
    const char *path = getenv(variable);
    if (path == NULL) {
        print_message("SKIP: %s is not set: child processes are NOT checked\n",
                      variable);
        skip();
    }
    return path;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_ms(long ms)
{
    const struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static size_t descriptors(void)
{
    size_t n = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n;
}

/* Every test leaves as many descriptors as it found, no children and no zombies. */
static int begin(void **state)
{
    size_t *before = malloc(sizeof *before);
    assert_non_null(before);
    unlink(memory);
    *before = descriptors();
    *state = before;
    return 0;
}

static int finish(void **state)
{
    size_t before = *(size_t *)*state;
    free(*state);
    unlink(memory);
    assert_int_equal(descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return 0;
}

static gpa_status open_exec(gpa_model **m, const char *command, double timeout,
                            size_t workers, gpa_error *err)
{
    char spec[1200];
    gpa_model_options opt;
    gpa_model_options_init(&opt);
    opt.timeout = timeout;
    opt.workers = workers;
    snprintf(spec, sizeof spec, "exec:%s", command);
    return gpa_model_open(m, spec, &opt, err);
}

static gpa_status open_liar(gpa_model **m, const char *mode, double timeout,
                            size_t workers, gpa_error *err)
{
    char command[1100];
    snprintf(command, sizeof command, "'%s' \"%s\" %s", built("GPA_TEST_LIAR"), mode,
             memory);
    return open_exec(m, command, timeout, workers, err);
}

/* Five rows whose sums are known. */
static const double rows5[10] = {1, 2, 0.5, 0.25, -1, 1, 1e300, 1, 3, 4};
static const double sums5[5] = {3, 0.75, 0, 1e300, 7};

static void check_five(gpa_model *m)
{
    double y[5] = {0};
    gpa_error err = {.message = ""};
    gpa_status st = gpa_model_predict(m, rows5, 5, y, &err);
    if (st != GPA_OK)
        print_error("%s\n", err.message);
    assert_int_equal(st, GPA_OK);
    assert_memory_equal(y, sums5, sizeof y);
}

static void test_honest(void **state)
{
    gpa_model *m = NULL, *copy = NULL;
    (void)state;
    assert_int_equal(open_liar(&m, "honest", 10, 0, NULL), GPA_OK);
    assert_int_equal(gpa_model_dim(m), 2);
    assert_null(gpa_model_variable(m, 0));
    assert_false(gpa_model_in_process(m));
    assert_false(gpa_model_refuses_missing(m));
    assert_memory_equal(gpa_model_spec(m), "exec:", 5);
    check_five(m);
    gpa_model_set_batch(m, 2);
    check_five(m);
    assert_int_equal(gpa_model_calls(m), 2);
    assert_int_equal(gpa_model_rows(m), 10);
    assert_int_equal(gpa_model_predict(m, NULL, 0, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    gpa_model_free(m);
    check_five(copy);
    gpa_model_free(copy);
}

static void test_names_and_any(void **state)
{
    gpa_model *m = NULL;
    gpa_error err;
    double y;
    (void)state;
    assert_int_equal(open_liar(&m, "names", 10, 0, NULL), GPA_OK);
    assert_string_equal(gpa_model_variable(m, 0), "p");
    assert_string_equal(gpa_model_variable(m, 1), "q s");
    assert_int_equal(gpa_model_set_inputs(m, 3, NULL, &err), GPA_INVALID);
    check_five(m);
    gpa_model_free(m);
    assert_int_equal(open_liar(&m, "any", 10, 0, NULL), GPA_OK);
    assert_int_equal(gpa_model_dim(m), 0);
    assert_int_equal(gpa_model_predict(m, rows5, 1, &y, &err), GPA_INVALID);
    assert_int_equal(gpa_model_set_inputs(m, 5, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, rows5, 1, &y, NULL), GPA_OK);
    assert_true(y == 2.75);
    gpa_model_free(m);
}

/* A batch larger than any pipe, both ways, in one piece and in many. */
static void test_large(void **state)
{
    enum { N = 300000 };
    double *x = malloc(2 * N * sizeof *x), *y = malloc(N * sizeof *y);
    gpa_model *m = NULL;
    (void)state;
    assert_true(x != NULL && y != NULL);
    for (size_t i = 0; i < 2 * N; i++)
        x[i] = (double)(i / 2);
    assert_int_equal(open_liar(&m, "honest", 60, 0, NULL), GPA_OK);
    for (size_t batch = N; batch > 0; batch = batch == N ? 777 : 0) {
        gpa_model_set_batch(m, batch);
        assert_int_equal(gpa_model_predict(m, x, N, y, NULL), GPA_OK);
        for (size_t i = 0; i < N; i++)
            assert_true(y[i] == 2 * (double)i);
        memset(y, 0, N * sizeof *y);
    }
    gpa_model_free(m);
    free(y);
    free(x);
}

/* The example that people start from: 1 + 2 x1 - 3 x2. */
static void test_example(void **state)
{
    gpa_model *m = NULL;
    double y[2];
    const double x[4] = {1, 1, 10, -1};
    (void)state;
    assert_int_equal(open_exec(&m, built("GPA_TEST_WORKER"), 10, 0, NULL), GPA_OK);
    assert_string_equal(gpa_model_variable(m, 1), "x2");
    assert_int_equal(gpa_model_predict(m, x, 2, y, NULL), GPA_OK);
    assert_true(y[0] == 0 && y[1] == 24);
    gpa_model_free(m);
}

static void test_bad_hello(void **state)
{
    static const struct {
        const char *mode;
        double timeout;
        const char *says;
    } cases[] = {
        {"silent", 0.3, ": no hello (docs/connect/exec.md) within 0.3 s; "},
        {"stubborn", 0.3, " within 0.3 s; --model-timeout gives it more"},
        {"hi", 0.3, ": no hello "},
        {"slow hello", 0.3, ": no hello "},
        {"late names", 0.3, ": no hello "},
        {"text", 10, ": said 'Loading the model ..."},
        {"text", 10,
         "' where a hello was expected (GPAH); what a model prints belongs"},
        {"exit", 10, ": exited with status 3 before its hello "},
        {"exit", 10, "; its last words: NoModelError: \\x1b[31mnothing here"},
        {"half hello", 10, ": exited with status 0 before its hello "},
        {"magic", 10, ": said 'GPAX"},
        {"version", 10, ": speaks version 7 of the frames, not 1 or 2"},
        {"4 GB of names", 10, ": announces 4294967295 bytes of names in its hello"},
        {"few names", 10, ": has 2 inputs and names 1"},
        {"many names", 10, ": has 2 inputs and names 3"},
        {"zero name", 10, ": has a zero byte in the names of its inputs"},
        {"names of any", 10, ": names its inputs, but says it has 0"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {.message = ""};
        double start = now();
        gpa_status st = open_liar(&m, cases[c].mode, cases[c].timeout, 0, &err);
        double took = now() - start;
        if (st != GPA_MODEL || strstr(err.message, cases[c].says) == NULL)
            print_error("%s: %d '%s'\n", cases[c].mode, (int)st, err.message);
        assert_int_equal(st, GPA_MODEL);
        assert_int_equal(err.status, GPA_MODEL);
        assert_memory_equal(err.message, "exec: ", 6);
        assert_non_null(strstr(err.message, cases[c].says));
        assert_null(m);
        assert_true(took < cases[c].timeout + 1);
    }
}

static void test_bad_answer(void **state)
{
    static const struct {
        const char *mode;
        double timeout;
        const char *says;
    } cases[] = {
        {"few", 10, ": answers 3 rows when 5 were asked: no prediction for row 3"},
        {"many", 10, ": answers 6 rows when 5 were asked"},
        {"4 G rows", 10, ": answers 4294967295 rows when 5 were asked"},
        {"4 GB", 10, ": announces an error text of 4294967295 bytes, 1048576 are"},
        {"wrong magic", 10, ": said 'GPAQ\\x05\\x00"},
        {"print", 10, ": said 'predicting ..."},
        {"truncated", 10,
         ": exited with status 0 before it predicted rows 3 to 4, like "},
        {"stalls", 0.5,
         ": no prediction for rows 3 to 4 within 0.5 s; --model-timeout"},
        {"drip", 0.5, ": no prediction for rows 0 to 4 within 0.5 s"},
        {"hang", 0.5, ": no prediction for rows 0 to 4 within 0.5 s"},
        {"stubborn later", 0.5, ": no prediction for rows 0 to 4 within 0.5 s"},
        {"endless noise", 0.5, ": no prediction for rows 0 to 4 within 0.5 s"},
        {"closes", 10,
         ": closed its standard output before it predicted rows 0 to 4, "},
        {"crash", 10, ": was killed by signal 11 (SIGSEGV) before it predicted rows 0"},
        {"crash", 10, " to 4, like the one before it; its last words: about to crash"},
        {"kill", 10, ": was killed by signal 9 (SIGKILL: out of memory?) before"},
        {"leaves", 10, ": exited with status 5 before it predicted rows 0 to 4"},
        {"complains", 10, ": rows 0 to 4: ValueError: not like \\x1b this"},
        {"complains of nothing", 10, ": rows 0 to 4: failed, and gives no reason"},
        {"complains at length", 10, ": rows 0 to 4: eeeeeeeeeeeeeee"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {.message = ""};
        double y[5];
        unlink(memory);
        assert_int_equal(open_liar(&m, cases[c].mode, cases[c].timeout, 0, &err),
                         GPA_OK);
        double start = now();
        gpa_status st = gpa_model_predict(m, rows5, 5, y, &err);
        double took = now() - start;
        if (st != GPA_MODEL || strstr(err.message, cases[c].says) == NULL)
            print_error("%s: %d '%s'\n", cases[c].mode, (int)st, err.message);
        assert_int_equal(st, GPA_MODEL);
        assert_memory_equal(err.message, "exec: ", 6);
        assert_non_null(strstr(err.message, cases[c].says));
        assert_true(took < cases[c].timeout + 1);
        if (cases[c].timeout > 1) /* and again, by the same child or its successor */
            assert_int_equal(gpa_model_predict(m, rows5, 5, y, NULL), GPA_MODEL);
        gpa_model_free(m);
    }
}

/* Rows are numbered through the call, whatever the batches are. */
static void test_rows_are_named(void **state)
{
    gpa_model *m = NULL;
    gpa_error err;
    double y[5];
    (void)state;
    assert_int_equal(open_liar(&m, "one answer", 10, 0, NULL), GPA_OK);
    gpa_model_set_batch(m, 2);
    check_five(m); /* a successor for each batch */
    gpa_model_free(m);
    assert_int_equal(open_liar(&m, "complains", 10, 0, NULL), GPA_OK);
    gpa_model_set_batch(m, 1);
    assert_int_equal(gpa_model_predict(m, rows5, 5, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, ": row 0: ValueError"));
    assert_null(strstr(err.message, "; input"));
    size_t d = gpa_model_dim(m);
    double *odd = calloc(d, sizeof *odd);
    odd[d - 1] = 1e300;
    assert_int_equal(gpa_model_predict(m, odd, 1, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "; input "));
    assert_string_equal(strstr(err.message, " is "), " is 1e+300");
    odd[0] = (double)NAN;
    assert_int_equal(gpa_model_predict(m, odd, 1, y, &err), GPA_MODEL);
    assert_string_equal(strstr(err.message, " is "), " is missing, and 1 more");
    free(odd);
    gpa_model_free(m);
}

/* What comes behind the first reply is seen with it, or before the next question. */
static void test_more_than_asked(void **state)
{
    gpa_model *m = NULL;
    gpa_error err = {.message = ""};
    double y[5];
    (void)state;
    assert_int_equal(open_liar(&m, "more", 10, 0, NULL), GPA_OK);
    gpa_status st = gpa_model_predict(m, rows5, 5, y, &err);
    if (st == GPA_OK) {
        assert_memory_equal(y, sums5, sizeof y);
        st = gpa_model_predict(m, rows5, 5, y, &err);
    }
    assert_int_equal(st, GPA_MODEL);
    assert_true(strstr(err.message, ": said more than it was asked for: '") != NULL ||
                strstr(err.message, ": said '") != NULL); /* or it was late by then */
    gpa_model_free(m);
}

static void test_not_a_number(void **state)
{
    gpa_model *m = NULL;
    double y[5];
    (void)state;
    assert_int_equal(open_liar(&m, "nan", 10, 0, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, rows5, 5, y, NULL), GPA_OK);
    assert_true(isnan(y[0]) && isinf(y[1]) && y[2] == 0);
    gpa_model_free(m);
}

/* One crash is forgiven, and the rows are asked again. */
static void test_crash_once(void **state)
{
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(open_liar(&m, "crash once", 10, 0, NULL), GPA_OK);
    check_five(m);
    check_five(m);
    gpa_model_free(m);
}

static void test_successor_differs(void **state)
{
    static const struct {
        const char *mode, *says;
    } cases[] = {
        {"grows", ": started again it takes 3 inputs, not 2"},
        {"other names", ": started again it calls its inputs otherwise"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err;
        double y[5];
        unlink(memory);
        assert_int_equal(open_liar(&m, cases[c].mode, 10, 0, NULL), GPA_OK);
        check_five(m); /* and the child leaves */
        assert_int_equal(gpa_model_predict(m, rows5, 5, y, &err), GPA_MODEL);
        if (strstr(err.message, cases[c].says) == NULL)
            print_error("%s\n", err.message);
        assert_non_null(strstr(err.message, cases[c].says));
        gpa_model_free(m);
    }
}

/* Answers of somebody who has not read the question, small and larger than a pipe. */
static void test_early_answer(void **state)
{
    static double x[4096 * 64], y[4096];
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    assert_int_equal(open_liar(&m, "early", 5, 0, NULL), GPA_OK);
    pause_ms(50);
    assert_int_equal(gpa_model_predict(m, rows5, 5, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, ": said more than it was asked for: 'GPAR"));
    gpa_model_free(m);
    assert_int_equal(open_liar(&m, "skips", 5, 0, NULL), GPA_OK);
    assert_int_equal(gpa_model_set_inputs(m, 64, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 4096, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, ": answered before it had read all of the"));
    gpa_model_free(m);
}

/* One gigabyte on standard error neither stops the child nor stays in memory. */
static void test_noise(void **state)
{
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(open_liar(&m, "noise", 60, 0, NULL), GPA_OK);
    check_five(m);
    gpa_model_free(m);
}

static void test_cannot_start(void **state)
{
    static const struct {
        const char *command;
        gpa_status status;
        const char *says;
    } cases[] = {
        {"no/such/program -x", GPA_MODEL,
         "exec: no/such/program -x: cannot start: No such file or directory; is the "
         "name right, and on the PATH or with a slash?"},
        {"/", GPA_MODEL, "exec: /: cannot start: Permission denied; is the name"},
        {" ", GPA_INVALID, "exec:  : no program; write exec:PROGRAM ARGUMENT..."},
        {"a 'b", GPA_INVALID, "exec: a 'b: a ' that is not closed"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err;
        assert_int_equal(open_exec(&m, cases[c].command, 5, 0, &err), cases[c].status);
        assert_memory_equal(err.message, cases[c].says, strlen(cases[c].says));
        assert_null(m);
    }
}

/* The last number that a child wrote down. */
static pid_t noted_pid(void)
{
    char text[256] = "";
    FILE *f = fopen(memory, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const char *number = text + strspn(text, ".");
    return (pid_t)strtol(number, NULL, 10);
}

/* Gone, or a zombie that whoever adopted it has still to bury. */
static bool is_gone(pid_t pid)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return true;
    bool dead = fscanf(f, "%*d (%*[^)]) %c", &state) != 1 || state == 'Z';
    fclose(f);
    return dead;
}

static bool gone_within(pid_t pid, int ms)
{
    for (int i = 0; i < ms / 10 && !is_gone(pid); i++)
        pause_ms(10);
    return is_gone(pid);
}

/* A child that ends leaves somebody behind, who holds its pipes. */
static void test_whole_family_ends(void **state)
{
    gpa_model *m = NULL;
    gpa_error err;
    double y[5];
    (void)state;
    assert_int_equal(open_liar(&m, "family", 30, 0, NULL), GPA_OK);
    double start = now();
    assert_int_equal(gpa_model_predict(m, rows5, 5, y, &err), GPA_MODEL);
    assert_true(now() - start < 2);
    assert_non_null(strstr(err.message, ": exited with status 4 before it predicted"));
    pid_t pid = noted_pid();
    assert_true(pid > 1);
    assert_true(gone_within(pid, 1000));
    gpa_model_free(m);
}

/* Even a kill -9 of the process that uses the library leaves no child behind, not one
 * that neither reads nor heeds SIGTERM. */
static void test_nobody_outlives_us(void **state)
{
    (void)state;
    (void)built("GPA_TEST_LIAR");
    pid_t user = fork();
    assert_true(user >= 0);
    if (user == 0) {
        gpa_model *m = NULL;
        _exit(open_liar(&m, "stubborn", 60, 0, NULL) == GPA_OK);
    }
    for (int i = 0; i < 500 && access(memory, F_OK) != 0; i++)
        pause_ms(10);
    pause_ms(50);
    pid_t child = noted_pid();
    assert_true(child > 1);
    assert_false(is_gone(child));
    kill(user, SIGKILL);
    assert_int_equal(waitpid(user, NULL, 0), user);
    assert_true(gone_within(child, 5000));
}

struct user {
    pthread_t thread;
    gpa_model *m;
    gpa_status status;
    gpa_error err;
    size_t good;
};

static void *use(void *arg)
{
    struct user *u = arg;
    for (int i = 0; i < 50; i++) {
        double x[6] = {i, 1, i, 2, i, 3}, y[3] = {0};
        u->status = gpa_model_predict(u->m, x, 3, y, &u->err);
        if (u->status != GPA_OK)
            break;
        u->good += y[0] == i + 1 && y[1] == i + 2 && y[2] == i + 3;
    }
    return NULL;
}

static void let_them_use(struct user *users, size_t n, gpa_model *m)
{
    for (size_t i = 0; i < n; i++) {
        users[i] = (struct user){.status = GPA_OK};
        assert_int_equal(gpa_model_clone(&users[i].m, m, NULL), GPA_OK);
        assert_int_equal(pthread_create(&users[i].thread, NULL, use, &users[i]), 0);
    }
    for (size_t i = 0; i < n; i++) {
        pthread_join(users[i].thread, NULL);
        gpa_model_free(users[i].m);
    }
}

static size_t starts(void)
{
    FILE *f = fopen(memory, "r");
    size_t n = 0;
    while (f != NULL && fgetc(f) != EOF)
        n++;
    if (f != NULL)
        fclose(f);
    return n;
}

/* As many children as are allowed, and no more than there are threads. */
static void test_threads(void **state)
{
    (void)state;
    for (size_t workers = 0; workers < 4; workers++) {
        struct user users[6];
        gpa_model *m = NULL;
        unlink(memory);
        assert_int_equal(open_liar(&m, "honest", 30, workers, NULL), GPA_OK);
        let_them_use(users, 6, m);
        gpa_model_free(m);
        for (size_t i = 0; i < 6; i++) {
            assert_int_equal(users[i].status, GPA_OK);
            assert_int_equal(users[i].good, 50);
        }
        assert_in_range(starts(), 1, workers > 0 ? workers : 6);
    }
}

/* Those who wait for a child that hangs do not wait for theirs to hang as well. */
static void test_threads_time_out_together(void **state)
{
    struct user users[6];
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(open_liar(&m, "hang", 0.5, 1, NULL), GPA_OK);
    double start = now();
    let_them_use(users, 6, m);
    assert_true(now() - start < 2 * 1.5); /* a thread may have come late */
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(users[i].status, GPA_MODEL);
        assert_non_null(strstr(users[i].err.message, " within 0.5 s"));
    }
    gpa_model_free(m);
}

/* A fork of this process must neither talk to the children nor end them. */
static void test_fork(void **state)
{
    gpa_model *m = NULL;
    int status = -1;
    (void)state;
    assert_int_equal(open_liar(&m, "honest", 10, 0, NULL), GPA_OK);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        double y[5];
        gpa_error err;
        gpa_status st = gpa_model_predict(m, rows5, 5, y, &err);
        gpa_model_free(m);
        _exit(st == GPA_INVALID && strstr(err.message, "forked") != NULL ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    check_five(m);
    gpa_model_free(m);
}

/* In a process of its own, because it spoils it; 0 is success. */
static void in_a_fork(int (*test)(void))
{
    int status = -1;
    (void)built("GPA_TEST_LIAR");
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(test());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static int five_are_right(const char *mode)
{
    gpa_model *m = NULL;
    double y[5];
    if (open_liar(&m, mode, 10, 0, NULL) != GPA_OK)
        return 1;
    if (gpa_model_predict(m, rows5, 5, y, NULL) != GPA_OK)
        return 2;
    gpa_model_free(m);
    return memcmp(y, sums5, sizeof y) == 0 ? 0 : 3;
}

static int without_stdio(void)
{
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    return five_are_right("honest");
}

static int with_children_ignored(void)
{
    signal(SIGCHLD, SIG_IGN);
    int bad = five_are_right("honest");
    return bad != 0 ? bad : five_are_right("crash once");
}

static void nothing(int number)
{
    (void)number;
}

/* Signals in between, at every system call, change nothing. */
static int with_interruptions(void)
{
    struct sigaction act = {.sa_handler = nothing}; /* no SA_RESTART */
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    int bad = 0;
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 20 && bad == 0; i++)
        bad = five_are_right("crash once");
    setitimer(ITIMER_REAL, &never, NULL);
    return bad;
}

static void test_odd_processes(void **state)
{
    (void)state;
    in_a_fork(without_stdio);
    unlink(memory);
    in_a_fork(with_children_ignored);
    in_a_fork(with_interruptions);
}

/* A child that stops reading must not end us by SIGPIPE, whose treatment stays as it
 * was, and one that is pending stays pending. */
static void test_broken_pipe(void **state)
{
    static double x[400000], y[200000];
    gpa_model *m = NULL;
    gpa_error err;
    struct sigaction act;
    sigset_t set, before, after;
    (void)state;
    assert_int_equal(sigaction(SIGPIPE, NULL, &act), 0);
    assert_true(act.sa_handler == SIG_DFL);
    for (int held = 0; held < 2; held++) {
        sigemptyset(&set);
        sigaddset(&set, SIGPIPE);
        if (held == 1) {
            pthread_sigmask(SIG_BLOCK, &set, NULL);
            raise(SIGPIPE);
        }
        pthread_sigmask(SIG_BLOCK, NULL, &before);
        assert_int_equal(open_liar(&m, "leaves", 10, 0, NULL), GPA_OK);
        gpa_model_set_batch(m, 200000);
        assert_int_equal(gpa_model_predict(m, x, 200000, y, &err), GPA_MODEL);
        assert_non_null(strstr(err.message, ": exited with status 5 before it "));
        gpa_model_free(m);
        pthread_sigmask(SIG_BLOCK, NULL, &after);
        for (int i = 1; i < 32; i++)
            assert_int_equal(sigismember(&after, i), sigismember(&before, i));
        sigpending(&after);
        assert_int_equal(sigismember(&after, SIGPIPE), held);
    }
    struct timespec at_once = {0};
    assert_int_equal(sigtimedwait(&set, NULL, &at_once), SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void test_without_memory(void **state)
{
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model *m = NULL, *copy = NULL;
            double y[5];
            unlink(memory);
            gpai_alloc_fail_at(k, for_ever == 1);
            st = open_liar(&m, "one answer", 10, 0, NULL);
            if (st == GPA_OK)
                st = gpa_model_clone(&copy, m, NULL);
            if (st == GPA_OK)
                st = gpa_model_predict(copy, rows5, 5, y, NULL);
            if (st == GPA_OK) /* by a successor */
                st = gpa_model_predict(m, rows5, 5, y, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK || st == GPA_NOMEM);
            if (m != NULL)
                check_five(m);
            gpa_model_free(copy);
            gpa_model_free(m);
        }
        assert_true(k > 7);
    }
}

static void test_names_without_memory(void **state)
{
    gpa_status st = GPA_NOMEM;
    size_t k = 1;
    (void)state;
    for (; st != GPA_OK; k++) {
        gpa_model *m = NULL;
        unlink(memory);
        gpai_alloc_fail_at(k, false);
        st = open_liar(&m, "names", 10, 0, NULL);
        gpai_alloc_fail_at(0, false);
        assert_true(st == GPA_OK || st == GPA_NOMEM);
        gpa_model_free(m);
    }
    assert_true(k > 8);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_honest),
        TEST(test_names_and_any),
        TEST(test_large),
        TEST(test_example),
        TEST(test_bad_hello),
        TEST(test_bad_answer),
        TEST(test_rows_are_named),
        TEST(test_more_than_asked),
        TEST(test_not_a_number),
        TEST(test_crash_once),
        TEST(test_successor_differs),
        TEST(test_early_answer),
        TEST(test_noise),
        TEST(test_cannot_start),
        TEST(test_whole_family_ends),
        TEST(test_nobody_outlives_us),
        TEST(test_threads),
        TEST(test_threads_time_out_together),
        TEST(test_fork),
        TEST(test_odd_processes),
        TEST(test_broken_pipe),
        TEST(test_without_memory),
        TEST(test_names_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

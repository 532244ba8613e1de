/* Files into memory: whole, in pieces, too large, and not there at all. */
#include "data_support.h"

#include "data/slurp.h"
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void test_file(void **state)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t n = sizes[i], size = 1;
        char *want = calloc(n + 1, 1), *got = NULL;
        for (size_t k = 0; k < n; k++)
            want[k] = (char)(k * 7 + k / 251);
        struct scratch f = scratch_file(want, n);
        assert_int_equal(gpai_slurp(&got, &size, f.path, n, NULL), GPA_OK);
        assert_int_equal(size, n);
        assert_memory_equal(got, want, n + 1); /* with the zero byte at the end */
        gpai_free(got);
        unlink(f.path);
        free(want);
    }
}

static void test_too_large(void **state)
{
    struct scratch f = scratch_text("12345");
    gpa_error err = {GPA_OK, ""};
    char *got = NULL, want[160];
    size_t size = 0;
    (void)state;
    assert_int_equal(gpai_slurp(&got, &size, f.path, 4, &err), GPA_DATA);
    snprintf(want, sizeof want, "%s: larger than the limit of 4 bytes", f.path);
    assert_string_equal(err.message, want);
    assert_null(got);
    unlink(f.path);
    /* no size to be known beforehand */
    assert_int_equal(gpai_slurp(&got, &size, "/dev/zero", 100000, &err), GPA_DATA);
    assert_string_equal(err.message,
                        "/dev/zero: larger than the limit of 100000 bytes");
}

static void test_not_there(void **state)
{
    gpa_error err = {GPA_OK, ""};
    char *got = NULL, path[128];
    size_t size = 0;
    (void)state;
    assert_int_equal(gpai_slurp(&got, &size, "no/such file", 10, &err), GPA_IO);
    assert_string_equal(err.message,
                        "no/such file: cannot read: No such file or directory");
    assert_int_equal(err.status, GPA_IO);
    assert_int_equal(gpai_slurp(&got, &size, ".", 10, &err), GPA_IO);
    assert_string_equal(err.message, ".: cannot read: Is a directory");
    assert_int_equal(gpai_slurp(&got, &size, "", 10, &err), GPA_IO);
    assert_int_equal(gpai_slurp(&got, &size, "no/such file", 10, NULL), GPA_IO);
    struct scratch f = scratch_text("x");
    snprintf(path, sizeof path, "%s/x", f.path);
    assert_int_equal(gpai_slurp(&got, &size, path, 10, &err), GPA_IO);
    assert_non_null(strstr(err.message, "Not a directory"));
    assert_null(got);
    unlink(f.path);
}

static void test_unreadable(void **state)
{
    struct scratch f = scratch_text("x");
    gpa_error err = {GPA_OK, ""};
    char *got = NULL;
    size_t size = 0;
    (void)state;
    assert_int_equal(chmod(f.path, 0), 0);
    bool root = geteuid() == 0; /* who reads everything */
    bool tried = !root || seteuid(65534) == 0;
    gpa_status st = gpai_slurp(&got, &size, f.path, 10, &err);
    if (root && tried)
        assert_int_equal(seteuid(0), 0);
    unlink(f.path);
    gpai_free(got);
    if (!tried)
        skip();
    assert_int_equal(st, GPA_IO);
    assert_non_null(strstr(err.message, "Permission denied"));
}

/* An open file that fails while it is read. */
static void test_read_error(void **state)
{
    gpa_error err = {GPA_OK, ""};
    char *got = NULL;
    size_t size = 0;
    (void)state;
    if (access("/proc/self/mem", R_OK) != 0)
        skip();
    assert_int_equal(gpai_slurp(&got, &size, "/proc/self/mem", 10, &err), GPA_IO);
    assert_string_equal(err.message, "/proc/self/mem: cannot read: Input/output error");
    assert_null(got);
}

static void on_alarm(int signal_number)
{
    (void)signal_number;
}

/* Standard input from a pipe that trickles, with signals arriving in between. */
static void test_standard_input(void **state)
{
    int fd[2], saved = dup(STDIN_FILENO), status = 0;
    struct sigaction act = {.sa_handler = on_alarm}; /* no SA_RESTART: EINTR */
    char *got = NULL;
    size_t size = 0;
    (void)state;
    assert_int_equal(pipe(fd), 0);
    assert_int_equal(sigaction(SIGUSR1, &act, NULL), 0);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        struct timespec pause = {0, 2000000};
        close(fd[0]);
        for (int i = 0; i < 20; i++) {
            nanosleep(&pause, NULL);
            kill(parent, SIGUSR1);
            if (write(fd[1], "abcdefghij", 10) != 10)
                _exit(1);
        }
        _exit(0);
    }
    close(fd[1]);
    dup2(fd[0], STDIN_FILENO);
    close(fd[0]);
    gpa_status st = gpai_slurp(&got, &size, "-", 1000, NULL);
    dup2(saved, STDIN_FILENO);
    close(saved);
    while (waitpid(child, &status, 0) < 0)
        continue;
    assert_int_equal(status, 0);
    assert_int_equal(st, GPA_OK);
    assert_int_equal(size, 200);
    for (size_t i = 0; i < 200; i++)
        assert_int_equal(got[i], "abcdefghij"[i % 10]);
    gpai_free(got);
}

/* No descriptor stays open, whatever happens. */
static void test_descriptors(void **state)
{
    struct scratch f = scratch_text("12345");
    char *got = NULL;
    size_t size = 0;
    int before = dup(STDIN_FILENO);
    (void)state;
    close(before);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(gpai_slurp(&got, &size, f.path, 9, NULL), GPA_OK);
        gpai_free(got);
        assert_int_equal(gpai_slurp(&got, &size, f.path, 2, NULL), GPA_DATA);
        assert_int_equal(gpai_slurp(&got, &size, ".", 2, NULL), GPA_IO);
    }
    unlink(f.path);
    int after = dup(STDIN_FILENO);
    close(after);
    assert_int_equal(after, before);
}

static gpa_status slurp_it(void *ctx, gpa_error *err)
{
    char *got = NULL;
    size_t size = 0;
    gpa_status st = gpai_slurp(&got, &size, ctx, 1 << 20, err);
    gpai_free(got);
    return st;
}

static void test_no_memory(void **state)
{
    struct scratch f = scratch_text("12345");
    (void)state;
    every_allocation_fails(slurp_it, f.path);
    unlink(f.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_not_there),   cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_read_error),  cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_descriptors), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

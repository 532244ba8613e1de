/* A child process for the tests of exec: honest (f = the sum of the inputs, of which it
 * has two) but for the one thing that its first argument names. The second is a file,
 * for those who have to remember something from one start to the next. Those whose mode
 * begins with "words" take text, and are the model of tests/servers/words.py. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *mode, *file;

static bool is(const char *name)
{
    return strcmp(mode, name) == 0;
}

static void nap(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    nanosleep(&t, NULL);
}

static void hang(void)
{
    for (;;)
        nap(10);
}

static void say(const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, stdout) != n || fflush(stdout) != 0)
        _exit(9);
}

static void drip(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        say(bytes + i, 1);
        nap(0.1);
    }
}

static size_t file_size(void)
{
    FILE *f = fopen(file, "rb");
    size_t n = 0;
    while (f != NULL && fgetc(f) != EOF)
        n++;
    if (f != NULL)
        fclose(f);
    return n;
}

static void note(const char *text)
{
    FILE *f = fopen(file, "ab");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        _exit(9);
}

static void note_pid(pid_t pid)
{
    char text[32];
    snprintf(text, sizeof text, "%ld\n", (long)pid);
    note(text);
}

static void head(char *to, const char *magic, uint32_t a, uint32_t b)
{
    memcpy(to, magic, 4);
    memcpy(to + 4, &a, 4); /* little-endian, as the machines of the tests are */
    memcpy(to + 8, &b, 4);
}

static void say_hello(const char *magic, uint32_t version, uint32_t inputs,
                      uint32_t size, const char *names, size_t length)
{
    char bytes[16];
    head(bytes, magic, version, inputs);
    memcpy(bytes + 12, &size, 4);
    say(bytes, sizeof bytes);
    say(names, length);
}

static bool takes_words(void)
{
    return strncmp(mode, "words", 5) == 0;
}

/* How it begins; most are honest. */
static void begin(void)
{
    if (is("silent"))
        hang();
    if (is("stubborn")) {
        signal(SIGTERM, SIG_IGN);
        note_pid(getpid());
        hang();
    }
    if (is("text"))
        say("Loading the model ...\n", 22);
    if (is("hi")) {
        say("hi", 2);
        hang();
    }
    if (is("exit")) {
        fprintf(stderr, "first line\nNoModelError: \x1b[31mnothing here\n\n");
        _exit(3);
    }
    if (is("half hello")) {
        say("GPAH\1\0\0\0", 8);
        _exit(0);
    }
    if (is("slow hello"))
        drip("GPAH\1\0\0\0\2\0\0\0\0\0\0\0", 16);
    if (is("magic"))
        say_hello("GPAX", 1, 2, 0, "", 0);
    if (is("version"))
        say_hello("GPAH", 7, 2, 0, "", 0);
    if (is("4 GB of names"))
        say_hello("GPAH", 1, 2, UINT32_MAX, "", 0);
    if (is("few names"))
        say_hello("GPAH", 1, 2, 2, "a\n", 2);
    if (is("many names"))
        say_hello("GPAH", 1, 2, 6, "a\nb\nc\n", 6);
    if (is("zero name"))
        say_hello("GPAH", 1, 2, 4, "a\0b\n", 4);
    if (is("names of any"))
        say_hello("GPAH", 1, 0, 4, "a\nb\n", 4);
    if (is("late names")) {
        say_hello("GPAH", 1, 2, 4, "a\n", 2);
        hang();
    }
    if (takes_words())
        say_hello("GPAH", 2, 0, 0, "", 0);
    else if (is("any") || is("skips"))
        say_hello("GPAH", 1, 0, 0, "", 0);
    else if (is("names") || is("other names"))
        say_hello("GPAH", 1, 2, 5, file_size() > 0 ? "p\nr s" : "p\nq s", 5);
    else
        say_hello("GPAH", 1, is("grows") && file_size() > 0 ? 3 : 2, 0, "", 0);
}

/* What it was told of its inputs: the frame as it came, and where its levels begin. */
enum { WORDS_INPUTS = 5 };
static unsigned char *told;
static size_t told_size;
static uint32_t writing[WORDS_INPUTS];
static size_t level_count[WORDS_INPUTS], level_at[WORDS_INPUTS];

static uint32_t number_at(size_t at)
{
    uint32_t v = 0;
    if (at + 4 > told_size)
        _exit(6);
    memcpy(&v, told + at, 4);
    return v;
}

static void hear_kinds(uint32_t inputs, uint32_t size)
{
    size_t at = 0;
    note("K");
    told = realloc(told, size + 1);
    told_size = size;
    if (inputs != WORDS_INPUTS || told == NULL || fread(told, size, 1, stdin) != 1)
        _exit(6);
    for (size_t k = 0; k < inputs; k++) {
        writing[k] = number_at(at);
        at += 8 + number_at(at + 4);
        level_count[k] = number_at(at);
        level_at[k] = at += 4;
        for (size_t i = 0; i < level_count[k]; i++)
            at += 12 + number_at(at + 8);
    }
    if (at != size)
        _exit(6);
}

static double worth(size_t k, double code)
{
    size_t at = level_at[k], total = 0, n;
    for (size_t i = 0; code == code && i < level_count[k]; i++, at += 12 + n) {
        double c;
        memcpy(&c, told + at, 8);
        n = number_at(at + 8);
        for (size_t b = 0; c == code && b < n; b++)
            total = (total + (b + 1) * told[at + 12 + b]) % 1000;
        if (c == code)
            return n == 0 ? -3.25 : (double)total / 16 + (double)n / 1024;
    }
    return -3.25;
}

static double words(const double *x)
{
    static const uint32_t want[WORDS_INPUTS] = {0, 1, 1, 2, 3};
    if (told == NULL || memcmp(writing, want, sizeof want) != 0)
        _exit(6);
    double day = x[3] == x[3] ? x[3] : 7, at = x[4] == x[4] ? x[4] : 7;
    return 2 * x[0] + worth(1, x[1]) + 3 * worth(2, x[2]) + day / 8 + at / 1e6;
}

/* Ends, or does nothing. */
static void break_down(void)
{
    if (is("crash") || (is("crash once") && file_size() <= 1)) {
        fprintf(stderr, "about to crash\n");
        signal(SIGSEGV, SIG_DFL); /* sanitizers like to catch it */
        raise(SIGSEGV);
    }
    if (is("kill"))
        raise(SIGKILL);
    if (is("hang"))
        hang();
    if (is("closes")) {
        fclose(stdout);
        hang();
    }
    if (is("family")) { /* with somebody left who holds the pipes */
        pid_t pid = fork();
        if (pid == 0)
            hang();
        note_pid(pid);
        _exit(4);
    }
    if (is("stubborn later")) {
        signal(SIGTERM, SIG_IGN);
        hang();
    }
}

static void make_noise(size_t megabytes)
{
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (size_t i = 0; i < megabytes * 16; i++)
        if (write(STDERR_FILENO, line, sizeof line) < 0)
            _exit(8);
}

static void complain(uint32_t rows, const char *text, size_t n)
{
    char bytes[12];
    head(bytes, "GPAR", rows, (uint32_t)n);
    say(bytes, sizeof bytes);
    say(text, n);
}

/* A reply that is no honest one; false when there is none. */
static bool lie(uint32_t rows, double *y)
{
    char bytes[12];
    head(bytes, "GPAR", rows, 0);
    if (is("print"))
        say("predicting ...\n", 15);
    if (is("noise"))
        make_noise(1024);
    if (is("endless noise"))
        make_noise(1 << 30);
    if (is("few") || is("many"))
        head(bytes, "GPAR", is("few") ? rows - 2 : rows + 1, 0);
    else if (is("4 GB"))
        head(bytes, "GPAR", 0, UINT32_MAX);
    else if (is("4 G rows"))
        head(bytes, "GPAR", UINT32_MAX, 0);
    else if (is("wrong magic"))
        head(bytes, "GPAQ", rows, 0);
    else if (is("nan"))
        y[0] = 0.0 / 0.0, y[1] = 1.0 / 0.0;
    else if (is("truncated") || is("stalls")) {
        say(bytes, sizeof bytes);
        say(y, rows * sizeof *y - 9);
        if (is("stalls"))
            hang();
        _exit(0);
    } else if (is("drip")) {
        say(bytes, sizeof bytes);
        drip((const char *)y, rows * sizeof *y);
        return true;
    } else if (is("complains")) {
        complain(0, "ValueError: not\nlike \x1b this\n", 27);
        return true;
    } else if (is("complains of nothing")) {
        complain(rows, " ", 1);
        return true;
    } else if (is("complains at length")) {
        static char text[1 << 20];
        memset(text, 'e', sizeof text);
        complain(0, text, sizeof text);
        return true;
    } else if (!is("more")) {
        return false;
    }
    say(bytes, sizeof bytes);
    say(y, rows * sizeof *y);
    if (is("more") || is("many"))
        say(y, sizeof *y);
    return true;
}

/* Answers without having read the rows. */
static void answer_early(uint32_t rows)
{
    static double y[4096];
    char bytes[12];
    head(bytes, "GPAR", rows, 0);
    say(bytes, sizeof bytes);
    say(y, rows * sizeof *y);
    hang();
}

int main(int argc, char **argv)
{
    uint32_t request[3];
    mode = argc > 1 ? argv[1] : "honest";
    file = argc > 2 ? argv[2] : "/dev/null";
    begin();
    if (argc > 2)
        note("."); /* one byte per start */
    if (is("early"))
        answer_early(5);
    while (fread(request, sizeof request, 1, stdin) == 1) {
        char bytes[12];
        uint32_t rows = request[1], inputs = request[2];
        if (takes_words() && memcmp(request, "GPAK", 4) == 0) {
            hear_kinds(request[1], request[2]);
            continue;
        }
        if (is("skips"))
            answer_early(rows);
        if (is("leaves"))
            _exit(5);
        double *x = calloc((size_t)rows * inputs + 1, sizeof *x);
        double *y = calloc(rows + 1, sizeof *y);
        if (x == NULL || y == NULL || memcmp(request, "GPAQ", 4) != 0 ||
            fread(x, sizeof *x * inputs, rows, stdin) != rows)
            _exit(7);
        for (size_t i = 0; i < (size_t)rows * inputs; i++)
            y[i / inputs] += x[i];
        for (size_t i = 0; takes_words() && i < rows; i++)
            y[i] = words(x + i * inputs);
        break_down();
        if (!lie(rows, y)) {
            head(bytes, "GPAR", rows, 0);
            say(bytes, sizeof bytes);
            say(y, rows * sizeof *y);
        }
        free(y);
        free(x);
        if (is("words once") || is("one answer") || is("grows") || is("other names"))
            _exit(0);
    }
    return 0;
}

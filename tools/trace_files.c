/* Linked into a program that was compiled with -finstrument-functions: appends the
 * address of each function to the file $GPA_TRACE when it is first entered. A line is a
 * program's path and the address as the program's file has it. See trace_files.py. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

enum { ROOM = 1 << 16 }; /* many more than there are functions */
static _Atomic(void *) seen[ROOM];
static char program[4096];
static uintptr_t base; /* where the program was loaded */
static int out = -1;

void __cyg_profile_func_enter(void *function, void *caller) PLAIN;
void __cyg_profile_func_exit(void *function, void *caller) PLAIN;

static PLAIN int take_base(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size, (void)ctx;
    base = info->dlpi_addr;
    return 1; /* the first is the program */
}

PLAIN __attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("GPA_TRACE");
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    dl_iterate_phdr(take_base, NULL);
    if (path != NULL && length > 0)
        out = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

/* Whether a function is entered for the first time, by whatever thread. */
static PLAIN int is_new(void *function)
{
    for (size_t i = ((uintptr_t)function >> 4) % ROOM;; i = (i + 1) % ROOM) {
        void *there = NULL;
        if (atomic_compare_exchange_strong(&seen[i], &there, function))
            return 1;
        if (there == function)
            return 0;
    }
}

void __cyg_profile_func_enter(void *function, void *caller)
{
    char line[sizeof program + 32];
    (void)caller;
    if (out < 0 || !is_new(function))
        return;
    int n = snprintf(line, sizeof line, "%s\t%#zx\n", program,
                     (size_t)((uintptr_t)function - base));
    if (n > 0 && write(out, line, (size_t)n) != n)
        _exit(125);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
}

/* Does one forbidden thing. Under the sanitizers each must end the process; a run in
 * which it passes was not sanitized, and its good news would mean nothing. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_past_the_end(void)
{
    volatile size_t beyond = 4;
    volatile char *block = calloc(4, 1);
    int seen = block != NULL ? block[beyond] : 0;
    free((void *)(uintptr_t)block);
    return seen & 0;
}

static int overflow(void)
{
    volatile int big = INT_MAX;
    big = big + 1;
    return big & 0;
}

static int leak(void)
{
    void *volatile lost = malloc(100);
    lost = NULL;
    return lost != NULL;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "address") == 0)
        return read_past_the_end();
    if (argc == 2 && strcmp(argv[1], "undefined") == 0)
        return overflow();
    if (argc == 2 && strcmp(argv[1], "leak") == 0)
        return leak();
    fprintf(stderr, "usage: canary address|undefined|leak\n");
    return 0; /* a wrong call passes, which is a failure here */
}

/* A model behind gpa in plain C: f(x) = 1 + 2 x1 - 3 x2, for little-endian machines.
 * The frames are described in docs/connect/exec.md.
 *
 *   cc -o linear linear.c && gpa score --model exec:./linear data.csv */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    struct {
        char magic[4];
        uint32_t rows, inputs;
    } head;
    const uint32_t hello[3] = {1, 2, 6}; /* version, inputs, bytes of their names */
    fwrite("GPAH", 1, 4, stdout);
    fwrite(hello, sizeof hello, 1, stdout);
    fputs("x1\nx2\n", stdout);
    fflush(stdout);
    while (fread(&head, sizeof head, 1, stdin) == 1) {
        double *x = malloc(head.rows * sizeof *x * 2),
               *y = malloc(head.rows * sizeof *y);
        if (x == NULL || y == NULL || fread(x, 16, head.rows, stdin) != head.rows)
            return 1;
        for (uint32_t i = 0; i < head.rows; i++)
            y[i] = 1 + 2 * x[2 * i] - 3 * x[2 * i + 1];
        const uint32_t reply[2] = {head.rows, 0}; /* no error text */
        fwrite("GPAR", 1, 4, stdout);
        fwrite(reply, sizeof reply, 1, stdout);
        fwrite(y, sizeof *y, head.rows, stdout);
        fflush(stdout);
        free(y);
        free(x);
    }
    return 0;
}

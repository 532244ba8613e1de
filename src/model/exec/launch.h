#ifndef GPAI_MODEL_EXEC_LAUNCH_H
#define GPAI_MODEL_EXEC_LAUNCH_H
#include <stdbool.h>
#include <sys/types.h>

/* Runs a program, found along PATH, in process group `group` (0: one of its own), with
 * these as its standard input, output and error (-1: nowhere) and no other descriptors,
 * and with its signals as a shell would give them. Gives 0, or an error number as errno
 * has them and *pid = 0. */
int gpai_launch(pid_t *pid, char **argv, pid_t group, const int stdio[3]);

/* A pipe that other programs do not inherit; its end `ours`, 0 to read or 1 to write,
 * never blocks. `wide`: for batches of rows. False leaves what there is of it, or -1.
 */
bool gpai_pipe(int ends[2], int ours, bool wide);

void gpai_shut(int *fd); /* closes it, if it is open, and makes it -1 */

#endif

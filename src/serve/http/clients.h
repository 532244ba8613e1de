#ifndef GPA_SERVE_HTTP_CLIENTS_H
#define GPA_SERVE_HTTP_CLIENTS_H
#include <stdbool.h>
#include <stdint.h>

/* The connections, and until when each has to have done what it does: whoever sends or
 * takes a byte now and then would keep one for ever. */
struct clients;
struct client;

struct clients *clients_new(void); /* NULL: without memory, or no thread */
void clients_free(struct clients *c);
uint64_t clients_cut(struct clients *c); /* how many were cut so far */

/* One that has come; NULL without memory. */
struct client *client_new(struct clients *c, int socket);
void client_free(struct client *c);
/* It has so many seconds from now; 0: as long as it takes. */
void client_give(struct client *c, double seconds);

#endif

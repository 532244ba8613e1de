#ifndef GPA_SERVE_ROUTES_H
#define GPA_SERVE_ROUTES_H
#include "serve/exchange.h"

/* What can be asked, where, and how. */
enum lane {
    LANE_NONE,
    LANE_QUICK,
    LANE_SLOW
}; /* who answers: nobody but us; workers */

struct route {
    enum method method;
    const char *path; /* below the base; ends with a slash: anything may follow */
    answer_fn *answer;
    enum lane lane;
    bool page; /* shown by a browser: other sites may lead to it */
    bool open; /* without a token */
};

/* NULL: there is none, and *allow says which methods there are, or is NULL. */
const struct route *route_find(const struct request *r, const char **allow);

#endif

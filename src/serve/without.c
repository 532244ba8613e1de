#include "console/terminal.h"
#include "serve/serve.h"

/* In place of the server, where libmicrohttpd was not there when this was built. */
int cmd_serve(const gpai_options *a)
{
    (void)a;
    say("serve: this gpa was built without its server: install libmicrohttpd (Debian: "
        "libmicrohttpd-dev) and build it again");
    return EXIT_USAGE;
}

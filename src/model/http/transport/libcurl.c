#define _GNU_SOURCE /* RTLD_NODELETE */
#include "model/http/transport/libcurl.h"
#include "base/status.h"
#include "base/text/show.h"
#include <dlfcn.h>
#include <string.h>

/* By the names of its builds with OpenSSL and with GnuTLS, which are the same to us. */
static void *open_any(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return library;
}

/* Why the loader failed, as one safe line. */
static gpa_status fail_loader(const char *kind, const char *what, gpa_error *err)
{
    const char *said = dlerror();
    char why[160] = "";
    gpai_show_line(why, sizeof why, said != NULL ? said : "", said ? strlen(said) : 0);
    return gpai_fail(err, GPA_MODEL,
                     "%s: servers are asked through libcurl, %s (%s); on Debian: "
                     "apt-get install libcurl4",
                     kind, what, why);
}

gpa_status gpai_curl_load(gpai_curl *curl, const char *kind, gpa_error *err)
{
    void *library = open_any(), *symbol;
    if (library == NULL)
        return fail_loader(kind, "which is not there", err);
    const char *missing = NULL;
/* ISO C has no conversion between the two kinds of pointer; POSIX promises the same
 * representation. */
#define X(name, text)                                                                  \
    symbol = dlsym(library, #text);                                                    \
    missing = symbol == NULL && missing == NULL ? #text : missing;                     \
    memcpy(&curl->name, &symbol, sizeof symbol);
    GPAI_CURL_LIST(X)
#undef X
    gpa_status st = GPA_OK;
    if (missing != NULL)
        st = gpai_fail(err, GPA_MODEL, "%s: libcurl is too old: it has no %s", kind,
                       missing);
    dlclose(library);
    return st;
}

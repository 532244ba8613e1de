#ifndef GPAI_MODEL_HTTP_TRANSPORT_LIBCURL_H
#define GPAI_MODEL_HTTP_TRANSPORT_LIBCURL_H
/* The library that is loaded may be older than these headers: what is deprecated in
 * them is what all of them know. */
#define CURL_DISABLE_DEPRECATION
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <gpa/status.h>

/* What is used of libcurl: X(name here, curl's). */
#define GPAI_CURL_LIST(X)                                                              \
    X(release, curl_free)                                                              \
    X(url_new, curl_url)                                                               \
    X(url_free, curl_url_cleanup)                                                      \
    X(url_get, curl_url_get)                                                           \
    X(url_set, curl_url_set)                                                           \
    X(easy_new, curl_easy_init)                                                        \
    X(easy_free, curl_easy_cleanup)                                                    \
    X(easy_set, curl_easy_setopt)                                                      \
    X(easy_get, curl_easy_getinfo)                                                     \
    X(easy_text, curl_easy_strerror)                                                   \
    X(multi_new, curl_multi_init)                                                      \
    X(multi_free, curl_multi_cleanup)                                                  \
    X(multi_add, curl_multi_add_handle)                                                \
    X(multi_remove, curl_multi_remove_handle)                                          \
    X(multi_perform, curl_multi_perform)                                               \
    X(multi_poll, curl_multi_poll)                                                     \
    X(multi_read, curl_multi_info_read)                                                \
    X(multi_text, curl_multi_strerror)

/* libcurl, loaded when a server is first asked for: whoever asks none does not need it,
 * nor waits for the dozens of libraries behind it. */
typedef struct gpai_curl {
#define X(name, symbol) __typeof__(symbol) *name;
    GPAI_CURL_LIST(X)
#undef X
} gpai_curl;

/* Fills in the functions. GPA_MODEL, naming `kind`, where there is no libcurl. Once
 * loaded it stays: other parts of the program may use it, too. */
gpa_status gpai_curl_load(gpai_curl *curl, const char *kind, gpa_error *err);

#endif

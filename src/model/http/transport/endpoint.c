#include "base/alloc.h"
#include "base/status.h"
#include "model/http/transport/http.h"
#include <gpa/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool init_connections(gpai_connections *c, size_t limit)
{
    *c = (gpai_connections){.limit = limit};
    if (pthread_mutex_init(&c->lock, NULL) != 0)
        return false;
    c->ready = pthread_cond_init(&c->changed, NULL) == 0;
    if (!c->ready)
        pthread_mutex_destroy(&c->lock);
    return c->ready;
}

/* Also when they could not be made. */
static void destroy_connections(gpai_connections *c)
{
    if (!c->ready)
        return;
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
}

/* The lock is held. */
static gpa_status wait_for_one(gpai_connections *c, gpa_error *err)
{
    size_t failures = c->failures;
    gpa_status st = GPA_OK;
    c->waiting++;
    while (c->limit > 0 && c->used >= c->limit && c->failures == failures)
        pthread_cond_wait(&c->changed, &c->lock);
    c->waiting--;
    if (c->failures != failures)
        st = gpai_fail(err, c->last.status, "%s", c->last.message);
    return st;
}

gpa_status gpai_connections_take(gpai_connections *c, size_t wanted, size_t *got,
                                 gpa_error *err)
{
    pthread_mutex_lock(&c->lock);
    gpa_status st = wait_for_one(c, err);
    size_t most = c->limit > 0 ? c->limit : GPAI_CONNECTIONS_FEW;
    *got = 0;
    if (st == GPA_OK) {
        *got = 1;
        /* the others' first connection goes before our second */
        while (*got < wanted && c->waiting == 0 && c->used + *got < most)
            ++*got;
        c->used += *got;
    }
    pthread_mutex_unlock(&c->lock);
    return st;
}

void gpai_connections_return(gpai_connections *c, size_t got, const gpa_error *err)
{
    pthread_mutex_lock(&c->lock);
    c->used -= got;
    if (err != NULL) {
        c->failures++;
        c->last = *err;
    }
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static gpa_status refuse(const gpai_url_form *f, const char *what, gpa_error *err)
{
    return gpai_fail(err, GPA_INVALID, "%s: %s; it looks like %s", f->kind, what,
                     f->like);
}

/* A part of the URL equals a word, or (word NULL) is there at all. */
static bool part_is(const gpai_curl *curl, CURLU *url, CURLUPart part, const char *word)
{
    char *text = NULL;
    if (curl->url_get(url, part, &text, 0) != CURLUE_OK)
        return false;
    bool is = word == NULL || strcasecmp(text, word) == 0;
    curl->release(text);
    return is;
}

/* A password must not show up in messages and reports, where the spec does. */
static gpa_status check_parts(const gpai_curl *curl, CURLU *url, const gpai_url_form *f,
                              gpa_error *err)
{
    if (part_is(curl, url, CURLUPART_USER, NULL) ||
        part_is(curl, url, CURLUPART_PASSWORD, NULL))
        return refuse(f,
                      "the URL holds a user name or password; put it into an "
                      "environment variable or a file and name that with --model-auth",
                      err);
    if (!part_is(curl, url, CURLUPART_SCHEME, "http") &&
        !part_is(curl, url, CURLUPART_SCHEME, "https"))
        return refuse(f, "the URL is neither http nor https", err);
    if (part_is(curl, url, CURLUPART_QUERY, NULL) ||
        part_is(curl, url, CURLUPART_FRAGMENT, NULL))
        return refuse(f, "the URL has a part after ? or #, which is not supported",
                      err);
    return GPA_OK;
}

static bool is_loopback(const gpai_curl *curl, CURLU *url)
{
    char *host = NULL;
    if (curl->url_get(url, CURLUPART_HOST, &host, 0) != CURLUE_OK)
        return false;
    bool is = strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0 ||
              strncmp(host, "127.", 4) == 0;
    curl->release(host);
    return is;
}

static bool drop_ending(char *text, const char *ending)
{
    size_t length = strlen(text), n = strlen(ending);
    if (length < n || strcmp(text + length - n, ending) != 0)
        return false;
    text[length - n] = '\0';
    return true;
}

/* Drops what makes the URL a call, and checks that the rest names a model. */
static gpa_status trim(char *url, const gpai_url_form *f, gpa_error *err)
{
    while (drop_ending(url, "/"))
        continue;
    if (drop_ending(url, f->ending))
        while (drop_ending(url, "/"))
            continue;
    const char *found = f->must == NULL ? NULL : strstr(url, f->must);
    if (f->must != NULL && (found == NULL || found[strlen(f->must)] == '\0'))
        return refuse(f, "the URL names no model", err);
    return GPA_OK;
}

/* curl takes what follows for the host, however many slashes there are. */
static bool has_host(const char *url)
{
    const char *colon = strchr(url, ':');
    return colon != NULL && strncmp(colon, "://", 3) == 0 && colon[3] != '/';
}

static gpa_status read_url(gpai_endpoint *endpoint, const gpai_url_form *f,
                           const char *text, gpa_error *err)
{
    const gpai_curl *curl = &endpoint->curl;
    CURLU *url = curl->url_new();
    gpa_status st = url == NULL ? gpai_nomem(err, f->kind) : GPA_OK;
    if (st == GPA_OK && strncasecmp(text, "http", 4) != 0)
        st = refuse(f, "no URL", err);
    if (st == GPA_OK && curl->url_set(url, CURLUPART_URL, text, 0) != CURLUE_OK)
        st = refuse(f, "no URL that can be read", err);
    if (st == GPA_OK && !has_host(text))
        st = refuse(f, "the URL names no host", err);
    if (st == GPA_OK)
        st = check_parts(curl, url, f, err);
    if (st == GPA_OK) {
        endpoint->loopback = is_loopback(curl, url);
        endpoint->url = gpai_strdup(text);
        st = endpoint->url == NULL ? gpai_nomem(err, f->kind)
                                   : trim(endpoint->url, f, err);
    }
    curl->url_free(url);
    return st;
}

/* A copy of an environment variable that says something; true also when none does. */
static bool copy_variable(char **to, const char *name)
{
    const char *value = getenv(name);
    if (*to == NULL && value != NULL && value[0] != '\0')
        return (*to = gpai_strdup(value)) != NULL;
    return true;
}

/* The same variables as the curl command and OpenSSL look at. */
static gpa_status read_authorities(gpai_endpoint *endpoint, gpa_error *err)
{
    bool fine = copy_variable(&endpoint->ca_file, "CURL_CA_BUNDLE") &&
                copy_variable(&endpoint->ca_file, "SSL_CERT_FILE") &&
                copy_variable(&endpoint->ca_path, "SSL_CERT_DIR");
    return fine ? GPA_OK : gpai_nomem(err, "http");
}

/* A list that curl only reads, though its type does not say so: its nodes are ours. An
 * empty Expect keeps curl from waiting for a go-ahead before large bodies, which small
 * servers never send. */
static void list_headers(gpai_endpoint *endpoint)
{
    const char *const lines[GPAI_ENDPOINT_HEADERS] = {
        "Content-Type: application/json",
        "Accept: application/json, application/octet-stream",
        "Expect:", endpoint->auth};
    for (size_t i = 0; i < GPAI_ENDPOINT_HEADERS && lines[i] != NULL; i++) {
        memcpy(&endpoint->header[i].data, &lines[i], sizeof lines[i]);
        if (i > 0)
            endpoint->header[i - 1].next = &endpoint->header[i];
    }
}

gpa_status gpai_endpoint_open(gpai_endpoint *endpoint, const gpai_url_form *form,
                              const gpai_spec *s, gpa_error *err)
{
    if (!init_connections(&endpoint->connections, s->workers))
        return gpai_nomem(err, form->kind);
    gpa_status st = gpai_curl_load(&endpoint->curl, form->kind, err);
    if (st == GPA_OK)
        st = read_url(endpoint, form, s->rest, err);
    if (st == GPA_OK && s->auth != NULL)
        st = gpai_auth_header(&endpoint->auth, s->auth, err);
    if (st == GPA_OK)
        st = read_authorities(endpoint, err);
    if (st != GPA_OK)
        return st;
    snprintf(endpoint->who, sizeof endpoint->who, "%s: %s", form->kind,
             gpai_show_path(endpoint->url).text);
    snprintf(endpoint->agent, sizeof endpoint->agent, "libgpa/%s", gpa_version());
    endpoint->timeout = s->timeout;
    list_headers(endpoint);
    return GPA_OK;
}

void gpai_endpoint_close(gpai_endpoint *endpoint)
{
    gpai_free(endpoint->ca_path);
    gpai_free(endpoint->ca_file);
    gpai_free(endpoint->auth);
    gpai_free(endpoint->url);
    destroy_connections(&endpoint->connections);
}

char *gpai_endpoint_url(const gpai_endpoint *endpoint, const char *ending)
{
    size_t length = strlen(endpoint->url), n = strlen(ending);
    char *url = gpai_calloc(length + n + 1, 1);
    if (url == NULL)
        return NULL;
    memcpy(url, endpoint->url, length);
    memcpy(url + length, ending, n);
    return url;
}

void gpai_endpoint_hush(const gpai_endpoint *endpoint, gpa_error *err)
{
    if (endpoint->auth == NULL || err == NULL)
        return;
    size_t n = strlen(endpoint->who); /* what the user wrote, not the server */
    if (strncmp(err->message, endpoint->who, n) != 0)
        n = 0;
    gpai_auth_blank(endpoint->auth, err->message + n, sizeof err->message - n);
}

#include "model/http/transport/request.h"
#include "base/status.h"
#include "model/http/transport/transfer_error.h"
#include <math.h>

/* Tries of a request, and the pause before the second; each later one is four times as
 * long. */
enum { TRIES = 4 };
static const double FIRST_PAUSE = 0.1;
/* Bytes of a reply to a GET at most. */
enum { MAX_GET = 1 << 24 };

static gpa_status aim_and_send(gpai_request *r, CURLM *multi, const gpai_job *job,
                               gpa_error *err)
{
    double seconds = 0;
    if (r->deadline < HUGE_VAL) {
        seconds = r->deadline - gpai_http_now();
        if (seconds <= 0)
            return gpai_transfer_fail_time(r->transfer, err);
    }
    gpa_status st = gpai_transfer_aim(r->transfer, job->url, job->get, seconds, err);
    if (st != GPA_OK)
        return st;
    if (curl_multi_add_handle(multi, r->transfer->easy) != CURLM_OK)
        return gpai_nomem(err, "http");
    r->state = GPAI_FLYING;
    r->tries++;
    return GPA_OK;
}

void gpai_request_resume(gpai_request *r, CURLM *multi, const gpai_job *job,
                         gpai_mishap *m)
{
    r->state = GPAI_IDLE;
    m->err.status = aim_and_send(r, multi, job, &m->err);
}

void gpai_request_begin(gpai_request *r, CURLM *multi, const gpai_job *job,
                        size_t index, gpai_mishap *m)
{
    double timeout = r->transfer->endpoint->timeout;
    gpa_status st = GPA_OK;
    r->index = index;
    r->tries = 0;
    r->transfer->head = 0;
    r->transfer->most = MAX_GET;
    gpai_bytes_clear(&r->transfer->request);
    if (!job->get)
        st = job->write(job->self, index, r->transfer, &m->err);
    if (st == GPA_OK && r->transfer->request.failed)
        st = gpai_nomem(&m->err, "http");
    r->deadline = job->deadline > 0 ? job->deadline
                  : timeout > 0     ? gpai_http_now() + timeout
                                    : HUGE_VAL;
    m->err.status = st == GPA_OK ? aim_and_send(r, multi, job, &m->err) : st;
}

/* Whether the connection was lost, in a way that another one may not be. */
static bool was_lost(CURLcode code, bool reached)
{
    return code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR ||
           code == CURLE_GOT_NOTHING || code == CURLE_PARTIAL_FILE ||
           (code == CURLE_COULDNT_CONNECT && reached);
}

/* Begins a pause, as long as asked if not longer; false when no try is left. */
static bool pause_request(gpai_request *r, double asked)
{
    double pause = FIRST_PAUSE * pow(4, r->tries - 1);
    if (r->tries >= TRIES)
        return false;
    r->due = gpai_http_now() + fmax(pause, asked);
    if (r->due >= r->deadline)
        return false;
    r->state = GPAI_PAUSED;
    return true;
}

/* No reply. */
static gpa_status take_failure(gpai_request *r, const gpai_job *job, CURLcode code,
                               bool reached, gpai_mishap *m)
{
    bool again = !job->once && r->transfer->trouble == GPAI_TRANSFER_FINE &&
                 was_lost(code, reached);
    if (again && pause_request(r, 0))
        return GPA_OK;
    m->dead = true;
    if (code == CURLE_OPERATION_TIMEDOUT && gpai_http_now() >= r->deadline - 0.05)
        return gpai_transfer_fail_time(r->transfer, &m->err);
    return gpai_transfer_fail(r->transfer, code, r->tries, &m->err);
}

static gpa_status take_reply(gpai_request *r, const gpai_job *job, gpai_mishap *m)
{
    gpai_transfer *t = r->transfer;
    curl_off_t date = 0;
    (void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->status);
    (void)curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &date);
    double asked = t->wait > 0 ? t->wait : (double)date;
    if (t->status / 100 == 2)
        return job->read(job->self, r->index, t, &m->err);
    if ((t->status == 429 || t->status == 503) && pause_request(r, asked))
        return GPA_OK;
    m->status = t->status;
    return gpai_transfer_fail_status(t, asked, r->tries, &m->err);
}

void gpai_request_end(gpai_request *r, CURLM *multi, const gpai_job *job, CURLcode code,
                      bool *reached, gpai_mishap *m)
{
    curl_multi_remove_handle(multi, r->transfer->easy);
    r->state = GPAI_IDLE;
    m->err.status = code == CURLE_OK ? take_reply(r, job, m)
                                     : take_failure(r, job, code, *reached, m);
    *reached = *reached || code == CURLE_OK;
}

void gpai_request_stop(gpai_request *r, CURLM *multi)
{
    if (r->state == GPAI_FLYING)
        curl_multi_remove_handle(multi, r->transfer->easy);
    r->state = GPAI_IDLE;
}

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

static gpa_status aim_and_send(gpai_lane *l, CURLM *multi, const gpai_job *job,
                               gpa_error *err)
{
    double seconds = 0;
    if (l->deadline < HUGE_VAL) {
        seconds = l->deadline - gpai_http_now();
        if (seconds <= 0)
            return gpai_link_fail_time(l->link, err);
    }
    gpa_status st = gpai_link_aim(l->link, job->url, job->get, seconds, err);
    if (st != GPA_OK)
        return st;
    if (curl_multi_add_handle(multi, l->link->easy) != CURLM_OK)
        return gpai_nomem(err, "http");
    l->state = GPAI_FLYING;
    l->tries++;
    return GPA_OK;
}

void gpai_lane_resume(gpai_lane *l, CURLM *multi, const gpai_job *job, gpai_mishap *m)
{
    l->state = GPAI_IDLE;
    m->err.status = aim_and_send(l, multi, job, &m->err);
}

void gpai_lane_begin(gpai_lane *l, CURLM *multi, const gpai_job *job, size_t request,
                     gpai_mishap *m)
{
    double timeout = l->link->site->timeout;
    gpa_status st = GPA_OK;
    l->request = request;
    l->tries = 0;
    l->link->head = 0;
    l->link->most = MAX_GET;
    gpai_bytes_clear(&l->link->request);
    if (!job->get)
        st = job->write(job->self, request, l->link, &m->err);
    if (st == GPA_OK && l->link->request.failed)
        st = gpai_nomem(&m->err, "http");
    l->deadline = job->deadline > 0 ? job->deadline
                  : timeout > 0     ? gpai_http_now() + timeout
                                    : HUGE_VAL;
    m->err.status = st == GPA_OK ? aim_and_send(l, multi, job, &m->err) : st;
}

/* Whether the connection was lost, in a way that another one may not be. */
static bool was_lost(CURLcode code, bool reached)
{
    return code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR ||
           code == CURLE_GOT_NOTHING || code == CURLE_PARTIAL_FILE ||
           (code == CURLE_COULDNT_CONNECT && reached);
}

/* Begins a pause, as long as asked if not longer; false when no try is left. */
static bool pause_lane(gpai_lane *l, double asked)
{
    double pause = FIRST_PAUSE * pow(4, l->tries - 1);
    if (l->tries >= TRIES)
        return false;
    l->due = gpai_http_now() + fmax(pause, asked);
    if (l->due >= l->deadline)
        return false;
    l->state = GPAI_PAUSED;
    return true;
}

/* No reply. */
static gpa_status take_failure(gpai_lane *l, const gpai_job *job, CURLcode code,
                               bool reached, gpai_mishap *m)
{
    bool again =
        !job->once && l->link->trouble == GPAI_LINK_FINE && was_lost(code, reached);
    if (again && pause_lane(l, 0))
        return GPA_OK;
    m->dead = true;
    if (code == CURLE_OPERATION_TIMEDOUT && gpai_http_now() >= l->deadline - 0.05)
        return gpai_link_fail_time(l->link, &m->err);
    return gpai_link_fail_transfer(l->link, code, l->tries, &m->err);
}

static gpa_status take_reply(gpai_lane *l, const gpai_job *job, gpai_mishap *m)
{
    gpai_link *link = l->link;
    curl_off_t date = 0;
    (void)curl_easy_getinfo(link->easy, CURLINFO_RESPONSE_CODE, &link->status);
    (void)curl_easy_getinfo(link->easy, CURLINFO_RETRY_AFTER, &date);
    double asked = link->wait > 0 ? link->wait : (double)date;
    if (link->status / 100 == 2)
        return job->read(job->self, l->request, link, &m->err);
    if ((link->status == 429 || link->status == 503) && pause_lane(l, asked))
        return GPA_OK;
    m->status = link->status;
    return gpai_link_fail_status(link, asked, l->tries, &m->err);
}

void gpai_lane_end(gpai_lane *l, CURLM *multi, const gpai_job *job, CURLcode code,
                   bool *reached, gpai_mishap *m)
{
    curl_multi_remove_handle(multi, l->link->easy);
    l->state = GPAI_IDLE;
    m->err.status = code == CURLE_OK ? take_reply(l, job, m)
                                     : take_failure(l, job, code, *reached, m);
    *reached = *reached || code == CURLE_OK;
}

void gpai_lane_stop(gpai_lane *l, CURLM *multi)
{
    if (l->state == GPAI_FLYING)
        curl_multi_remove_handle(multi, l->link->easy);
    l->state = GPAI_IDLE;
}

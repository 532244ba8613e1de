#include "serve/routes.h"
#include "serve/answers.h"
#include "serve/assets.h"
#include "serve/rows/rows.h"
#include <string.h>

static const struct route ROUTES[] = {
    {METHOD_GET, "", answer_page, LANE_NONE, true, false},
    {METHOD_GET, "healthz", answer_health, LANE_NONE, false, true},
    {METHOD_GET, "metrics", answer_metrics, LANE_NONE, false, false},
    {METHOD_GET, "api/v1/study", answer_study, LANE_NONE, false, false},
    {METHOD_GET, "api/v1/rows", answer_rows, LANE_NONE, false, false},
    {METHOD_GET, "api/v1/map", answer_map, LANE_NONE, false, false},
    {METHOD_GET, "api/v1/explain", answer_explain, LANE_SLOW, false, false},
    {METHOD_POST, "api/v1/explain", answer_explain, LANE_SLOW, false, false},
    {METHOD_POST, "api/v1/who", answer_who, LANE_SLOW, false, false},
    {METHOD_POST, "api/v1/predict", answer_predict, LANE_QUICK, false, false},
    {METHOD_POST, "api/v1/compare", answer_compare, LANE_SLOW, false, false},
    {METHOD_GET, "api/v1/report", answer_report, LANE_SLOW, false, false},
    {METHOD_POST, "api/v1/report", answer_report, LANE_SLOW, false, false},
    {METHOD_GET, "api/v1/command", answer_command, LANE_QUICK, false, false},
    {METHOD_POST, "api/v1/command", answer_command, LANE_QUICK, false, false},
    {METHOD_DELETE, "api/v1/jobs/", answer_cancel, LANE_NONE, false, false},
    {METHOD_DELETE, "api/v1/scoring", answer_stop_scoring, LANE_NONE, false, false},
};

static const struct route ASSET = {METHOD_GET, "",    answer_asset,
                                   LANE_NONE,  false, false};

static bool fits(const struct route *r, const char *path)
{
    size_t n = strlen(r->path);
    return n > 0 && r->path[n - 1] == '/' ? strncmp(path, r->path, n) == 0
                                          : strcmp(path, r->path) == 0;
}

const struct route *route_find(const struct request *r, const char **allow)
{
    enum method method = r->method == METHOD_HEAD ? METHOD_GET : r->method;
    bool there[METHOD_OTHER] = {false};
    const char *path = r->path;
    *allow = NULL;
    for (size_t i = 0; i < sizeof ROUTES / sizeof ROUTES[0]; i++) {
        if (!fits(&ROUTES[i], path))
            continue;
        if (ROUTES[i].method == method)
            return &ROUTES[i];
        there[ROUTES[i].method] = true;
    }
    if (asset_find(path) != NULL || strcmp(path, "look.css") == 0) {
        if (method == METHOD_GET)
            return &ASSET;
        there[METHOD_GET] = true;
    }
    *allow = there[METHOD_GET] && there[METHOD_POST] ? "GET, HEAD, POST"
             : there[METHOD_GET]                     ? "GET, HEAD"
             : there[METHOD_POST]                    ? "POST"
             : there[METHOD_DELETE]                  ? "DELETE"
                                                     : NULL;
    return NULL;
}

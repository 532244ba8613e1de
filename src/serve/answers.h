#ifndef GPA_SERVE_ANSWERS_H
#define GPA_SERVE_ANSWERS_H
#include "serve/exchange.h"

/* What can be asked; rows and the map are in rows.h. */

/* At once. */
answer_fn answer_page, answer_asset, answer_health, answer_metrics, answer_study;
answer_fn answer_cancel, answer_stop_scoring;

/* By a worker. */
answer_fn answer_explain, answer_who, answer_predict, answer_compare, answer_report;
answer_fn answer_command;

#endif

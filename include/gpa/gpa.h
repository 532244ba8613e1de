#ifndef GPA_GPA_H
#define GPA_GPA_H

/* Generative perturbation analysis: which inputs are responsible for the difference
 * between what a regression model predicted and what was observed. */
#include <gpa/arrow.h>
#include <gpa/attribute.h>
#include <gpa/compare.h>
#include <gpa/data.h>
#include <gpa/explain.h>
#include <gpa/export.h>
#include <gpa/input.h>
#include <gpa/model.h>
#include <gpa/plot.h>
#include <gpa/report.h>
#include <gpa/saved.h>
#include <gpa/status.h>
#include <gpa/study.h>
#include <gpa/version.h>

#endif

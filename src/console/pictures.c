#include "console/pictures.h"
#include <gpa/plot.h>

const struct picture_kind PICTURE_KINDS[PICTURES] = {
    {"distributions", gpa_plot_explanation},
    {"forest", gpa_plot_explanation_forest},
    {"scatter", gpa_plot_explanation_scatter},
    {"profile", gpa_plot_explanation_profiles}};

#include <gpa/attribute.h>
#include <string.h>

/* The paper's comparison chart (table 1). */
static const gpa_method METHODS[] = {
    {.name = "gpa",
     .reference_point = "maximum a posteriori point",
     .label = "GPA",
     .title = "generative perturbation analysis",
     .training_data_free = true,
     .baseline_free = true,
     .sees_y = true,
     .distribution = true,
     .gives = "the perturbation of each input that makes the observation look "
              "normal, with its distribution"},
    {.name = "lc",
     .reference_point = "maximum likelihood point",
     .label = "LC",
     .title = "likelihood compensation",
     .training_data_free = true,
     .baseline_free = true,
     .sees_y = true,
     .gives = "the perturbation of each input that makes the observation "
              "likely under Gaussian noise"},
    {.name = "lime",
     .reference_point = "infinitesimal vicinity",
     .label = "LIME",
     .title = "local linear surrogate",
     .training_data_free = true,
     .baseline_free = true,
     .gives = "the slopes of a sparse linear model fitted around the row"},
    {.name = "baylime",
     .reference_point = "infinitesimal vicinity",
     .label = "BayLIME",
     .title = "Bayesian local linear surrogate",
     .training_data_free = true,
     .baseline_free = true,
     .distribution = true,
     .gives = "the slopes of a linear model around the row, with a spread that "
              "does not depend on the model"},
    {.name = "ig",
     .reference_point = "arbitrary",
     .label = "IG",
     .title = "integrated gradients",
     .training_data_free = true,
     .gives = "the increment of the prediction from a baseline, shared out "
              "along a straight path"},
    {.name = "eig",
     .reference_point = "globally distributional",
     .label = "EIG",
     .title = "expected integrated gradients",
     .baseline_free = true,
     .gives = "integrated gradients averaged over reference rows as baselines"},
    {.name = "sv",
     .reference_point = "globally distributional",
     .label = "SV",
     .title = "Shapley values",
     .baseline_free = true,
     .gives = "the increment of the prediction from its mean over reference "
              "rows, shared out fairly"},
    {.name = "z",
     .reference_point = "global mean of the inputs",
     .label = "Z",
     .title = "Z-score",
     .baseline_free = true,
     .gives = "how unusual each input is among reference rows, without the "
              "model"},
};

size_t gpa_method_count(void)
{
    return sizeof METHODS / sizeof METHODS[0];
}

const gpa_method *gpa_method_at(size_t i)
{
    return i < gpa_method_count() ? &METHODS[i] : NULL;
}

const gpa_method *gpa_method_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < gpa_method_count(); i++)
        if (strcmp(METHODS[i].name, name) == 0)
            return &METHODS[i];
    return NULL;
}

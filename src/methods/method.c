#include <gpa/method.h>

static const gpa_method METHODS[] = {
    {.name = "gpa",
     .title = "generative perturbation analysis",
     .training_data_free = true,
     .baseline_free = true,
     .sees_y = true,
     .distribution = true,
     .gives = "the perturbation of each input that makes the observation look normal, "
              "with its distribution"},
};

size_t gpa_method_count(void)
{
    return sizeof METHODS / sizeof METHODS[0];
}

const gpa_method *gpa_method_at(size_t i)
{
    return i < gpa_method_count() ? &METHODS[i] : NULL;
}

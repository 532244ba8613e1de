#include <gpa/explain.h>
#include <stddef.h>

/* The words of the choices, by their values: the same in options, JSON and reports. */

/* The i-th of n names; NULL beyond them. */
static const char *name_at(const char *const *names, size_t n, size_t i)
{
    return i < n ? names[i] : NULL;
}

#define NAME_AT(value, ...)                                                            \
    name_at((const char *const[]){__VA_ARGS__},                                        \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),               \
            (size_t)(value))

const char *gpa_solver_name(gpa_solver solver)
{
    return NAME_AT(solver, "auto", "paper", "paper-det", "fast", "thorough");
}

const char *gpa_marginals_name(gpa_marginals marginals)
{
    return NAME_AT(marginals, "auto", "none", "paper", "exact", "surrogate", "plugin");
}

const char *gpa_noise_name(gpa_noise noise)
{
    return NAME_AT(noise, "auto", "constant", "local");
}

const char *gpa_culprit_mode_name(gpa_culprit_mode mode)
{
    return NAME_AT(mode, "auto", "on", "basic", "off");
}

const char *gpa_plausible_name(gpa_plausible plausible)
{
    return NAME_AT(plausible, "auto", "data", "reference", "none");
}

const char *gpa_verdict_name(gpa_verdict verdict)
{
    return NAME_AT(verdict, "unknown", "normal", "input", "tied", "output");
}

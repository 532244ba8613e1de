#include "base/status.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "console/terminal.h"

static gpa_status show(struct results *to, const gpa_saved *saved,
                       const gpai_options *a, gpa_error *err)
{
    if (gpa_saved_type(saved) == GPA_SAVED_PAGE)
        return gpai_fail(err, GPA_INVALID,
                         "%.200s is a page already; 'gpa report' starts from JSON",
                         a->file);
    results_about(to, gpa_saved_info(saved), a);
    return results_saved(to, saved, err);
}

int cmd_report(const gpai_options *a)
{
    gpa_error err = {0};
    gpa_saved *saved = NULL;
    struct results to = {0};
    bool main = a->given[OPT_CSV] || a->given[OPT_OUT] ||
                (!a->given[OPT_HTML] && !a->given[OPT_PICTURES]);
    gpa_status st = results_open(&to, a, main, &err);
    if (st == GPA_OK)
        st = gpa_saved_read(&saved, a->file, &err);
    if (st == GPA_OK)
        st = show(&to, saved, a, &err);
    results_close(&to);
    gpa_saved_free(saved);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}

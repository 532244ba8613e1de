#include "console/ask.h"
#include "console/say.h"
#include <string.h>
#include <unistd.h>

gpa_status ask_study(gpa_study **s, const gpai_options *a, gpa_error *err)
{
    gpa_status st = gpai_study_from(s, a, err);
    if (st == GPA_OK && strcmp(a->file, "-") == 0 && isatty(STDIN_FILENO) == 1)
        say("reading the data from the terminal (or name a file)");
    if (st == GPA_OK)
        st = gpa_study_open(*s, err);
    say_notes(*s);
    return st;
}

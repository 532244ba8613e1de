#include "console/look.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Whether the user's terminal and files are in UTF-8, by the usual variables. */
static bool utf8_locale(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
               strstr(value, "utf-8") != NULL || strstr(value, "UTF8") != NULL;
    }
    return false;
}

static bool wants_colour(const gpai_options *a)
{
    const char *mode = a->given[OPT_COLOR] ? a->text[OPT_COLOR] : "auto";
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (strcmp(mode, "auto") != 0)
        return strcmp(mode, "always") == 0;
    return !a->given[OPT_OUT] && isatty(STDOUT_FILENO) == 1 &&
           (no == NULL || no[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* Columns of the terminal that shows the table; 0 when it goes elsewhere. */
static size_t terminal_width(const gpai_options *a)
{
    const char *told = getenv("COLUMNS");
    struct winsize size = {0};
    if (a->given[OPT_OUT] || isatty(STDOUT_FILENO) != 1)
        return 0;
    unsigned long width = told != NULL ? strtoul(told, NULL, 10) : 0;
    if (width > 0 && width < 10000)
        return (size_t)width;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void look_at_terminal(gpa_report_info *info, const gpai_options *a)
{
    info->colour = wants_colour(a);
    info->ascii = !utf8_locale();
    info->width = terminal_width(a);
}

#include "base/alloc.h"
#include "fuzz.h"
#include "model/exec/children.h"

/* Lines "name=value" as options of a study, the first line as a command line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const COMMANDS[] = {"score", "explain", "compare"};
    gpa_study *s = NULL;
    char *text = copy_of(data, size), **words = NULL, *next;
    size_t lines = 0;
    if (gpai_command_split(&words, text, NULL) == GPA_OK)
        for (size_t i = 0; words[i] != NULL; i++)
            MUST(strlen(words[i]) <= size);
    gpai_free(words);
    MUST(gpa_study_new(&s, COMMANDS[size % 3], NULL) == GPA_OK);
    for (char *p = text; p != NULL; p = next) {
        gpa_error err = {0};
        next = strchr(p, '\n');
        if (next != NULL)
            *next++ = '\0';
        char *value = strchr(p, '=');
        if (value != NULL)
            *value++ = '\0';
        /* what is meant by a name that nobody knows takes its time: of a few */
        (void)!gpa_study_set(s, p, value, lines++ < 2 ? &err : NULL);
        MUST(strlen(err.message) < sizeof err.message);
    }
    gpa_study_free(s);
    free(text);
    return 0;
}

/* A model file and a table, asked as the command asks them: the worst rows, and who is
 * responsible in each. With the library installed:
 *
 *     cc study.c -o study $(pkg-config --cflags --libs gpa)
 *     ./study diabetes/model.json diabetes/heldout.csv progression
 */
#include <gpa/gpa.h>
#include <stdio.h>

/* Takes one explanation; it is freed afterwards. */
static gpa_status take(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    const gpa_study *s = ctx;
    const gpa_culprit *c = gpa_explanation_culprit(e);
    (void)index;
    (void)err;
    printf("row %zu: observed %g, predicted %.1f", gpa_explanation_row(e, 0),
           gpa_explanation_y(e)[0], gpa_explanation_f(e)[0]);
    if (c != NULL && c->verdict != GPA_VERDICT_NORMAL)
        printf("; most suspect: %s", gpa_study_input(s, c->first));
    printf("\n");
    return GPA_OK;
}

int main(int argc, char **argv)
{
    gpa_error err = {GPA_OK, ""};
    gpa_study *s = NULL;
    if (argc != 4) {
        fprintf(stderr, "usage: study MODEL DATA TARGET\n");
        return 2;
    }
    /* options are called as on the command line: gpa explain --help */
    gpa_status st = gpa_study_new(&s, "explain", &err);
    if (st == GPA_OK)
        st = gpa_study_set(s, "model", argv[1], &err);
    if (st == GPA_OK)
        st = gpa_study_set_file(s, argv[2], &err);
    if (st == GPA_OK)
        st = gpa_study_set(s, "target", argv[3], &err);
    if (st == GPA_OK)
        st = gpa_study_set(s, "top", "3", &err);
    if (st == GPA_OK)
        st = gpa_study_open(s, &err);
    if (st == GPA_OK)
        st = gpa_study_explain(s, NULL, 0, false, take, s, &err);
    if (st != GPA_OK)
        fprintf(stderr, "%s\n", err.message);
    gpa_study_free(s);
    return st == GPA_OK ? 0 : 1;
}

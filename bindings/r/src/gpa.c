#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>
#include <gpa/gpa.h>
#include <stdint.h>
#include <string.h>

/* One question. An external pointer of R's owns it, so that whatever jumps out of here
 * leaves nothing behind. */
enum { FORMATS = 4 };
static const gpa_format FORMAT[FORMATS] = {GPA_FORMAT_TABLE, GPA_FORMAT_CSV,
                                           GPA_FORMAT_JSON, GPA_FORMAT_HTML};
struct question {
    gpa_table *table;
    gpa_study *study;
    gpa_text *text[FORMATS];
    SEXP function; /* of a matrix and of the levels, both R's */
    SEXP keep;     /* a list whose element is those levels, once they are known */
    char why[400]; /* what the function said went wrong */
};

static void end(SEXP pointer)
{
    struct question *q = R_ExternalPtrAddr(pointer);
    if (q == NULL)
        return;
    R_ClearExternalPtr(pointer);
    gpa_study_free(q->study);
    gpa_table_free(q->table);
    for (int i = 0; i < FORMATS; i++)
        gpa_text_free(q->text[i]);
    R_Free(q);
}

/* The codes of each input that is text, named by what they stand for; NULL: a number.
 */
static SEXP levels_of(const gpa_study *s)
{
    size_t d = gpa_study_dim(s);
    SEXP all = PROTECT(allocVector(VECSXP, (R_xlen_t)d));
    for (size_t k = 0; k < d; k++) {
        const gpa_input *in = gpa_study_kind(s, k);
        if (in == NULL || in->writing != GPA_WRITING_LEVEL || in->level_name == NULL)
            continue;
        SEXP codes = PROTECT(allocVector(REALSXP, (R_xlen_t)in->levels));
        SEXP names = PROTECT(allocVector(STRSXP, (R_xlen_t)in->levels));
        for (size_t i = 0; i < in->levels; i++) {
            REAL(codes)[i] = in->level[i];
            SET_STRING_ELT(names, (R_xlen_t)i, mkCharCE(in->level_name[i], CE_UTF8));
        }
        setAttrib(codes, R_NamesSymbol, names);
        SET_VECTOR_ELT(all, (R_xlen_t)k, codes);
        UNPROTECT(2);
    }
    UNPROTECT(1);
    return all;
}

/* A call of the model, and whether it gave a number for each row. */
struct asked {
    struct question *q;
    const double *x;
    size_t n, d;
    double *y;
    int good;
};

static void ask(void *data)
{
    struct asked *a = data;
    struct question *q = a->q;
    if (VECTOR_ELT(q->keep, 0) == R_NilValue)
        SET_VECTOR_ELT(q->keep, 0, levels_of(q->study));
    SEXP x = PROTECT(allocMatrix(REALSXP, (int)a->n, (int)a->d));
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < a->d; k++)
            REAL(x)[k * a->n + i] = a->x[i * a->d + k];
    SEXP call = PROTECT(lang3(q->function, x, VECTOR_ELT(q->keep, 0)));
    SEXP said = PROTECT(eval(call, R_GlobalEnv));
    if (TYPEOF(said) == REALSXP && (size_t)XLENGTH(said) == a->n) {
        memcpy(a->y, REAL(said), a->n * sizeof *a->y);
        a->good = 1;
    } else if (TYPEOF(said) == STRSXP && XLENGTH(said) > 0) {
        snprintf(q->why, sizeof q->why, "%s", CHAR(STRING_ELT(said, 0)));
    }
    UNPROTECT(3);
}

/* No jump of R's may pass through the library. */
static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct asked a = {ctx, x, n, d, y, 0};
    if (!R_ToplevelExec(ask, &a))
        snprintf(a.q->why, sizeof a.q->why, "interrupted");
    return a.good ? 0 : 1;
}

static void check_interrupt(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

static int told(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    (void)done;
    (void)total;
    return !R_ToplevelExec(check_interrupt, NULL);
}

static gpa_status take(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    struct question *q = ctx;
    const gpa_report_info *info = gpa_study_info(q->study);
    gpa_status st = GPA_OK;
    for (int i = 0; i < FORMATS && st == GPA_OK; i++) {
        if (index == 0)
            st = gpa_report_begin(q->text[i], FORMAT[i], info, e, err);
        if (st == GPA_OK)
            st = gpa_report_explanation(q->text[i], FORMAT[i], info, e, index, err);
    }
    return st;
}

static gpa_status fill_table(struct question *q, SEXP columns, gpa_error *err)
{
    size_t n_columns = (size_t)XLENGTH(columns), n = 0;
    SEXP names = getAttrib(columns, R_NamesSymbol);
    gpa_column *column = (gpa_column *)R_alloc(n_columns, sizeof *column);
    for (size_t k = 0; k < n_columns; k++) {
        SEXP c = VECTOR_ELT(columns, (R_xlen_t)k);
        n = (size_t)XLENGTH(c);
        column[k] = (gpa_column){.name = CHAR(STRING_ELT(names, (R_xlen_t)k))};
        if (TYPEOF(c) == REALSXP) {
            column[k].numbers = REAL(c);
            continue;
        }
        const char **text = (const char **)R_alloc(n + 1, sizeof *text);
        for (size_t i = 0; i < n; i++) {
            SEXP s = STRING_ELT(c, (R_xlen_t)i);
            text[i] = s == NA_STRING ? NULL : CHAR(s);
        }
        column[k].text = text;
    }
    return gpa_table_from_columns(&q->table, n, column, n_columns, "data", err);
}

static gpa_status answer(struct question *q, SEXP columns, SEXP names, SEXP values,
                         gpa_error *err)
{
    gpa_status st = fill_table(q, columns, err);
    for (int i = 0; i < FORMATS && st == GPA_OK; i++)
        st = gpa_text_new(&q->text[i], err);
    if (st == GPA_OK)
        st = gpa_study_new(&q->study, "explain", err);
    for (R_xlen_t i = 0; i < XLENGTH(names) && st == GPA_OK; i++)
        st = gpa_study_set(q->study, CHAR(STRING_ELT(names, i)),
                           CHAR(STRING_ELT(values, i)), err);
    if (st != GPA_OK)
        return st;
    gpa_study_set_table(q->study, q->table);
    gpa_study_set_progress(q->study, told, q);
    if (q->function != R_NilValue)
        gpa_study_set_predict(q->study, predict, q, 0, NULL);
    st = gpa_study_open(q->study, err);
    if (st == GPA_OK)
        st = gpa_study_explain(q->study, NULL, 0, false, take, q, err);
    for (int i = 0; i < FORMATS && st == GPA_OK; i++)
        st = gpa_report_end(q->text[i], FORMAT[i], gpa_study_info(q->study), err);
    return st;
}

/* columns: a named list of numbers and texts; names, values: the options, in UTF-8;
 * function: NULL where the option "model" names one. The texts of the formats. */
static SEXP r_explain(SEXP columns, SEXP names, SEXP values, SEXP function)
{
    gpa_error err = {0};
    struct question *q = R_Calloc(1, struct question);
    SEXP pointer = PROTECT(R_MakeExternalPtr(q, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, end, TRUE);
    q->keep = PROTECT(allocVector(VECSXP, 1));
    q->function = function;
    if (answer(q, columns, names, values, &err) != GPA_OK) {
        char why[400];
        memcpy(why, q->why, sizeof why);
        end(pointer);
        if (why[0] != '\0')
            error("the model failed: %s", why);
        error("%s", err.message);
    }
    SEXP out = PROTECT(allocVector(STRSXP, FORMATS));
    for (int i = 0; i < FORMATS; i++)
        SET_STRING_ELT(out, i, mkCharCE(gpa_text_data(q->text[i]), CE_UTF8));
    end(pointer);
    UNPROTECT(3);
    return out;
}

static const R_CallMethodDef CALLS[] = {{"r_explain", (DL_FUNC)&r_explain, 4},
                                        {NULL, NULL, 0}};

void R_init_gpa(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, CALLS, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
}

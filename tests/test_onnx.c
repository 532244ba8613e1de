#define _XOPEN_SOURCE 700 /* realpath, mkdtemp */
#include "support.h"

#include "base/alloc.h"
#include "model/onnx/graph.h"
#include "model/onnx/run/program.h"
#include "model/spec.h"
#include <gpa/gpa.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

/* Models and inputs by tests/data/onnx/make.py, predictions by ONNX Runtime
 * (tests/data/onnx/expect.js). `tol` is relative to 1 + |prediction|: sums in float
 * depend on their order. */
static const struct fixture {
    const char *name;
    double tol;
    size_t inputs, outputs;
} fixtures[] = {
    {"forest", 1e-6, 5, 1},
    {"boosted", 1e-6, 5, 1},
    {"missing", 1e-6, 5, 1},
    {"modes", 1e-6, 3, 1},
    {"mixed", 0, 2, 1},
    {"trees_double", 1e-6, 2, 1},
    {"linear", 1e-6, 4, 1},
    {"columns", 1e-6, 4, 1},
    {"mlp_sklearn", 1e-6, 4, 1},
    {"four_rows", 1e-6, 4, 1},
    {"svm_rbf", 1e-6, 4, 1},
    {"svm_poly", 1e-6, 4, 1},
    {"svm_linear", 1e-6, 4, 1},
    {"svm_sigmoid", 1e-6, 4, 1},
    {"prepared", 1e-6, 4, 1},
    {"unary", 1e-6, 3, 38},
    {"binary", 1e-6, 3, 34},
    {"shapes", 1e-6, 6, 35},
    {"gemm", 1e-6, 4, 1},
    {"lists", 1e-6, 2, 1},
    {"external", 1e-6, 4, 1},
    {"torch_relu", 1e-6, 5, 1},
    {"torch_zoo", 1e-6, 5, 1},
    {"torch_zoo2", 1e-6, 5, 1},
    {"torch_residual", 1e-6, 5, 1},
    {"torch_residual17", 1e-6, 5, 1},
    {"torch_old", 1e-6, 5, 1},
    {"torch_one_row", 1e-6, 5, 1},
    {"torch_double", 1e-14, 5, 1},
};
enum { FIXTURES = sizeof fixtures / sizeof fixtures[0], MAX_ROWS = 256, MAX_OUT = 64 };

/* A fixture's table. */
struct table {
    size_t rows, inputs, outputs;
    char output[MAX_OUT][64];
    double *x, *y; /* y: rows by outputs */
    char path[1024];
};

static const char *data_path(char *path, size_t size, const char *name)
{
    const char *root = getenv("GPA_SOURCE_ROOT");
    snprintf(path, size, "%s/tests/data/onnx/%s", root != NULL ? root : ".", name);
    return path;
}

static char *read_bytes(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void read_head(struct table *t, char *line)
{
    for (char *save = NULL, *cell = strtok_r(line, ",", &save); cell != NULL;
         cell = strtok_r(NULL, ",", &save)) {
        if (cell[0] != '=') {
            t->inputs++;
            continue;
        }
        assert_true(t->outputs < MAX_OUT);
        snprintf(t->output[t->outputs++], sizeof t->output[0], "%s", cell + 1);
    }
}

/* ONNX Runtime's answers are floats, written as short as they can be told apart. */
static void read_row(struct table *t, char *line, bool wide)
{
    size_t k = 0, n = t->inputs;
    for (char *save = NULL, *cell = strtok_r(line, ",", &save); cell != NULL;
         cell = strtok_r(NULL, ",", &save), k++) {
        assert_true(k < n + t->outputs);
        if (k < n)
            t->x[t->rows * n + k] = strtod(cell, NULL);
        else
            t->y[t->rows * t->outputs + k - n] =
                wide ? strtod(cell, NULL) : (double)strtof(cell, NULL);
    }
    assert_int_equal(k, n + t->outputs);
    t->rows++;
}

static void open_table(struct table *t, const struct fixture *f)
{
    char name[128], *save = NULL;
    size_t size;
    memset(t, 0, sizeof *t);
    snprintf(name, sizeof name, "%s.csv", f->name);
    char *text = read_bytes(data_path(t->path, sizeof t->path, name), &size);
    char *line = strtok_r(text, "\n", &save);
    read_head(t, line);
    t->x = calloc(MAX_ROWS * t->inputs, sizeof *t->x);
    t->y = calloc(MAX_ROWS * t->outputs, sizeof *t->y);
    assert_true(t->x != NULL && t->y != NULL);
    while ((line = strtok_r(NULL, "\n", &save)) != NULL) {
        assert_true(t->rows < MAX_ROWS);
        read_row(t, line, f->tol < 1e-10 && f->tol > 0);
    }
    free(text);
    snprintf(name, sizeof name, "%s.onnx", f->name);
    data_path(t->path, sizeof t->path, name);
    assert_int_equal(t->inputs, f->inputs);
    assert_int_equal(t->outputs, f->outputs);
    assert_true(t->rows >= 10);
}

static void close_table(struct table *t)
{
    free(t->x);
    free(t->y);
}

static gpa_model *open_output(const struct table *t, size_t output)
{
    char spec[1100], config[128];
    gpa_model_options opt;
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    gpa_model_options_init(&opt);
    snprintf(spec, sizeof spec, "onnx:%s", t->path);
    snprintf(config, sizeof config, "output=%s", t->output[output]);
    opt.config = config;
    if (gpa_model_open(&m, spec, &opt, &err) != GPA_OK)
        fail_msg("%s %s", config, err.message);
    return m;
}

static void check(const struct fixture *f, const struct table *t, size_t output,
                  const double *y)
{
    for (size_t i = 0; i < t->rows; i++) {
        double want = t->y[i * t->outputs + output];
        bool close = fabs(y[i] - want) <= f->tol * (1 + fabs(want));
        if (!close && y[i] != want && !(isnan(y[i]) && isnan(want)))
            fail_msg("%s: %s: row %zu: %.17g, not %.17g", f->name, t->output[output], i,
                     y[i], want);
    }
}

static void test_against_onnx_runtime(void **state)
{
    double y[MAX_ROWS];
    (void)state;
    for (size_t c = 0; c < FIXTURES; c++) {
        struct table t;
        open_table(&t, &fixtures[c]);
        for (size_t k = 0; k < t.outputs; k++) {
            gpa_model *m = open_output(&t, k);
            assert_int_equal(gpa_model_dim(m), t.inputs);
            assert_true(gpa_model_in_process(m));
            assert_int_equal(gpa_model_predict(m, t.x, t.rows, y, NULL), GPA_OK);
            check(&fixtures[c], &t, k, y);
            gpa_model_free(m);
        }
        close_table(&t);
    }
}

/* A row's prediction is the same bytes alone, in any company, in a clone, and with
 * every instruction set. */
static void test_same_bytes(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 17};
    double y[MAX_ROWS], again[MAX_ROWS];
    (void)state;
    for (size_t c = 0; c < FIXTURES; c++) {
        struct table t;
        open_table(&t, &fixtures[c]);
        gpa_model *first = open_output(&t, 0), *m = NULL;
        assert_int_equal(gpa_model_predict(first, t.x, t.rows, y, NULL), GPA_OK);
        assert_int_equal(gpa_model_clone(&m, first, NULL), GPA_OK);
        gpa_model_free(first);
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            gpa_model_set_batch(m, sizes[s]);
            memset(again, 0, sizeof again);
            assert_int_equal(gpa_model_predict(m, t.x, t.rows, again, NULL), GPA_OK);
            assert_memory_equal(y, again, t.rows * sizeof *y);
        }
        gpa_model_free(m);
        close_table(&t);
    }
}

static void test_instruction_sets(void **state)
{
    double y[2][1024], x[1024 * 8];
    (void)state;
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        x[i] = sin((double)i * (double)i) * 3;
    for (size_t c = 0; c < FIXTURES; c++) {
        struct table t;
        size_t size;
        open_table(&t, &fixtures[c]);
        char *bytes = read_bytes(t.path, &size), config[128];
        gpai_onnx_file file = {0};
        gpai_onnx_graph graph = {0};
        snprintf(config, sizeof config, "output=%s", t.output[t.outputs - 1]);
        assert_int_equal(gpai_onnx_file_read(&file, t.path, bytes, size, NULL), GPA_OK);
        assert_int_equal(gpai_onnx_compile(&graph, &file, config, 1 << 20, NULL),
                         GPA_OK);
        char *scratch = aligned_alloc(64, graph.program->bytes + 64);
        assert_non_null(scratch);
        for (size_t i = 0; gpai_onnx_kernels_at(i) != NULL; i++)
            gpai_onnx_run(graph.program, gpai_onnx_kernels_at(i), scratch, x, 1024,
                          y[i]);
        if (gpai_onnx_kernels_at(1) != NULL)
            assert_memory_equal(y[0], y[1], sizeof y[0]);
        free(scratch);
        gpai_onnx_graph_close(&graph);
        gpai_onnx_file_close(&file);
        free(bytes);
        close_table(&t);
    }
}

static void test_names(void **state)
{
    static const char *const names[] = {"age", "load", "flow", "temp"};
    char path[1024];
    gpa_model *m = NULL;
    (void)state;
    /* A bare file; inputs of one column name the variables. */
    data_path(path, sizeof path, "columns.onnx");
    assert_int_equal(gpa_model_open(&m, path, NULL, NULL), GPA_OK);
    for (size_t k = 0; k < 4; k++)
        assert_string_equal(gpa_model_variable(m, k), names[k]);
    gpa_model_free(m);
    data_path(path, sizeof path, "torch_relu.onnx");
    assert_int_equal(gpa_model_open(&m, path, NULL, NULL), GPA_OK);
    assert_null(gpa_model_variable(m, 0));
    gpa_model_free(m);
}

static gpa_status open_bytes(gpa_model **out, const char *bytes, size_t size,
                             const char *config, gpa_error *err)
{
    char path[1024];
    const gpai_spec s = {.text = "onnx:m.onnx",
                         .rest = data_path(path, sizeof path, "m.onnx"),
                         .config = config};
    return gpai_onnx_open(out, &s, bytes, size, err);
}

/* Models that must not pass, with what is said of them. */
static const struct refused {
    const char *name;
    gpa_status status;
    const char *message; /* after the file's name */
} refused[] = {
    {"operator", GPA_UNSUPPORTED,
     "node 1 (Conv 'first'): the operator Conv is not supported; let its own library "
     "compute the model, through exec:"},
    {"domain", GPA_UNSUPPORTED,
     "node 1 (com.acme.Magic): the operator com.acme.Magic is not supported; let its "
     "own library compute the model, through exec:"},
    {"classifier", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.TreeEnsembleClassifier): the operator "
     "ai.onnx.ml.TreeEnsembleClassifier is not supported; let its own library compute "
     "the model, through exec:"},
    {"subgraph", GPA_UNSUPPORTED,
     "node 1 (If): the operator If is not supported; let its own library compute the "
     "model, through exec:"},
    {"no opset", GPA_DATA,
     "node 1 (ReduceSum): the file does not say which version of it is meant"},
    {"new opset", GPA_UNSUPPORTED,
     "version 99 of the operators 'ai.onnx', known are 7 to 25; export it with one of "
     "these"},
    {"old opset", GPA_UNSUPPORTED,
     "version 6 of the operators 'ai.onnx', known are 7 to 25; export it with one of "
     "these"},
    {"new ml", GPA_UNSUPPORTED,
     "version 6 of the operators 'ai.onnx.ml', known are 1 to 5; export it with one of "
     "these"},
    {"two outputs", GPA_UNSUPPORTED,
     "2 outputs (y, z); name one with --model-config output=NAME"},
    {"three numbers", GPA_UNSUPPORTED,
     "'y' (output) is 3 numbers per row; only one is supported"},
    {"constant", GPA_UNSUPPORTED,
     "'y' (output) does not depend on the input, or is not a number"},
    {"nowhere", GPA_DATA, "'y' (output) is computed nowhere"},
    {"undefined", GPA_DATA, "node 1 (Add): input 2 is computed nowhere before it"},
    {"disorder", GPA_DATA, "node 1 (Abs): input 1 is computed nowhere before it"},
    {"twice", GPA_DATA, "'y' is defined twice"},
    {"no input", GPA_UNSUPPORTED, "0 input columns, 1 to 65536 can be"},
    {"int input", GPA_UNSUPPORTED,
     "input 'X' is int64; export the model with inputs of type float or double"},
    {"text input", GPA_UNSUPPORTED,
     "input 'X' is string; export the model with inputs of type float or double"},
    {"no shape", GPA_UNSUPPORTED, "input 'X' has no shape [rows, inputs]"},
    {"no rows", GPA_UNSUPPORTED, "input 'X' has no shape [rows, inputs]"},
    {"any columns", GPA_UNSUPPORTED,
     "input 'X' does not say how many columns it has, or too many; export it with a "
     "fixed number"},
    {"rows differ", GPA_UNSUPPORTED,
     "input 'Z' is made for another number of rows than the inputs before"},
    {"attribute", GPA_UNSUPPORTED,
     "node 1 (Abs): its attribute 'strength' is not supported"},
    {"attribute kind", GPA_DATA,
     "node 1 (LeakyRelu): attribute 'alpha' is of a wrong kind"},
    {"inputs", GPA_UNSUPPORTED, "node 1 (Abs): 2 inputs, at most 1"},
    {"left out", GPA_DATA, "node 1 (Add): input 2 is missing"},
    {"left empty", GPA_DATA, "node 1 (Add): input 1 is missing"},
    {"types", GPA_DATA, "node 1 (Add): operands of type float and double"},
    {"shapes", GPA_DATA, "node 1 (Add): shapes that do not match: 3 and 2 numbers"},
    {"per row", GPA_UNSUPPORTED,
     "node 1 (Add): not supported: a constant that would differ from row to row"},
    {"ranks", GPA_UNSUPPORTED,
     "node 2 (Add): not supported: tensors of different rank that both depend on the "
     "input"},
    {"reduce rows", GPA_UNSUPPORTED,
     "node 1 (ReduceMean): not supported: what mixes rows"},
    {"reduce all", GPA_UNSUPPORTED,
     "node 1 (ReduceMean): not supported: anything but axes that it names"},
    {"axis", GPA_DATA, "node 1 (ReduceMean): axis 2 of 2 dimensions"},
    {"transpose rows", GPA_UNSUPPORTED,
     "node 1 (Transpose): not supported: what mixes rows"},
    {"reshape rows", GPA_UNSUPPORTED,
     "node 1 (Reshape): not supported: what mixes rows"},
    {"reshape split", GPA_UNSUPPORTED,
     "node 1 (Reshape): 3 numbers of a row do not fit the shape; rows must stay apart"},
    {"reshape more", GPA_UNSUPPORTED,
     "node 1 (Reshape): 3 numbers of a row do not fit the shape; rows must stay apart"},
    {"reshape twice", GPA_DATA, "node 1 (Reshape): a shape with -1 twice"},
    {"concat rows", GPA_UNSUPPORTED, "node 1 (Concat): not supported: what mixes rows"},
    {"gather rows", GPA_UNSUPPORTED, "node 1 (Gather): not supported: what mixes rows"},
    {"gather", GPA_DATA, "node 1 (Gather): index 3 of 3"},
    {"split", GPA_DATA, "node 1 (Split): parts that do not fit"},
    {"rows as number", GPA_UNSUPPORTED,
     "node 3 (Cast): not supported: what depends on the number of rows"},
    {"rows computed", GPA_UNSUPPORTED,
     "node 2 (Mul): not supported: this computation with whole numbers"},
    {"to int", GPA_UNSUPPORTED, "node 1 (Cast): from float to int64 is not supported"},
    {"to half", GPA_UNSUPPORTED, "node 1 (Cast): to float16 is not supported"},
    {"clip", GPA_UNSUPPORTED,
     "node 1 (Clip): not supported: a min that is not constant"},
    {"gelu", GPA_UNSUPPORTED,
     "node 1 (Gelu): approximate 'tanh' is not supported, only 'none'"},
    {"mask", GPA_UNSUPPORTED, "node 1 (Dropout): its output 2 is not supported"},
    {"training", GPA_UNSUPPORTED,
     "node 1 (Dropout): not supported: a model exported for training"},
    {"batch norm", GPA_UNSUPPORTED,
     "node 1 (BatchNormalization): not supported: a model exported for training"},
    {"matmul", GPA_DATA, "node 1 (MatMul): 3 columns times 2 lines"},
    {"matmul rows", GPA_UNSUPPORTED,
     "node 1 (MatMul): not supported: a second factor that is not constant"},
    {"matmul left", GPA_UNSUPPORTED,
     "node 1 (MatMul): not supported: a second factor that is not constant"},
    {"gemm turned", GPA_UNSUPPORTED,
     "node 1 (Gemm): not supported: a first factor that is not rows, or turned"},
    {"gemm added", GPA_UNSUPPORTED,
     "node 1 (Gemm): not supported: adding what differs from row to row"},
    {"scaler", GPA_DATA, "node 1 (ai.onnx.ml.Scaler): offset: 2 numbers for 3 columns"},
    {"linear", GPA_DATA,
     "node 1 (ai.onnx.ml.LinearRegressor): 2 coefficients and 0 intercepts for 3 "
     "columns"},
    {"linear post", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.LinearRegressor): post_transform 'SOFTMAX' is not supported, "
     "only 'NONE'"},
    {"imputer", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.Imputer): not supported: any replaced_value_float but NaN"},
    {"normalizer", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.Normalizer): not supported: any norm but L1 and L2"},
    {"svm", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.SVMRegressor): not supported: one_class"},
    {"long", GPA_UNSUPPORTED,
     "node 5 (MatMul): not supported: constants that take this long to compute"},
    {"large", GPA_UNSUPPORTED,
     "node 6 (Mul): its result has more than 1073741824 numbers"},
    {"few numbers", GPA_DATA, "tensor 'w': 2 numbers, expected 3"},
    {"odd bytes", GPA_DATA, "tensor 'w': 13 bytes, expected 12"},
    {"half", GPA_UNSUPPORTED, "tensor 'w': numbers of type float16 are not supported"},
    {"negative", GPA_DATA, "tensor 'w': a negative dimension"},
    {"huge", GPA_DATA, "tensor 'w': dimensions beyond all memory"},
    {"deep", GPA_UNSUPPORTED, "tensor 'w': more than 8 dimensions"},
    {"no location", GPA_DATA,
     "tensor 'w': its external data has no location, or an offset or length that is no "
     "number"},
    {"absolute", GPA_DATA,
     "tensor 'w': its numbers are in '/etc/passwd', which is not a file in the model's "
     "folder"},
    {"up", GPA_DATA,
     "tensor 'w': its numbers are in '../onnx/weights/external.bin', which is not a "
     "file in the model's folder"},
    {"up inside", GPA_DATA,
     "tensor 'w': its numbers are in 'weights/../weights/external.bin', which is not a "
     "file in the model's folder"},
    {"folder", GPA_DATA,
     "tensor 'w': its numbers are in 'weights', which is not a file in the model's "
     "folder"},
    {"missing file", GPA_IO, "tensor 'w': no file 'none.bin' in the model's folder"},
    {"no number", GPA_DATA,
     "tensor 'w': its external data has no location, or an offset or length that is no "
     "number"},
    {"beyond", GPA_DATA,
     "tensor 'w': its numbers would lie beyond the end of 'weights/external.bin'"},
    {"beyond too", GPA_DATA,
     "tensor 'w': its external data has no location, or an offset or length that is no "
     "number"},
    {"too long", GPA_DATA, "tensor 'w': 16 bytes, expected 12"},
    {"tree max", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): aggregate_function 'MAX' is not "
     "supported, only 'SUM' and 'AVERAGE'"},
    {"tree post", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): post_transform 'LOGISTIC' is not "
     "supported, only 'NONE'"},
    {"tree base", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): 2 base_values for one target"},
    {"tree eq", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): nodes of mode 'BRANCH_EQ' are not "
     "supported"},
    {"tree neq", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): nodes of mode 'BRANCH_NEQ' are not "
     "supported"},
    {"tree nan", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: node 0: a threshold of nan"},
    {"tree input", GPA_DATA, "tree 0: node 0: there is no input 3"},
    {"tree input -1", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: node 0: no input -1"},
    {"tree child", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: node 0: no child 7"},
    {"tree cycle", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: its nodes must stand "
     "together, the root, and no other without a parent, first"},
    {"tree same", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: its nodes must stand "
     "together, the root, and no other without a parent, first"},
    {"tree twice", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: node 2 is there twice"},
    {"tree weight", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: a weight for node 0, which is "
     "no leaf or has one"},
    {"tree weights", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: a weight for node 1, which is "
     "no leaf or has one"},
    {"tree target", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): a weight for target 1 of one"},
    {"tree lists", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): lists of different lengths about 3 "
     "nodes"},
    {"tree modes", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): lists of different lengths about 3 "
     "nodes"},
    {"tree empty", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): no nodes, or too many"},
    {"tree order", GPA_DATA,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): tree 0: its nodes must stand "
     "together, the root, and no other without a parent, first"},
    {"tree targets", GPA_UNSUPPORTED,
     "node 1 (ai.onnx.ml.TreeEnsembleRegressor): 2 targets; only one number per row is "
     "supported"},
};
enum { REFUSED = sizeof refused / sizeof refused[0] };

/* The bytes behind a name in refused.txt. */
static char *refused_bytes(const char *list, const char *name, size_t *size)
{
    char start[64];
    snprintf(start, sizeof start, "\n%s: ", name);
    const char *at = strstr(list, start);
    assert_non_null(at);
    at += strlen(start);
    *size = strcspn(at, "\n") / 2;
    char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < *size; i++) {
        char digits[3] = {at[2 * i], at[2 * i + 1], '\0'};
        bytes[i] = (char)strtoul(digits, NULL, 16);
    }
    return bytes;
}

static void test_refused(void **state)
{
    char path[1024];
    size_t size, lines = 0;
    (void)state;
    char *text = read_bytes(data_path(path, sizeof path, "refused.txt"), &size);
    char *list = calloc(size + 2, 1);
    assert_non_null(list);
    snprintf(list, size + 2, "\n%s", text);
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    assert_int_equal(lines, REFUSED);
    for (size_t c = 0; c < REFUSED; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        char *bytes = refused_bytes(list, refused[c].name, &size);
        assert_int_equal(open_bytes(&m, bytes, size, "", &err), refused[c].status);
        assert_null(m);
        const char *said = strstr(err.message, "m.onnx: ");
        assert_non_null(said);
        assert_string_equal(said + 8, refused[c].message);
        assert_int_equal(open_bytes(&m, bytes, size, "", NULL), refused[c].status);
        free(bytes);
    }
    free(list);
    free(text);
}

/* A model of float X [N, 10] with one node and its constants, written from its parts:
 * what a file can hold that no exporter writes. */
struct part {
    const char *name;
    int64_t dims[2];
    size_t rank;
    int64_t whole[4]; /* as many as dims say, for int64 */
    bool real;        /* ones as raw bytes, for float */
    bool list_too;    /* and once more as a list */
};

struct made {
    const char *op, *in[5];
    size_t inputs;
    int64_t axis; /* -1: none */
    struct part part[3];
    size_t parts;
    size_t imports;
    const char *domain; /* of the second import */
    const char *message;
    bool wide; /* a second node gathers the last of the parts along axis 2 */
};

enum { MOST = 40000 };

static void fill_part(GpaiOnnx__Tensor *t, const struct part *p, int64_t *dims,
                      int64_t *whole)
{
    static float ones[MOST];
    size_t n = 1;
    gpai_onnx__tensor__init(t);
    for (size_t i = 0; i < p->rank; i++) {
        dims[i] = p->dims[i];
        n *= (size_t)p->dims[i];
    }
    char *name = NULL; /* the generated types know no const */
    memcpy(&name, &p->name, sizeof name);
    t->name = name;
    t->dims = dims;
    t->n_dims = p->rank;
    t->has_data_type = true;
    t->data_type = p->real ? 1 : 7;
    if (p->real) {
        for (size_t i = 0; i < n; i++)
            ones[i] = 1;
        t->has_raw_data = true;
        t->raw_data = (ProtobufCBinaryData){4 * n, (uint8_t *)ones};
        t->n_float_data = p->list_too ? n : 0;
        t->float_data = ones;
    } else {
        for (size_t i = 0; i < n; i++)
            whole[i] = p->whole[i % 4];
        t->n_int64_data = n;
        t->int64_data = whole;
    }
}

static char *make_model(const struct made *c, size_t *size)
{
    static char X[] = "X", y[] = "y", z[] = "z", axis[] = "axis";
    char text[8][32], *in[5], *out[1] = {y};
    GpaiOnnx__Tensor tensors[3], *tensor[3] = {&tensors[0], &tensors[1], &tensors[2]};
    GpaiOnnx__Attribute a = GPAI_ONNX__ATTRIBUTE__INIT, *as[1] = {&a};
    GpaiOnnx__Node node = GPAI_ONNX__NODE__INIT, *nodes[2] = {&node, NULL};
    GpaiOnnx__Attribute axis2 = GPAI_ONNX__ATTRIBUTE__INIT, *as2[1] = {&axis2};
    GpaiOnnx__Node second = GPAI_ONNX__NODE__INIT;
    char *in2[2] = {z, NULL}, *out2[1] = {y};
    GpaiOnnx__Dimension rows = GPAI_ONNX__DIMENSION__INIT,
                        ten = GPAI_ONNX__DIMENSION__INIT, *dims[2] = {&rows, &ten};
    GpaiOnnx__Shape shape = GPAI_ONNX__SHAPE__INIT;
    GpaiOnnx__TensorType tt = GPAI_ONNX__TENSOR_TYPE__INIT;
    GpaiOnnx__Type type = GPAI_ONNX__TYPE__INIT;
    GpaiOnnx__ValueInfo from = GPAI_ONNX__VALUE_INFO__INIT, *inputs[1] = {&from};
    GpaiOnnx__ValueInfo to = GPAI_ONNX__VALUE_INFO__INIT, *outputs[1] = {&to};
    GpaiOnnx__Graph graph = GPAI_ONNX__GRAPH__INIT;
    GpaiOnnx__OperatorSet sets[2] = {GPAI_ONNX__OPERATOR_SET__INIT,
                                     GPAI_ONNX__OPERATOR_SET__INIT},
                          *set[2] = {&sets[0], &sets[1]};
    GpaiOnnx__Model model = GPAI_ONNX__MODEL__INIT;
    static int64_t whole[3][MOST];
    int64_t shapes[3][2];
    for (size_t i = 0; i < c->inputs; i++) {
        snprintf(text[i], sizeof text[i], "%s", c->in[i]);
        in[i] = text[i];
    }
    for (size_t i = 0; i < c->parts; i++)
        fill_part(&tensors[i], &c->part[i], shapes[i], whole[i]);
    snprintf(text[5], sizeof text[5], "%s", c->op);
    snprintf(text[6], sizeof text[6], "%s", c->domain);
    node.op_type = text[5];
    node.n_input = c->inputs;
    node.input = in;
    node.n_output = 1;
    node.output = out;
    a.name = axis;
    a.has_i = a.has_type = true;
    a.i = c->axis;
    a.type = 2;
    node.n_attribute = c->axis >= 0;
    node.attribute = as;
    second = node;
    axis2 = a;
    if (c->wide) {
        out[0] = z;
        nodes[1] = &second;
        axis2.i = 2;
        in2[1] = tensors[c->parts - 1].name;
        second.input = in2;
        second.output = out2;
        second.attribute = as2;
    }
    ten.has_dim_value = true;
    ten.dim_value = 10;
    shape.n_dim = 2;
    shape.dim = dims;
    tt.has_elem_type = true;
    tt.elem_type = 1;
    tt.shape = &shape;
    type.tensor_type = &tt;
    from.name = X;
    from.type = &type;
    to.name = y;
    graph.n_input = graph.n_output = 1;
    graph.n_node = c->wide ? 2 : 1;
    graph.node = nodes;
    graph.input = inputs;
    graph.output = outputs;
    graph.n_initializer = c->parts;
    graph.initializer = tensor;
    sets[0].has_version = sets[1].has_version = true;
    sets[0].version = 17;
    sets[1].version = 1;
    sets[1].domain = text[6];
    model.n_opset_import = c->imports;
    model.opset_import = set;
    model.graph = &graph;
    *size = gpai_onnx__model__get_packed_size(&model);
    char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    gpai_onnx__model__pack(&model, (uint8_t *)bytes);
    return bytes;
}

static void test_made_by_hand(void **state)
{
    static const struct part one = {
        .name = "w", .dims = {10, 1}, .rank = 2, .real = true};
    static const struct part both = {
        .name = "w", .dims = {10, 1}, .rank = 2, .real = true, .list_too = true};
    const struct made cases[] = {
        {"MatMul", {"X", "w"}, 2, -1, {one}, 1, 1, "", NULL, false},
        {"MatMul", {"X", "w"}, 2, -1, {one}, 1, 2, "ai.onnx.ml", NULL, false},
        {"MatMul",
         {"X", "w"},
         2,
         -1,
         {one},
         1,
         2,
         "",
         "imports the operators 'ai.onnx' twice",
         false},
        {"MatMul",
         {"X", "w"},
         2,
         -1,
         {one},
         1,
         2,
         "ai.onnx",
         "imports the operators 'ai.onnx' twice",
         false},
        {"MatMul",
         {"X", "w"},
         2,
         -1,
         {both},
         1,
         1,
         "",
         "tensor 'w': its numbers are in two places",
         false},
        {"Gather",
         {"X", "k"},
         2,
         1,
         {{"k", {1}, 1, {-10}, false, false}},
         1,
         1,
         "",
         NULL,
         false},
        {"Gather",
         {"X", "k"},
         2,
         1,
         {{"k", {1}, 1, {-11}, false, false}},
         1,
         1,
         "",
         "node 1 (Gather): index -11 of 10",
         false},
        {"Slice",
         {"X", "k", "e", "k", "s"},
         5,
         -1,
         {{"k", {1}, 1, {1}, false, false},
          {"e", {1}, 1, {2}, false, false},
          {"s", {1}, 1, {INT64_MIN}, false, false}},
         3,
         1,
         "",
         "node 1 (Slice): a step of -9223372036854775808",
         false},
        {"Slice",
         {"X", "k", "e", "k", "s"},
         5,
         -1,
         {{"k", {1}, 1, {1}, false, false},
          {"e", {1}, 1, {2}, false, false},
          {"s", {1}, 1, {0}, false, false}},
         3,
         1,
         "",
         "node 1 (Slice): a step of 0",
         false},
        /* 655 MB for where the numbers come from, if they were listed first */
        {"Gather",
         {"X", "j"},
         2,
         1,
         {{"j", {4096, 1}, 2, {0, 1, 2, 3}, false, false},
          {"k", {MOST}, 1, {0}, false, false}},
         2,
         1,
         "",
         "node 2 (Gather): its result has more than 4194304 numbers, the limit for a "
         "row",
         true},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, "m.onnx: fine"};
        size_t size;
        char *bytes = make_model(&cases[c], &size);
        gpa_status st = open_bytes(&m, bytes, size, "", &err);
        if (cases[c].message != NULL) {
            assert_string_equal(strstr(err.message, "m.onnx: ") + 8, cases[c].message);
            assert_int_equal(st, cases[c].wide ? GPA_UNSUPPORTED : GPA_DATA);
        } else {
            assert_string_equal(err.message, "m.onnx: fine");
            assert_int_equal(st, GPA_OK);
            gpa_model_free(m);
        }
        free(bytes);
    }
}

static void test_configuration(void **state)
{
    static const struct {
        const char *file, *config;
        gpa_status status;
        const char *message;
    } cases[] = {
        {"gemm.onnx", "", GPA_OK, ""},
        {"gemm.onnx", "output=y", GPA_OK, ""},
        {"gemm.onnx", "output=z", GPA_INVALID, "no output 'z'; there is y"},
        {"gemm.onnx", "y", GPA_INVALID, "--model-config is 'y', not output=NAME"},
    };
    char path[1024];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        size_t size;
        char *bytes = read_bytes(data_path(path, sizeof path, cases[c].file), &size);
        assert_int_equal(open_bytes(&m, bytes, size, cases[c].config, &err),
                         cases[c].status);
        if (cases[c].status != GPA_OK)
            assert_string_equal(strstr(err.message, "m.onnx: ") + 8, cases[c].message);
        gpa_model_free(m);
        free(bytes);
    }
}

/* Bytes that are no model at all, or too many parts of one. */
static void test_bytes(void **state)
{
    enum { NODES = 16385, DEPTH = 200000 };
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    assert_int_equal(open_bytes(&m, "", 0, "", &err), GPA_DATA);
    assert_non_null(strstr(err.message, "m.onnx: no graph, or none with an output"));
    assert_int_equal(open_bytes(&m, "not a model", 11, "", &err), GPA_DATA);
    assert_non_null(strstr(err.message, "m.onnx: not an ONNX file, or cut off"));

    /* Field 7 of the model is the graph: nodes are its field 1, outputs its field 12.
     * Lengths are numbers of 7 bits a byte. */
    size_t inner = 2 * NODES + 2, n = 0;
    char *many = calloc(inner + 8, 1);
    assert_non_null(many);
    many[n++] = 0x3a;
    many[n++] = (char)(inner | 0x80);
    many[n++] = (char)(inner >> 7 | 0x80);
    many[n++] = (char)(inner >> 14);
    for (size_t i = 0; i < NODES; i++, n += 2)
        many[n] = 0x0a;
    many[n++] = 0x62;
    n++;
    assert_int_equal(open_bytes(&m, many, n, "", &err), GPA_UNSUPPORTED);
    assert_non_null(strstr(err.message, "16385 nodes, 0 tensors and 0 inputs"));
    free(many);

    /* A graph in an attribute of a node of a graph in an attribute, and so on: written
     * from the inside, each level in front of the one before. */
    char *deep = calloc(30 * (size_t)DEPTH, 1), *at = deep + 30 * (size_t)DEPTH;
    static const char fields[] = {0x32, 0x2a, 0x0a}; /* graph, attribute, node */
    assert_non_null(deep);
    char *end = at;
    for (size_t i = 0; i < DEPTH; i++) {
        size_t length = (size_t)(end - at);
        char head[8];
        size_t k = 0;
        head[k++] = i + 1 == DEPTH ? 0x3a : fields[i % 3];
        for (; length >= 128; length >>= 7)
            head[k++] = (char)((length & 127) | 128);
        head[k++] = (char)length;
        at -= k;
        memcpy(at, head, k);
    }
    assert_int_not_equal(open_bytes(&m, at, (size_t)(end - at), "", &err), GPA_OK);
    free(deep);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* External data behind links: those that stay in the folder are followed. */
static void test_links(void **state)
{
    char folder[] = "/tmp/gpa-onnx-XXXXXX", path[1100], from[1024], spec[1200];
    gpa_model *m = NULL;
    gpa_error err;
    size_t size, weights;
    (void)state;
    assert_non_null(mkdtemp(folder));
    char *model = read_bytes(data_path(from, sizeof from, "external.onnx"), &size);
    char *numbers =
        read_bytes(data_path(from, sizeof from, "weights/external.bin"), &weights);
    snprintf(path, sizeof path, "%s/m.onnx", folder);
    snprintf(spec, sizeof spec, "onnx:%s", path);
    write_bytes(path, model, size);

    /* Nothing there; a link to a folder elsewhere; a link to another name here. */
    assert_int_equal(gpa_model_open(&m, spec, NULL, &err), GPA_IO);
    assert_non_null(strstr(err.message, "no file 'weights/external.bin'"));
    snprintf(path, sizeof path, "%s/weights", folder);
    char *real = realpath(data_path(from, sizeof from, "weights"), NULL);
    assert_non_null(real);
    assert_int_equal(symlink(real, path), 0);
    assert_int_equal(gpa_model_open(&m, spec, NULL, &err), GPA_DATA);
    assert_non_null(strstr(err.message, "not a file in the model's folder"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("w", path), 0);
    snprintf(path, sizeof path, "%s/w", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/w/external.bin", folder);
    write_bytes(path, numbers, weights);
    assert_int_equal(gpa_model_open(&m, spec, NULL, &err), GPA_OK);
    gpa_model_free(m);

    /* A pipe in its place would never end. */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(gpa_model_open(&m, spec, NULL, &err), GPA_DATA);
    assert_int_equal(unlink(path), 0);
    static const char *const rest[] = {"w", "weights", "m.onnx"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, rest[i]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    free(real);
    free(numbers);
    free(model);
}

/* From standard input there is no folder. */
static void test_no_folder(void **state)
{
    char path[1024];
    const gpai_spec s = {.text = "onnx:-", .rest = "-", .config = ""};
    gpa_model *m = NULL;
    gpa_error err;
    size_t size;
    (void)state;
    char *bytes = read_bytes(data_path(path, sizeof path, "external.onnx"), &size);
    assert_int_equal(gpai_onnx_open(&m, &s, bytes, size, &err), GPA_DATA);
    assert_non_null(strstr(err.message, "not a file in the model's folder"));
    free(bytes);
}

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

/* Opens what is left of a model; what opens must also predict. */
static void try_bytes(const char *bytes, size_t size, const char *config)
{
    double y[3];
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    gpa_status st = open_bytes(&m, bytes, size, config, &err);
    assert_true(st == GPA_OK ? m != NULL : m == NULL && err.message[0] != '\0');
    if (m == NULL)
        return;
    double *x = calloc(3 * gpa_model_dim(m), sizeof *x);
    assert_non_null(x);
    x[0] = 1;
    assert_int_equal(gpa_model_predict(m, x, 3, y, NULL), GPA_OK);
    free(x);
    gpa_model_free(m);
}

/* Files cut off anywhere and files with changed bytes: never a crash, always a status.
 */
static void test_damaged(void **state)
{
    uint64_t seed = 42;
    (void)state;
    for (size_t c = 0; c < FIXTURES; c++) {
        struct table t;
        char config[128];
        size_t size;
        open_table(&t, &fixtures[c]);
        char *bytes = read_bytes(t.path, &size), *copy = calloc(size, 1);
        assert_non_null(copy);
        snprintf(config, sizeof config, "output=%s", t.output[t.outputs / 2]);
        for (size_t cut = 0; cut < size; cut += 1 + size / 200) {
            memcpy(copy, bytes, cut);
            try_bytes(copy, cut, config);
        }
        for (size_t k = 0; k < 400; k++) {
            memcpy(copy, bytes, size);
            for (size_t i = 0; i <= k % 4; i++) {
                uint64_t r = next_random(&seed);
                copy[r % size] ^= (char)(1 << (r >> 32) % 8);
            }
            try_bytes(copy, size, config);
        }
        free(copy);
        free(bytes);
        close_table(&t);
    }
}

static void test_without_memory(void **state)
{
    static const char *const names[] = {"columns",    "shapes", "external",
                                        "svm_linear", "gemm",   "trees_double"};
    (void)state;
    for (size_t c = 0; c < sizeof names / sizeof names[0]; c++) {
        char path[1024], file[64];
        size_t size;
        snprintf(file, sizeof file, "%s.onnx", names[c]);
        char *bytes = read_bytes(data_path(path, sizeof path, file), &size);
        const char *config = strcmp(names[c], "shapes") == 0 ? "output=V2_" : "";
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            gpa_status st = GPA_NOMEM;
            size_t k = 1;
            for (; st != GPA_OK; k++) {
                gpa_model *m = NULL, *clone = NULL;
                gpai_alloc_fail_at(k, for_ever == 1);
                st = open_bytes(&m, bytes, size, config, NULL);
                if (st == GPA_OK)
                    st = gpa_model_clone(&clone, m, NULL);
                gpai_alloc_fail_at(0, false);
                assert_true(st == GPA_OK ? clone != NULL : st == GPA_NOMEM);
                gpa_model_free(m);
                gpa_model_free(clone);
            }
            assert_true(k > 30);
        }
        free(bytes);
    }
}

struct job {
    gpa_model *m;
    const struct table *t;
    double y[MAX_ROWS];
    gpa_status st;
};

static void *work(void *arg)
{
    struct job *j = arg;
    for (int i = 0; i < 20 && j->st == GPA_OK; i++)
        j->st = gpa_model_predict(j->m, j->t->x, j->t->rows, j->y, NULL);
    return NULL;
}

static void test_threads(void **state)
{
    enum { THREADS = 4 };
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    (void)state;
    for (size_t c = 0; c < FIXTURES; c++) {
        struct table t;
        open_table(&t, &fixtures[c]);
        for (size_t i = 0; i < THREADS; i++) {
            jobs[i] = (struct job){.t = &t};
            if (i == 0)
                jobs[i].m = open_output(&t, 0);
            else
                assert_int_equal(gpa_model_clone(&jobs[i].m, jobs[0].m, NULL), GPA_OK);
        }
        for (size_t i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
        for (size_t i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(jobs[i].st, GPA_OK);
            assert_memory_equal(jobs[i].y, jobs[0].y, t.rows * sizeof jobs[i].y[0]);
        }
        for (size_t i = 0; i < THREADS; i++)
            gpa_model_free(jobs[i].m);
        close_table(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_onnx_runtime),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_made_by_hand),
        cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "model/exec/frames.h"
#include "base/text/show.h"
#include "data/bits.h"
#include <stdio.h>
#include <string.h>

static uint32_t number(const unsigned char *p)
{
    return (uint32_t)gpai_little_endian(p, 4);
}

static void put(unsigned char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> 8 * i);
}

/* The commonest mistake of all is a model that prints. */
static bool begins(const unsigned char *head, size_t got, const char *magic,
                   const char *what, char wrong[GPAI_WRONG])
{
    char said[64];
    if (memcmp(head, magic, 4) == 0)
        return true;
    gpai_show_line(said, sizeof said, (const char *)head, got);
    snprintf(wrong, GPAI_WRONG,
             "said '%s' where %s was expected (%s); what a model prints belongs on "
             "standard error",
             said, what, magic);
    return false;
}

bool gpai_frame_hello(gpai_hello_head *h, const unsigned char *head, size_t got,
                      char wrong[GPAI_WRONG])
{
    if (!begins(head, got, "GPAH", "a hello", wrong))
        return false;
    if (got < GPAI_HELLO_BYTES)
        return true;
    *h = (gpai_hello_head){number(head + 4), number(head + 8), number(head + 12)};
    if (h->version < 1 || h->version > GPAI_FRAME_VERSION)
        snprintf(wrong, GPAI_WRONG, "speaks version %u of the frames, not 1 or %d",
                 (unsigned)h->version, GPAI_FRAME_VERSION);
    else if (h->size > GPAI_NAMES_MOST)
        snprintf(wrong, GPAI_WRONG,
                 "announces %u bytes of names in its hello, %d are allowed",
                 (unsigned)h->size, GPAI_NAMES_MOST);
    else if (h->inputs > GPAI_INPUTS_MOST)
        snprintf(wrong, GPAI_WRONG, "says it has %u inputs, %d are allowed",
                 (unsigned)h->inputs, GPAI_INPUTS_MOST);
    else if (h->size > 0 && h->inputs == 0)
        snprintf(wrong, GPAI_WRONG, "names its inputs, but says it has 0");
    else if (h->size > 0 && h->size < h->inputs) /* even an empty name ends */
        snprintf(wrong, GPAI_WRONG, "has %u inputs and %u bytes for their names",
                 (unsigned)h->inputs, (unsigned)h->size);
    else
        return true;
    return false;
}

bool gpai_frame_names(const char **names, size_t d, char *text, size_t size,
                      char wrong[GPAI_WRONG])
{
    size_t n = 0;
    const char *zero = memchr(text, '\0', size);
    if (zero != NULL) {
        snprintf(wrong, GPAI_WRONG, "has a zero byte in the names of its inputs");
        return false;
    }
    if (text[size - 1] == '\n')
        size--;
    text[size] = '\0';
    for (char *p = text, *next; p != NULL; p = next, n++) {
        next = strchr(p, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (n < d)
            names[n] = p;
    }
    if (n != d)
        snprintf(wrong, GPAI_WRONG, "has %zu inputs and names %zu", d, n);
    return n == d;
}

/* A frame that grows, or is only measured while `at` is NULL. */
struct writer {
    unsigned char *at;
    size_t size;
};

static void add(struct writer *w, const void *bytes, size_t n)
{
    if (w->at != NULL && n > 0)
        memcpy(w->at + w->size, bytes, n);
    w->size += n;
}

static void add_number(struct writer *w, size_t value)
{
    unsigned char bytes[4];
    put(bytes, (uint32_t)value);
    add(w, bytes, sizeof bytes);
}

static void add_text(struct writer *w, const char *text)
{
    size_t n = strlen(text);
    add_number(w, n);
    add(w, text, n);
}

size_t gpai_frame_kinds(unsigned char *out, const gpai_model_kinds *kinds)
{
    struct writer w = {out, 0};
    add(&w, "GPAK", 4);
    add_number(&w, kinds->d);
    add_number(&w, 0); /* the size, when it is known */
    for (size_t k = 0; k < kinds->d; k++) {
        const gpa_input *in = &kinds->input[k];
        add_number(&w, (size_t)in->writing);
        add_text(&w, kinds->column != NULL ? kinds->column[k] : "");
        add_number(&w, in->levels);
        for (size_t i = 0; i < in->levels; i++) {
            double code = in->level[i];
            (void)gpai_frame_swap(&code, 1);
            add(&w, &code, sizeof code);
            add_text(&w, in->level_name[i]);
        }
    }
    if (out != NULL)
        put(out + 8, (uint32_t)(w.size - GPAI_HEAD_BYTES));
    return w.size;
}

void gpai_frame_request(unsigned char head[GPAI_HEAD_BYTES], uint32_t rows,
                        uint32_t inputs)
{
    memcpy(head, "GPAQ", 4);
    put(head + 4, rows);
    put(head + 8, inputs);
}

bool gpai_frame_reply(gpai_reply *r, const unsigned char *head, size_t got, size_t rows,
                      gpai_asked asked, char wrong[GPAI_WRONG])
{
    if (!begins(head, got, "GPAR", "a reply", wrong))
        return false;
    if (got < GPAI_HEAD_BYTES)
        return true;
    *r = (gpai_reply){.rows = number(head + 4), .size = number(head + 8)};
    if (r->size > GPAI_COMPLAINT_MOST)
        snprintf(wrong, GPAI_WRONG,
                 "announces an error text of %u bytes, %d are allowed",
                 (unsigned)r->size, GPAI_COMPLAINT_MOST);
    else if (r->size > 0 || r->rows == rows)
        return true;
    else if (r->rows > rows)
        snprintf(wrong, GPAI_WRONG, "answers %u rows when %zu were asked",
                 (unsigned)r->rows, rows);
    else
        snprintf(wrong, GPAI_WRONG,
                 "answers %u rows when %zu were asked: no prediction for %s %zu",
                 (unsigned)r->rows, rows, gpai_asked_word(asked),
                 gpai_asked_number(asked, r->rows));
    return false;
}

bool gpai_frame_swap(double *values, size_t n)
{
    const uint16_t probe = 1;
    unsigned char low;
    memcpy(&low, &probe, 1);
    if (low == 1)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char bytes[8], turned[8];
        memcpy(bytes, &values[i], 8);
        for (int k = 0; k < 8; k++)
            turned[k] = bytes[7 - k];
        memcpy(&values[i], turned, 8);
    }
    return true;
}

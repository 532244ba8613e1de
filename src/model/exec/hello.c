#include "model/exec/hello.h"
#include "base/alloc.h"
#include <stdio.h>
#include <string.h>

/* Nonsense is refused as soon as it can be told from a hello: after four bytes. What
 * came with them is shown, too. */
static gpai_talk hear_head(gpai_hello_head *head, gpai_child *c, int64_t deadline,
                           char what[GPAI_WRONG])
{
    unsigned char bytes[64];
    gpai_talk t = GPAI_TALK_FINE;
    size_t got = 0, more = 0;
    while (t == GPAI_TALK_FINE && got < GPAI_HELLO_BYTES) {
        t = gpai_wire_read(c, NULL, bytes, got < 4 ? 4 : GPAI_HELLO_BYTES, &got,
                           deadline);
        if (got < 4 || gpai_frame_hello(head, bytes, got, what))
            continue;
        (void)gpai_wire_stray(c, bytes + got, sizeof bytes - got, &more);
        (void)gpai_frame_hello(head, bytes, got + more, what);
        return GPAI_TALK_WRONG;
    }
    return t;
}

static gpai_talk hear_names(gpai_hello *h, size_t size, gpai_child *c, int64_t deadline,
                            char what[GPAI_WRONG])
{
    size_t got = 0;
    h->text = gpai_calloc(size + 1, 1);
    h->names = gpai_calloc(h->inputs, sizeof *h->names);
    if (h->text == NULL || h->names == NULL)
        return GPAI_TALK_NOMEM;
    gpai_talk t = gpai_wire_read(c, NULL, h->text, size, &got, deadline);
    if (t == GPAI_TALK_FINE &&
        !gpai_frame_names(h->names, h->inputs, h->text, size, what))
        t = GPAI_TALK_WRONG;
    return t;
}

gpai_talk gpai_hello_hear(gpai_hello *h, gpai_child *c, int64_t deadline,
                          char what[GPAI_WRONG])
{
    gpai_hello_head head = {0};
    *h = (gpai_hello){0};
    gpai_talk t = hear_head(&head, c, deadline, what);
    h->inputs = head.inputs;
    if (t == GPAI_TALK_FINE && head.size > 0)
        t = hear_names(h, head.size, c, deadline, what);
    if (t == GPAI_TALK_ENDED)
        snprintf(what, GPAI_WRONG, "before its hello (docs/connect/exec.md)");
    if (t == GPAI_TALK_LATE)
        snprintf(what, GPAI_WRONG, "no hello (docs/connect/exec.md)");
    return t;
}

void gpai_hello_close(gpai_hello *h)
{
    gpai_free(h->names);
    gpai_free(h->text);
    *h = (gpai_hello){0};
}

bool gpai_hello_same(const gpai_hello *first, const gpai_hello *later,
                     char what[GPAI_WRONG])
{
    if (first->inputs != later->inputs) {
        snprintf(what, GPAI_WRONG, "started again it takes %zu inputs, not %zu",
                 later->inputs, first->inputs);
        return false;
    }
    bool same = (first->names == NULL) == (later->names == NULL);
    for (size_t k = 0; same && first->names != NULL && k < first->inputs; k++)
        same = strcmp(first->names[k], later->names[k]) == 0;
    if (!same)
        snprintf(what, GPAI_WRONG, "started again it calls its inputs otherwise");
    return same;
}

#ifndef TEST_SVG_SUPPORT_H
#define TEST_SVG_SUPPORT_H
#include "support.h"

/* A strict reader of SVG: well-formed XML in UTF-8, as much of it as pictures need. It
 * knows nothing of the code that writes them. */

enum { SVG_ELEMENTS = 40000, SVG_DEPTH = 16, SVG_TEXT = 512 };

typedef struct svg_element {
    char name[16];
    char class[40];
    const char *attributes; /* up to the > */
    size_t length;          /* of the attributes */
    char text[SVG_TEXT]; /* its own text without that of children; entities resolved */
    size_t parent;       /* its own number for the first */
} svg_element;

typedef struct svg {
    svg_element *e;
    size_t count;
} svg;

static inline void svg_fail(const char *why, const char *at)
{
    print_error("not well-formed: %s at: %.60s\n", why, at);
    fail();
}

/* One UTF-8 sequence that XML allows; gives its length. */
static inline size_t svg_character(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    size_t n = u[0] < 0x80 ? 1 : u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
    unsigned long point = n == 1 ? u[0] : u[0] & (0xFFu >> (n + 1));
    if ((u[0] >= 0x80 && u[0] < 0xC2) || u[0] > 0xF4)
        svg_fail("no UTF-8", p);
    for (size_t i = 1; i < n; i++) {
        if ((u[i] & 0xC0) != 0x80)
            svg_fail("no UTF-8", p);
        point = point << 6 | (u[i] & 0x3F);
    }
    if ((point < 0x20 && point != '\n') || (point >= 0xD800 && point <= 0xDFFF) ||
        point == 0xFFFE || point == 0xFFFF || point > 0x10FFFF)
        svg_fail("no character of XML", p);
    return n;
}

/* &#39; and the like, of ASCII and the no-break space only. */
static inline const char *svg_entity(const char *p, char *out)
{
    char *end = NULL;
    if (p[1] != '#')
        svg_fail("entity", p);
    unsigned long point = strtoul(p + 2, &end, 10);
    if (*end != ';' || point == 0 || (point > 0x7E && point != 160))
        svg_fail("entity", p);
    *out = point == 160 ? ' ' : (char)point;
    return end + 1;
}

static inline const char *svg_text(const char *p, svg_element *e)
{
    size_t used = strlen(e->text);
    while (*p != '\0' && *p != '<') {
        char c[4] = {0};
        size_t n = 1;
        if (*p == '>')
            svg_fail("bare >", p);
        if (*p == '&') {
            p = svg_entity(p, c);
        } else {
            n = svg_character(p);
            memcpy(c, p, n);
            p += n;
        }
        if (used + n < SVG_TEXT) {
            memcpy(e->text + used, c, n);
            used += n;
            e->text[used] = '\0';
        }
    }
    return p;
}

static inline const char *svg_word(const char *p, char *out, size_t room)
{
    size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    if (n == 0 || n >= room)
        svg_fail("name", p);
    memcpy(out, p, n);
    out[n] = '\0';
    return p + n;
}

/* Attributes up to > or />; each once, in double quotes. */
static inline const char *svg_attributes(const char *p, svg_element *e)
{
    e->attributes = p;
    while (*p == ' ') {
        char name[24], twice[32];
        const char *start = p;
        p = svg_word(p + 1, name, sizeof name);
        snprintf(twice, sizeof twice, " %s=\"", name);
        const char *first = strstr(e->attributes, twice);
        if (strncmp(p, "=\"", 2) != 0 || first != start)
            svg_fail("attribute", p);
        const char *value = p + 2;
        for (p = value; *p != '"'; p += svg_character(p))
            if (*p == '<' || *p == '>' || *p == '\0')
                svg_fail("value", p);
        if (strcmp(name, "class") == 0)
            snprintf(e->class, sizeof e->class, "%.*s", (int)(p - value), value);
        p++;
    }
    e->length = (size_t)(p - e->attributes);
    return p;
}

/* Reads all elements from `p` on, up to the end of the first. */
static inline const char *svg_elements(const char *p, svg *s)
{
    size_t open[SVG_DEPTH], depth = 0;
    do {
        if (strncmp(p, "</", 2) == 0) {
            char name[16];
            p = svg_word(p + 2, name, sizeof name);
            assert_string_equal(name, s->e[open[--depth]].name);
        } else if (*p == '<') {
            svg_element *e = &s->e[s->count];
            assert_true(s->count < SVG_ELEMENTS && depth < SVG_DEPTH);
            e->parent = depth > 0 ? open[depth - 1] : s->count;
            p = svg_attributes(svg_word(p + 1, e->name, sizeof e->name), e);
            open[depth++] = s->count++;
            if (*p == '/') {
                p++;
                depth--;
            }
        }
        if (*p++ != '>')
            svg_fail("tag", p - 1);
        if (depth > 0)
            p = svg_text(p, &s->e[open[depth - 1]]);
    } while (depth > 0);
    return p;
}

static inline svg svg_read(const char *text)
{
    size_t tags = 1;
    for (const char *p = strchr(text, '<'); p != NULL; p = strchr(p + 1, '<'))
        tags++;
    svg s = {test_calloc(tags, sizeof *s.e), 0};
    const char *end = svg_elements(text, &s);
    assert_string_equal(end, "\n");
    return s;
}

static inline void svg_free(svg *s)
{
    test_free(s->e);
}

/* A number from an attribute; fails when it is not there. */
static inline double svg_number(const svg_element *e, const char *name)
{
    char key[32], *end = NULL;
    snprintf(key, sizeof key, " %s=\"", name);
    const char *p = strstr(e->attributes, key);
    if (p == NULL || p >= e->attributes + e->length)
        svg_fail(name, e->attributes);
    double v = strtod(p + strlen(key), &end);
    assert_true(*end == '"');
    return v;
}

static inline bool svg_has(const svg_element *e, const char *attribute)
{
    const char *p = strstr(e->attributes, attribute);
    return p != NULL && p < e->attributes + e->length;
}

/* The i-th element of this name and class (NULL: any); NULL when there are fewer. */
static inline const svg_element *svg_find(const svg *s, const char *name,
                                          const char *class, size_t i)
{
    for (size_t k = 0; k < s->count; k++)
        if (strcmp(s->e[k].name, name) == 0 &&
            (class == NULL || strcmp(s->e[k].class, class) == 0) && i-- == 0)
            return &s->e[k];
    return NULL;
}

static inline size_t svg_count(const svg *s, const char *name, const char *class)
{
    size_t n = 0;
    while (svg_find(s, name, class, n) != NULL)
        n++;
    return n;
}

/* The element whose own text is this. */
static inline const svg_element *svg_saying(const svg *s, const char *text)
{
    for (size_t k = 0; k < s->count; k++)
        if (strcmp(s->e[k].text, text) == 0)
            return &s->e[k];
    print_error("nothing says \"%s\"\n", text);
    fail();
    return NULL;
}

/* The numbers of a path, whatever its commands; gives how many. */
static inline size_t svg_path(const svg_element *e, double *out, size_t room)
{
    const char *p = strstr(e->attributes, " d=\""), *last = e->attributes + e->length;
    size_t n = 0;
    assert_true(p != NULL && p < last);
    for (p += 4; *p != '"';) {
        char *end = NULL;
        double v = strtod(p, &end);
        if (end == p || strchr("MLHVhz", *p) != NULL) {
            assert_true(strchr("MLHVhz ", *p) != NULL);
            p++;
            continue;
        }
        if (n < room)
            out[n] = v;
        n++;
        p = end;
    }
    return n;
}

/* Advance widths of ASCII in thousandths of the size, of DejaVu Sans, the widest of the
 * usual fonts: regular and bold. */
static const short SVG_WIDTHS[2][95] = {
    {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
     636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
     1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
     603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
     500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
     635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838},
    {348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
     696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
     1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
     733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
     500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
     716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838}};

/* Width of text in that font; what is not ASCII counts as one em. */
static inline double svg_width(const char *text, double size, bool bold)
{
    double sum = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++)
        if (*p >= 0x20 && *p < 0x7F)
            sum += SVG_WIDTHS[bold][*p - 0x20] / 1000.0;
        else if ((*p & 0xC0) != 0x80)
            sum += 1;
    return sum * size;
}

typedef struct svg_box {
    double x1, x2, y1, y2;
} svg_box;

/* Where an upright piece of text stands: from its baseline up to its x height, which is
 * what must not meet other text. */
static inline svg_box svg_text_box(const svg_element *e)
{
    bool title = strncmp(e->class, "p-title", 7) == 0;
    bool bold = title || strncmp(e->class, "p-head", 6) == 0;
    double size = title ? 15 : strncmp(e->class, "p-small", 7) == 0 ? 10.5 : 12;
    double w = svg_width(e->text, size, bold), x = svg_number(e, "x");
    double y = svg_number(e, "y");
    if (svg_has(e, "\"middle\""))
        x -= w / 2;
    if (svg_has(e, "\"end\""))
        x -= w;
    return (svg_box){x, x + w, y - 0.73 * size, y};
}

/* No text leaves the picture or meets other text. */
static inline void svg_assert_apart(const svg *s, const char *what)
{
    double width = svg_number(&s->e[0], "width"),
           height = svg_number(&s->e[0], "height");
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->e[i].name, "text") != 0 || svg_has(&s->e[i], "rotate"))
            continue;
        svg_box a = svg_text_box(&s->e[i]);
        if (a.x1 < 0 || a.x2 > width || a.y1 < 0 || a.y2 > height) {
            print_error("%s: \"%s\" leaves the picture\n", what, s->e[i].text);
            fail();
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(s->e[j].name, "text") != 0 || svg_has(&s->e[j], "rotate"))
                continue;
            svg_box b = svg_text_box(&s->e[j]);
            if (a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2) {
                print_error("%s: \"%s\" meets \"%s\"\n", what, s->e[i].text,
                            s->e[j].text);
                fail();
            }
        }
    }
}

/* What every picture is: described, without anything active or shared. */
static inline void svg_assert_quiet(const svg *s)
{
    assert_true(svg_has(&s->e[0], "xmlns=\"http://www.w3.org/2000/svg\""));
    assert_true(svg_has(&s->e[0], "viewBox=\"0 0 "));
    assert_true(svg_number(&s->e[0], "width") > 0);
    assert_true(svg_number(&s->e[0], "height") > 0);
    assert_string_equal(s->e[1].name, "title");
    assert_true(s->e[1].text[0] != '\0');
    assert_string_equal(s->e[2].name, "desc");
    assert_true(s->e[2].text[0] != '\0');
    static const char *const known[] = {"svg",  "title", "desc",   "style", "rect",
                                        "path", "text",  "circle", "g"};
    for (size_t i = 0; i < s->count; i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
            found = found || strcmp(s->e[i].name, known[k]) == 0;
        assert_true(found);
        assert_false(svg_has(&s->e[i], " id="));
        assert_false(svg_has(&s->e[i], "href"));
        assert_false(svg_has(&s->e[i], " on"));
        assert_false(svg_has(&s->e[i], "nan"));
        assert_false(svg_has(&s->e[i], "inf"));
        assert_false(svg_has(&s->e[i], "style="));
    }
}

/* And one that stands alone has its style with it. */
static inline void svg_assert_manners(const svg *s, const char *text)
{
    svg_assert_quiet(s);
    assert_string_equal(s->e[3].name, "style");
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
}

#endif

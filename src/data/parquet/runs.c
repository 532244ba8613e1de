#include "data/parquet/runs.h"
#include "data/bits.h"

/* `width` bits from bit `bit` on, the lowest first; `end` is where the bytes end. */
static uint64_t get_bits(const unsigned char *bytes, const unsigned char *end,
                         uint64_t bit, unsigned width)
{
    const unsigned char *p = bytes + bit / 8;
    unsigned shift = (unsigned)(bit % 8);
    uint64_t low = 0;
    if (width == 0)
        return 0;
    size_t there = (size_t)(end - p);
    low = there >= 8 ? gpai_little_endian(p, 8) : gpai_little_endian(p, there);
    low >>= shift;
    if (shift + width > 64 && there > 8)
        low |= (uint64_t)p[8] << (64 - shift);
    return width < 64 ? low & ((UINT64_C(1) << width) - 1) : low;
}

gpai_runs gpai_runs_open(const unsigned char *at, size_t size, unsigned width)
{
    return (gpai_runs){.in = {at, at + size, width > 32}, .width = width};
}

/* Begins the next run. */
static bool next_run(gpai_runs *r)
{
    uint64_t head = gpai_thrift_varint(&r->in);
    size_t there = (size_t)(r->in.end - r->in.at);
    if (r->in.bad || head >> 1 == 0)
        return false;
    r->packed = (head & 1) != 0;
    if (r->packed) {
        if (head >> 1 > UINT64_MAX / 8 / (r->width + 1))
            return false;
        uint64_t bytes = (head >> 1) * r->width;
        r->left = (head >> 1) * 8;
        r->bits = r->in.at;
        r->bit = 0;
        if (bytes > there && r->width > 0) { /* the last group may be cut short */
            r->left = (uint64_t)there * 8 / r->width;
            bytes = there;
        }
        r->in.at += bytes;
        return r->left > 0;
    }
    size_t bytes = (r->width + 7) / 8;
    if (bytes > there)
        return false;
    r->left = head >> 1;
    r->value = 0;
    for (size_t i = bytes; i-- > 0;)
        r->value = r->value << 8 | r->in.at[i];
    r->in.at += bytes;
    return r->width >= 32 || r->value >> r->width == 0;
}

bool gpai_runs_read(gpai_runs *r, uint32_t *out, size_t n)
{
    while (n > 0) {
        if (r->left == 0 && (r->in.bad || !next_run(r)))
            return false;
        size_t some = r->left < n ? (size_t)r->left : n;
        if (r->packed)
            for (size_t i = 0; i < some; i++, r->bit += r->width)
                out[i] = (uint32_t)get_bits(r->bits, r->in.at, r->bit, r->width);
        else
            for (size_t i = 0; i < some; i++)
                out[i] = r->value;
        r->left -= some;
        out += some;
        n -= some;
    }
    return true;
}

bool gpai_runs_read_old(gpai_runs *r, uint32_t *out, size_t n)
{
    uint64_t there = (uint64_t)(r->in.end - r->in.at) * 8;
    if (n > there - r->bit)
        return false;
    for (size_t i = 0; i < n; i++, r->bit++)
        out[i] = r->in.at[r->bit / 8] >> (7 - r->bit % 8) & 1;
    return true;
}

bool gpai_delta_open(gpai_delta *d, const unsigned char *at, size_t size, uint64_t most)
{
    *d = (gpai_delta){.in = {at, at + size, false}, .first = true};
    d->block = gpai_thrift_varint(&d->in);
    d->minis = gpai_thrift_varint(&d->in);
    d->left = gpai_thrift_varint(&d->in);
    d->value = (uint64_t)gpai_thrift_zigzag(&d->in);
    if (d->in.bad || d->left > most || d->minis == 0 || d->block > 1 << 20 ||
        d->block % d->minis != 0 || d->block / d->minis % 8 != 0 || d->block == 0)
        return false;
    d->mini = d->block / d->minis;
    return true;
}

static bool next_block(gpai_delta *d)
{
    d->least = (uint64_t)gpai_thrift_zigzag(&d->in);
    if (d->in.bad || d->minis > (uint64_t)(d->in.end - d->in.at))
        return false;
    d->widths = d->in.at;
    d->in.at += d->minis;
    d->in_block = d->block;
    d->next_mini = 0;
    return true;
}

static bool next_mini(gpai_delta *d)
{
    if (d->in_block == 0 && !next_block(d))
        return false;
    d->width = d->widths[d->next_mini++];
    uint64_t bytes = d->mini / 8 * d->width, there = (uint64_t)(d->in.end - d->in.at);
    uint64_t needed = d->left < d->mini ? d->left : d->mini;
    if (d->width > 64 || (bytes > there && (needed * d->width + 7) / 8 > there))
        return false;
    d->bits = d->in.at;
    d->in.at += bytes < there ? bytes : there; /* the last may not be filled up */
    d->bit = 0;
    d->in_mini = d->mini;
    d->in_block -= d->mini;
    return true;
}

bool gpai_delta_read(gpai_delta *d, int64_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (d->left == 0)
            return false;
        if (d->first) {
            d->first = false;
        } else {
            if (d->in_mini == 0 && !next_mini(d))
                return false;
            d->value += d->least + get_bits(d->bits, d->in.end, d->bit, d->width);
            d->bit += d->width;
            d->in_mini--;
        }
        d->left--;
        out[i] = (int64_t)d->value;
    }
    return true;
}

const unsigned char *gpai_delta_end(const gpai_delta *d)
{
    return d->in.at;
}

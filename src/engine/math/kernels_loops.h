/* The loops of kernels.c for one instruction set, for base/cpu_sets.h. */

#define ABSOLUTE(v) ((VD)((VL)(v) & ~SIGN))

/* Whether the product went across the negative half of the real axis: 1 anticlockwise,
 * -1 clockwise, by signs alone: those of its imaginary part before and after, and that
 * of the turn, which is less than half a circle. */
#define TURN(before, after, by)                                                        \
    (((~(VL)(before) & (VL)(after) & ~(VL)(by)) >> 63) -                               \
     (((VL)(before) & ~(VL)(after) & (VL)(by)) >> 63))

/* Two kernels a step: (1 + i q)(1 + i p) = a + i b has an angle within a half turn, and
 * its squared length is the common denominator of both densities. */
TARGET static void NAMED(kernels)(const gpai_kernels *c, size_t n, struct sums *s)
{
    const double *centre = c->centre, inverse = 1 / c->width;
    size_t pairs = c->count / 2;
    for (size_t at = 0; at < n; at += LANES) {
        const VD zero = {0}, x = NAMED(load)(s->x + at);
        VD density = zero, re = zero + 1, im = zero;
        VL turns = {0};
        for (size_t i = 0; i < pairs; i++) {
            VD q = (x - centre[2 * i]) * inverse, p = (x - centre[2 * i + 1]) * inverse;
            VD a = 1 - q * p, b = q + p, before = im;
            density += (b * b + 2 * a) / (a * a + b * b);
            im = re * b + im * a;
            re = re * a - before * b;
            turns += TURN(before, im, b);
            if (i % PAIRS_BEFORE_SHORTENING == PAIRS_BEFORE_SHORTENING - 1) {
                VD length = ABSOLUTE(re) + ABSOLUTE(im);
                re /= length;
                im /= length;
            }
        }
        if (c->count % 2 == 1) {
            VD q = (x - centre[c->count - 1]) / c->width, before = im;
            density += 1 / (1 + q * q);
            im = re * q + im;
            re = re - before * q;
            turns += TURN(before, im, q);
        }
        *(VD *)(s->density + at) = density;
        *(VD *)(s->re + at) = re;
        *(VD *)(s->im + at) = im;
        for (int l = 0; l < LANES; l++)
            s->turns[at + (size_t)l] = turns[l];
    }
}

TARGET static void NAMED(densities)(const gpai_kernels *c, size_t n, struct sums *s)
{
    const double *centre = c->centre, inverse = 1 / c->width;
    for (size_t at = 0; at < n; at += LANES) {
        const VD x = NAMED(load)(s->x + at);
        VD density = {0};
        for (size_t i = 0; i < c->count; i++) {
            VD q = (x - centre[i]) * inverse;
            density += 1 / (1 + q * q);
        }
        *(VD *)(s->density + at) = density;
    }
}

#undef TURN
#undef ABSOLUTE

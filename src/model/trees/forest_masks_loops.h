/* The loop over a tree's masks (forest_masks.h), once for every instruction set
 * (base/cpu_loops.h): whole numbers only, the same everywhere. Where vectors are
 * shorter than a chunk the compiler makes several of them. */
#define RANKS NAMED(ranks)
#define BYTES NAMED(bytes)
#define WORDS NAMED(words)
typedef int8_t RANKS
    __attribute__((vector_size(GPAI_MASK_ROWS), aligned(1), __may_alias__));
typedef uint8_t BYTES
    __attribute__((vector_size(GPAI_MASK_ROWS), aligned(1), __may_alias__));
typedef uint32_t WORDS __attribute__((vector_size(GPAI_MASK_ROWS)));

/* As macros: a function gets no vectors that its instruction set has not. */
#define ALL(four)   ((WORDS){0} + (four))
#define HAS(set, x) ((BYTES)(((set) & (uint8_t)(x)) != 0))

TARGET static void NAMED(leaves)(const gpai_mask *mask, const uint32_t *end,
                                 size_t planes, const int8_t *rank, size_t columns,
                                 size_t rows, uint8_t *leaf)
{
    for (size_t r = 0; r < rows; r += GPAI_MASK_ROWS) {
        BYTES found = {0}, first = {0}; /* the lowest plane with a leaf, and its 8 p */
        for (size_t p = planes; p-- > 0;) {
            BYTES left = ~(BYTES){0};
            const gpai_mask *m = mask + end[(ptrdiff_t)p - 1];
            for (; m < mask + end[p]; m++)
                left &= (BYTES)((RANKS)ALL(m->rank) > *(const RANKS *)(rank + m->at)) |
                        (BYTES)ALL(m->keep);
            BYTES none = (BYTES)(left == 0);
            found = (found & none) | left;
            first = (first & none) | (~none & (uint8_t)(8 * p));
        }
        BYTES bit = found & (~found + 1); /* the lowest; its number is 7 or less */
        *(BYTES *)(leaf + r) = first + 7 - (HAS(bit, 0x55) & 1) - (HAS(bit, 0x33) & 2) -
                               (HAS(bit, 0x0f) & 4);
        rank += columns * GPAI_MASK_ROWS;
    }
}
#undef ALL
#undef HAS
#undef WORDS
#undef BYTES
#undef RANKS

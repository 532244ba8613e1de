#ifndef GPAI_ENGINE_CULPRIT_EXCHANGE_H
#define GPAI_ENGINE_CULPRIT_EXCHANGE_H
#include "engine/ask.h"
#include "engine/culprit/density/plausible.h"

/* Two columns exchanged: the values of two numbers stand in each other's place. Known
 * up to which two, so that one row each says what f makes of it. Only the pairs whose
 * exchange makes the rows most plausible are asked about. */
enum {
    GPAI_EXCHANGES = 8,     /* asked about; on planted faults as good as 32 */
    GPAI_EXCHANGE_AXES = 25 /* of more, those that fit the others least */
};

typedef struct gpai_exchanges {
    size_t count;
    gpai_probe probe[GPAI_EXCHANGES]; /* which axes */
    double gain[GPAI_EXCHANGES]; /* ln plausibility of the rows exchanged, over that of
                                    the rows as they are */
    double *f;                   /* count by n, once it was asked */
} gpai_exchanges;

/* The pairs worth a row. gpai_exchanges_close frees. */
gpa_status gpai_exchanges_plan(gpai_exchanges *x, gpai_densities *b, gpa_error *err);

/* The gains of the same pairs once more, some axes having no say. A pair with such an
 * axis keeps what it gained if both fit the others when exchanged; else it is none any
 * more. */
gpa_status gpai_exchanges_again(gpai_exchanges *x, gpai_densities *b,
                                const bool *silent, gpa_error *err);
void gpai_exchanges_close(gpai_exchanges *x);

#endif

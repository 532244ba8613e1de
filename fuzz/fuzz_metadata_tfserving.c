#include "model/http/tfserving.c"

#include "metadata.h"

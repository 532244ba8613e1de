#include "model/http/v2.c"

#include "metadata.h"

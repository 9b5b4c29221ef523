// SPDX-License-Identifier: MIT
// libbabeltrace2, for Swift; Debian's package is libbabeltrace2-dev.
#ifndef CBABELTRACE2_H
#define CBABELTRACE2_H

#include <babeltrace2/babeltrace.h>

#endif

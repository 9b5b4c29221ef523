// SPDX-License-Identifier: MIT
// The file of analyses. In C, because the Swift compiler takes many seconds for as many bytes in an array.
#include "analyses.h"

// This is C23, which clang takes in every language.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t trace_compass_bytes[] = {
#embed "rerender-trace-compass.xml"
};

struct canalyses_file canalyses_trace_compass(void) {
    return (struct canalyses_file){trace_compass_bytes, sizeof trace_compass_bytes};
}

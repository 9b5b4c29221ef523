// SPDX-License-Identifier: MIT
// The planted defect of `Scripts/fuzz`.
#include "CFuzzer.h"

#include <stdlib.h>
#include <string.h>

void cfuzzer_planted(const uint8_t *bytes, size_t count) {
    uint8_t *copy = malloc(count + 1);
    if (!copy) return;
    if (count) memcpy(copy, bytes, count);
    copy[count] = 0;
    // Letter by letter, so that each is a way of its own through the program.
    volatile uint8_t found = 0;
    if (count > 4 && copy[0] == 'R' && copy[1] == 'R' && copy[2] == 'D' && copy[3] == 'R') found = copy[count + 1];
    (void)found;
    free(copy);
}

// SPDX-License-Identifier: MIT
// Texts that are kept once each, for ever, under numbers from 1 on.
#ifndef CRERENDER_GTK_TEXTS_H
#define CRERENDER_GTK_TEXTS_H

#include <stdint.h>

/// The number of a text; 0 where there is no room for another one.
uint32_t texts_number(const char *text);

/// The text of a number; null of one that was not given.
const char *texts_at(uint32_t number);

#endif

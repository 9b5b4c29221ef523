// SPDX-License-Identifier: MIT
// What sources of descriptors read, and what they leave. On the loop's thread.
#ifndef CRERENDER_SOURCE_READING_H
#define CRERENDER_SOURCE_READING_H

#include "glib_sources.h"

#pragma GCC visibility push(hidden)

/// What a call of a descriptor's source did.
struct source_reading {
    /// How many bytes there were before; -1 where the descriptor does not tell, as that of a counter or a timer.
    int before;
    bool is_looked_at;
    uint64_t turn, ended;
};

/// How many bytes can be read; -1 where a descriptor does not tell.
int source_bytes_of(int file);
/// What a descriptor source waits for; its file is -1 where that is not known.
struct source_descriptor source_descriptor_of(const struct source_table *table, const struct source *source);
/// Whether a call of this row is one of many, for which it is looked what is left: that takes system calls. Once it was known to leave
/// everything, the time between two says nothing: the thread may have had no processor.
bool source_is_one_of_many(uint32_t row, uint64_t turn, uint64_t now);
/// Notes what became of a descriptor. Data that the program took is input, and so is all of a call that was not looked at: there are few
/// of those. A counter or a timer brings no data.
void source_look_at_descriptor(uint32_t row, struct source_descriptor descriptor, const struct source_reading *reading);

#pragma GCC visibility pop

#endif

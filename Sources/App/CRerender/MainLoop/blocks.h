// SPDX-License-Identifier: MIT
// Blocks that stand in for blocks of the host's, without the compiler's support: the runtime of blocks is not linked.
#ifndef CRERENDER_BLOCKS_H
#define CRERENDER_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/// A block, as the ABI of blocks lays it out.
struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(void *block);
    const struct block_descriptor {
        unsigned long reserved, size;
        void (*copy)(void *to, const void *from);
        void (*dispose)(const void *block);
    } * descriptor;
    /// Of a block that stands in for another one: that one, and an object of Swift's or null. Each copy keeps both.
    struct block *inner;
    void *object;
};

/// Finds the runtime of blocks; false where it is not in the process. On a thread that may wait for the loader.
bool blocks_are_found(void);
/// A block, to be put on the stack, that stands in for another one. Once the runtime was found.
struct block block_around(struct block *inner, void (*invoke)(void *block), void *object);

#pragma GCC visibility pop

#endif

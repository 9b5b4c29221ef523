// SPDX-License-Identifier: MIT
// Makes blocks that stand in for others.
#include "blocks.h"

#include "../Loaded/loaded_symbol.h"

// Swift's stable ABI.
extern void *swift_retain(void *);
extern void swift_release(void *);

static const char blocks_file[] = "libBlocksRuntime.so";
enum { BLOCK_HAS_COPY_DISPOSE = 1 << 25 };

static void *(*copy_block)(const void *block);
static void (*release_block)(const void *block);
static void *stack_block;

static void *symbol(const char *name) {
    void *found = NULL;
    return loaded_symbol(&found, NULL, blocks_file, name);
}

bool blocks_are_found(void) {
    if (stack_block) return true;
    *(void **)&copy_block = symbol("_Block_copy");
    *(void **)&release_block = symbol("_Block_release");
    if (copy_block && release_block) stack_block = symbol("_NSConcreteStackBlock");
    return stack_block;
}

// The runtime has copied the bytes.
static void copied(void *to, const void *from) {
    ((struct block *)to)->inner = copy_block(((const struct block *)from)->inner);
    if (((const struct block *)from)->object) swift_retain(((const struct block *)from)->object);
}

static void disposed(const void *block) {
    release_block(((const struct block *)block)->inner);
    if (((const struct block *)block)->object) swift_release(((const struct block *)block)->object);
}

struct block block_around(struct block *inner, void (*invoke)(void *block), void *object) {
    static const struct block_descriptor descriptor = {0, sizeof(struct block), copied, disposed};
    return (struct block){stack_block, BLOCK_HAS_COPY_DISPOSE, 0, invoke, &descriptor, inner, object};
}

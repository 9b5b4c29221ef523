// SPDX-License-Identifier: MIT
// Thunks and walks of stacks on arm64. `Scripts/proof arm64` compiles this with what it tests, without and with signed addresses to return
// to, and runs it by qemu: `calls none`, `calls standard`. It ends with 1 at the first thing that is wrong.

#include "CDescriptors.h"
#include "CRerender.h"
#include "crerender_inject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct registers {
    uint64_t arguments[8], result, self, error, async, vectors[8][2], words[6], kept[7];
};
_Static_assert(offsetof(struct registers, vectors) == 96 && offsetof(struct registers, kept) == 272, "see calls.S");

void call_with(const void *function, const struct registers *with, struct registers *after);
void original(void);
struct registers got;

static unsigned checks;

static void check(bool is_right, const char *what) {
    checks++;
    if (is_right) return;
    printf("wrong: %s\n", what);
    exit(1);
}

// MARK: What the code under test needs of other files

const void *crerender_value_of(struct crerender_witness witness) { return *witness.entry; }

void crerender_report(const char *kind, const char *text) { printf("%s: %s\n", kind, text); }

bool cdescriptors_run(void (*body)(void *context), void *context) {
    body(context);
    return true;
}

_Thread_local int32_t crerender_this_thread_slot;
int32_t crerender_learn_this_thread(void) { return crerender_this_thread_slot = getpid(); }

// MARK: Thunks

static unsigned handled;
static const void *context;

static void handle(struct crerender_call *call) {
    handled++;
    context = call->hook->context;
    crerender_call_program(call, 6);
    crerender_leave(call);
}

/// A call whose registers all differ.
static struct registers call_of(uint64_t first) {
    struct registers all;
    uint64_t *numbers = (uint64_t *)&all;
    for (size_t index = 0; index < sizeof all / sizeof *numbers; index++) numbers[index] = first + index;
    return all;
}

static void call_thunk(const void *thunk, uint64_t first) {
    struct registers with = call_of(first), after = {0}, wanted = with;
    memset(&got, 0, sizeof got);
    call_with(thunk, &with, &after);
    check(memcmp(&got, &with, offsetof(struct registers, kept)) == 0, "what the function got");
    static const double vectors[4] = {1, 2, 3, 4};
    for (int index = 0; index < 4; index++) {
        check(after.arguments[index] == 51 + (uint64_t)index, "a number that came back");
        check(memcmp(&after.vectors[index][0], &vectors[index], sizeof *vectors) == 0, "a vector that came back");
    }
    check(after.error == 61, "the error that came back");
    check(after.self == wanted.self && after.async == wanted.async, "self and the context are kept");
    check(memcmp(after.kept, wanted.kept, sizeof wanted.kept) == 0, "what a callee keeps");
}

static void test_thunks(void) {
    static void *table[CRERENDER_HOOKS];
    crerender_hook_set_handler(handle);
    for (uintptr_t index = 0; index < CRERENDER_HOOKS; index++) {
        table[index] = (void *)original;
        struct crerender_hook hook = {.context = (void *)index, .has_vectors = true, .only_counts = true};
        check(crerender_hook_install((struct crerender_witness){.entry = &table[index]}, hook),
              "a hook that is installed");
        check(table[index] != (void *)original, "a thunk in the table");
    }
    static const uintptr_t places[] = {0, 1, 255, 256, 4095};
    for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
        handled = 0;
        call_thunk(table[places[index]], 1000 * (index + 1));
        check(handled == 1 && context == (void *)places[index], "the hook of the thunk");
    }
    handled = 0;
    crerender_hook_set_counting(false);
    call_thunk(table[7], 77777);
    check(handled == 0, "no handler where nothing counts");
    check(crerender_refused_calls() == 0, "calls that found room");
}

// MARK: Stacks

static bool has(const uintptr_t *found, uint32_t count, uintptr_t address) {
    for (uint32_t index = 0; index < count; index++)
        if (found[index] == address) return true;
    return false;
}

/// Whether the addresses to return to are signed in memory, and those that are found are not.
static __attribute__((noinline)) void test_walks(bool is_signed) {
    const uintptr_t *frame = __builtin_frame_address(0);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0), found[16], ends[16];
    check((frame[1] != caller) == is_signed, "whether the processor signs");
    check(csymbols_unsigned(frame[1]) == caller, "the address without its signature");
    check(has(found, crerender_callers(found, 16), caller), "the caller, as writers are found");
    static uintptr_t copied[64];
    memcpy(copied, frame, sizeof copied);
    struct csymbols_stack_copy copy = {.instruction = (uintptr_t)&test_walks, .stack = (uintptr_t)frame};
    copy.has_registers = true;
    copy.frame = (uintptr_t)frame;
    copy.bytes = (const unsigned char *)copied;
    copy.size = sizeof copied;
    check(has(found, csymbols_unwind(&copy, found, ends, 16), caller), "the caller, in a copied stack");
    copy.has_registers = false;
    check(csymbols_unwind(&copy, found, ends, 16) == 1, "the innermost function alone, without registers");
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    test_thunks();
    test_walks(!strcmp(arguments[1], "standard"));
    printf("arm64, branch protection %s: %u checks hold\n", arguments[1], checks);
    return 0;
}

// SPDX-License-Identifier: MIT
// The layouts of CPython: of 3.11 and 3.12 as their headers have them, of 3.13 and 3.14 as `_Py_DebugOffsets` tells them.
//
// Builds without the lock of the interpreter have other layouts, and say so.
#include "interpreter_frames.h"

#include <string.h>

/// The mark is `is_entry`.
static const struct crerender_python_layout of_3_11 = {
    .interpreters = 40,
    .next_interpreter = 0,
    .threads = 16,
    .next_thread = 8,
    .thread_number = 160,
    .current = 56,
    .has_call = true,
    .call_frame = 8,
    .code = 32,
    .previous = 48,
    .instruction = 56,
    .mark = 68,
    .least_mark = 1,
    .marks_function = true,
    .file = 112,
    .name = 128,
    .lines = 136,
    .first_line = 72,
    .instructions = 184,
    .ascii = 48,
    .compact = 72,
    .bytes = 32,
    .elements = 24,
    .type_name = 24,
    .lock = 360,
};

/// FRAME_OWNED_BY_CSTACK of 3.12 and 3.13, and FRAME_OWNED_BY_INTERPRETER of 3.14: a frame on the stack of C.
enum { OWNED_BY_CALL = 3 };

/// The mark is `owner`.
static const struct crerender_python_layout of_3_12 = {
    .interpreters = 40,
    .next_interpreter = 0,
    .threads = 72,
    .next_thread = 8,
    .thread_number = 144,
    .current = 56,
    .has_call = true,
    .call_frame = 0,
    .code = 0,
    .previous = 8,
    .instruction = 56,
    .mark = 70,
    .least_mark = OWNED_BY_CALL,
    .file = 112,
    .name = 128,
    .lines = 136,
    .first_line = 68,
    .instructions = 192,
    .ascii = 40,
    .compact = 56,
    .bytes = 32,
    .elements = 24,
    .type_name = 24,
    .lock = 384,
    .has_locks = true,
};

/// Where `_Py_DebugOffsets` has an offset, in words of 64 bits.
struct place {
    uint8_t of_3_13, of_3_14;
    /// Of the layout.
    uint8_t field;
    /// What it may be at most.
    uint32_t most;
};

#define FIELD(name) offsetof(struct crerender_python_layout, name)
enum { FRAME = CRERENDER_PYTHON_FRAME - 8, CODE = CRERENDER_PYTHON_CODE - 8, FAR = 1 << 20, WORDS = 81 };
static const struct place places[] = {
    {5, 5, FIELD(interpreters), FAR},  {8, 8, FIELD(next_interpreter), FAR}, {9, 9, FIELD(threads), FAR},
    {21, 24, FIELD(next_thread), FAR}, {23, 26, FIELD(current), FAR},        {25, 28, FIELD(thread_number), FAR},
    {29, 32, FIELD(previous), FRAME},  {30, 33, FIELD(code), FRAME},         {31, 34, FIELD(instruction), FRAME},
    {33, 36, FIELD(mark), FRAME},      {35, 40, FIELD(file), CODE},          {37, 42, FIELD(name), CODE},
    {38, 43, FIELD(lines), CODE},      {39, 44, FIELD(first_line), CODE},    {43, 48, FIELD(instructions), CODE},
    {47, 53, FIELD(type_name), CODE},  {51, 57, FIELD(elements), CODE},      {66, 76, FIELD(bytes), CODE},
    {70, 80, FIELD(ascii), CODE},
};

/// Where interpreters have the addresses of their locks. A lock itself must be laid out as in the versions before.
static void note_lock(const uint64_t *words, struct crerender_python_layout *layout) {
    enum { ADDRESS, OWN, IS_ENABLED, TAKEN, HOLDER };
    bool is_alike =
        words[HOLDER] - words[OWN] == CRERENDER_LOCK_HOLDER && words[TAKEN] - words[OWN] == CRERENDER_LOCK_TAKEN;
    if (!is_alike || words[ADDRESS] > FAR) return;
    layout->lock = (uint32_t)words[ADDRESS];
    layout->has_locks = true;
}

static bool read_layout(const struct crerender_python_memory *memory, uint64_t version, uintptr_t runtime,
                        struct crerender_python_layout *layout) {
    uint64_t words[WORDS];
    if (memory->read(memory->context, runtime, words, sizeof words) != sizeof words) return false;
    bool is_free_threaded = words[2] != 0;
    if (memcmp(words, "xdebugpy", 8) != 0 || words[1] != version || is_free_threaded) return false;
    bool is_later = version >> 16 == 0x030E;
    // The objects that are read have their types in the second word.
    if (words[is_later ? 51 : 45] != 8) return false;
    *layout = (struct crerender_python_layout){.least_mark = OWNED_BY_CALL};
    for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
        uint64_t offset = words[is_later ? places[index].of_3_14 : places[index].of_3_13];
        if (offset > places[index].most) return false;
        uint32_t value = (uint32_t)offset;
        memcpy((char *)layout + places[index].field, &value, sizeof value);
    }
    layout->compact = layout->ascii + 16;
    note_lock(words + (is_later ? 15 : 14), layout);
    return true;
}

bool crerender_python_layout(const struct crerender_python_memory *memory, uint64_t version, uintptr_t runtime,
                             struct crerender_python_layout *layout) {
    switch (version >> 16) {
    case 0x030B: *layout = of_3_11; return true;
    case 0x030C: *layout = of_3_12; return true;
    case 0x030D:
    case 0x030E: return read_layout(memory, version, runtime, layout);
    default: return false;
    }
}

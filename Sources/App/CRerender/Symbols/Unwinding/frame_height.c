// SPDX-License-Identifier: MIT
// Reads the beginning and the end of a function as LLVM and GCC write them for x86-64.
#include "unwinding.h"

#include <string.h>

/// No function takes more of a stack at a time.
enum { HEIGHT_MAX = 1 << 20 };

struct code {
    const uint8_t *bytes;
    size_t size, at;
};

/// Goes past the bytes if they come next.
static bool take(struct code *c, const char *bytes, size_t count) {
    if (count > c->size - c->at || memcmp(c->bytes + c->at, bytes, count) != 0) return false;
    c->at += count;
    return true;
}
#define TAKE(code, text) take(code, text, sizeof text - 1)

/// `add` or `sub` of a constant, from or to the stack pointer: `form` tells which. False if another instruction comes.
static bool take_constant(struct code *c, uint8_t form, uint64_t *height) {
    const uint8_t *b = c->bytes + c->at;
    size_t room = c->size - c->at;
    if (room >= 4 && b[0] == 0x48 && b[1] == 0x83 && b[2] == form) {
        *height += b[3]; // at most 127, by what compilers write
        c->at += 4;
        return b[3] < 0x80;
    }
    if (room < 7 || b[0] != 0x48 || b[1] != 0x81 || b[2] != form) return false;
    uint32_t constant;
    memcpy(&constant, b + 3, sizeof constant);
    *height += constant;
    c->at += 7;
    return constant < HEIGHT_MAX;
}

/// `push` (0x50) or `pop` (0x58) of any register but the frame pointer.
static bool take_register(struct code *c, uint8_t first) {
    const uint8_t *b = c->bytes + c->at;
    size_t room = c->size - c->at;
    if (room >= 1 && b[0] >= first && b[0] < first + 8 && b[0] != first + 5) {
        c->at += 1;
        return true;
    }
    if (room < 2 || b[0] != 0x41 || b[1] < first || b[1] >= first + 8) return false;
    c->at += 2;
    return true;
}

/// Whether a beginning is here, and the amount that it takes. The code is then behind it.
static bool take_beginning(struct code *c, uint64_t *height) {
    *height = 0;
    TAKE(c, "\xf3\x0f\x1e\xfa"); // endbr64
    // An asynchronous function of Swift's marks the frame pointer, and saves its context below it.
    if (TAKE(c, "\x48\x0f\xba\xed\x3c")) {
        if (!TAKE(c, "\x55\x41\x56\x48\x8d\x6c\x24\x08")) return false;
        *height = 8;
    } else if (!TAKE(c, "\x55") || (!TAKE(c, "\x48\x89\xe5") && !TAKE(c, "\x48\x8b\xec"))) {
        return false;
    }
    while (take_register(c, 0x50)) *height += 8;
    take_constant(c, 0xec, height);
    // Aligned beyond that: not a fixed amount.
    return !TAKE(c, "\x48\x83\xe4") && !TAKE(c, "\x48\x81\xe4") && *height <= HEIGHT_MAX;
}

/// Whether an end begins here that gives back just `height`.
static bool is_end(struct code c, uint64_t height) {
    uint64_t given = 0;
    take_constant(&c, 0xc4, &given);
    while (take_register(&c, 0x58)) given += 8;
    if (given != height || !TAKE(&c, "\x5d")) return false;
    TAKE(&c, "\x48\x0f\xba\xf5\x3c");
    if (c.at == c.size) return false;
    uint8_t next = c.bytes[c.at];
    return next == 0xc3 || next == 0xc2 || next == 0xe9 || next == 0xeb || next == 0xff;
}

/// An instruction that moves the stack pointer otherwise than a beginning and an end do: by `lea`, `mov`, `add` or `sub`. Bytes
/// that only look like one cost an answer and do no other harm.
static bool moves_stack(const uint8_t *b, size_t room) {
    if (room < 4 || (b[0] != 0x48 && b[0] != 0x4c)) return false;
    if (b[1] == 0x8d) return b[2] == 0x65 || b[2] == 0xa5 || ((b[2] == 0x64 || b[2] == 0xa4) && b[3] == 0x24);
    if (b[1] == 0x89) return (b[2] & 0xc7) == 0xc4;
    if (b[1] == 0x8b) return (b[2] & 0xf8) == 0xe0;
    if (b[1] == 0x29 || b[1] == 0x01) return (b[2] & 0xc7) == 0xc4;
    return (b[1] == 0x83 || b[1] == 0x81) && (b[2] == 0xc4 || b[2] == 0xec || b[2] == 0xe4);
}

int32_t frame_height(const uint8_t *code, size_t size, size_t offset) {
    struct code c = {code, size, 0};
    uint64_t height;
    if (!code || !take_beginning(&c, &height) || c.at > offset) return -1;
    bool is_proved = false;
    for (; c.at < size; c.at++) {
        if (is_end(c, height))
            is_proved = true;
        else if (moves_stack(code + c.at, size - c.at))
            return -1;
    }
    return is_proved ? (int32_t)height : -1;
}

bool ends_with_call(const uint8_t *code, size_t size) {
    const uint8_t *end = code + size;
    if (size >= 5 && end[-5] == 0xe8) return true;
    // `call` through a register or memory is 0xff with 2 in the middle of the next byte; its length is in the rest of that.
    for (size_t length = 2; length <= 7 && length <= size; length++) {
        const uint8_t *b = end - length;
        if (b[0] != 0xff || (b[1] >> 3 & 7) != 2) continue;
        uint8_t mode = b[1] >> 6, register_number = b[1] & 7;
        size_t needed = 2 + (mode != 3 && register_number == 4);
        if (mode == 1) needed += 1;
        if (mode == 2 || (mode == 0 && register_number == 5)) needed += 4;
        if (needed == length) return true;
    }
    return false;
}

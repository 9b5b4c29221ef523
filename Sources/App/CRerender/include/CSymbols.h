// SPDX-License-Identifier: MIT
// What ELF files say about code: symbols, lines, inlined functions and call frames. Damaged files give less, never a fault.
#ifndef CSYMBOLS_H
#define CSYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma GCC visibility push(hidden)

/// A file that the loader mapped.
struct csymbols_image {
    uintptr_t bias;       ///< what is added to the file's own addresses
    size_t head_size;     ///< how many bytes `fingerprint` covers, 0 if the file's beginning is not in memory
    uint64_t fingerprint; ///< of the file's first bytes as they are in memory
    uint64_t unloads;     ///< how many files have been unloaded so far; after a change an address may be another file's
};
/// Finds the file that `address` belongs to and copies its path. Takes the loader's lock for microseconds.
bool csymbols_find_image(uintptr_t address, struct csymbols_image *image, char *path, size_t capacity);
/// How many files have been unloaded so far. Takes the same lock.
uint64_t csymbols_unloads(void);
/// A number that tells a file from another build of it.
uint64_t csymbols_fingerprint(const void *bytes, size_t size);

/// How many bits of a noted function are its index in the symbol table. The bits above them are its address.
enum { CSYMBOLS_INDEX_BITS = 24 };
/// Notes the functions among `count` ELF64 symbols in order of address. Returns how many there are. The notes are valid only
/// if that is at most `capacity`, for which `order` and `spare` have room.
size_t csymbols_order_functions(const void *symbols, size_t count, uint64_t *_Nullable order, uint64_t *_Nullable spare,
                                size_t capacity);

/// Notes the numbers of those among `count` ELF64 symbols that are Swift's descriptions of types ("Mn"), getters ("vg"),
/// getters of key paths ("TK"), and entries of classes' tables for getters ("vgTq"). `names` has `size` bytes, `found` has
/// room for all symbols. Returns how many are noted.
size_t csymbols_find_declarations(const void *symbols, size_t count, const void *names, size_t size, uint32_t *found);

/// A call of a function, or a jump to it: where it is, and where the function begins.
struct csymbols_direct_call {
    uint64_t from, to;
};
/// Notes the direct calls and jumps of `size` bytes of x86-64 code, which begin at `address`, to `count` functions. These are in order of
/// address. Returns how many there are; no more than `capacity` are noted. Bytes within an instruction may look like a call: of a million
/// that do, one leads to a given function by chance in one of four thousand files.
size_t csymbols_direct_calls(const void *code, size_t size, uint64_t address, const uint64_t *functions, size_t count,
                             struct csymbols_direct_call *calls, size_t capacity);

/// A part of the file: where it begins, and its size, or 0.
struct csymbols_span {
    size_t start;
    size_t size;
};

/// Where a file's debug information is: the sections of these names.
struct csymbols_debug_spans {
    struct csymbols_span line, line_str, str;
    struct csymbols_span info, abbrev, str_offsets, addr, ranges, rnglists;
};

/// A file's debug information. Every span has to lie in the file; nothing else is trusted.
struct csymbols_debug {
    const uint8_t *bytes;
    struct csymbols_debug_spans at;
};

/// Code that lies together and whose lines one run of a unit's program tells.
struct csymbols_sequence {
    uint64_t low;     ///< the first address
    uint32_t size;    ///< of the code in bytes
    uint32_t unit;    ///< the unit's place in the lines
    uint32_t program; ///< where the run begins there
};

/// A line of a unit's file; 0 for code of no line.
struct csymbols_line {
    uint32_t file;
    uint32_t line;
};

/// Notes all sequences in order of address. Returns how many there are; if that is more than `capacity`, the notes are of
/// no use. Reads all lines of the file once: some nanoseconds for each byte.
size_t csymbols_sequences(const struct csymbols_debug *debug, struct csymbols_sequence *_Nullable sequences,
                          size_t capacity);
/// The line of an address in a sequence. Reads the sequence, which is a function's for Swift.
bool csymbols_find_line(const struct csymbols_debug *debug, const struct csymbols_sequence *sequence, uint64_t address,
                        struct csymbols_line *line);
/// Copies the name of a unit's file, behind its directory where that is another one than the compiler's. False if it is not known or has no
/// room.
bool csymbols_line_file(const struct csymbols_debug *debug, uint32_t unit, uint32_t file, char *name, size_t capacity);

/// A function that was inlined.
struct csymbols_call {
    uint64_t function; ///< its entry, for `csymbols_find_function`; 0 where that is in another file
    uint32_t file;     ///< where it was called: the unit's file
    uint32_t line;     ///< and the line, or 0
};

/// Attributes that one question may read before it has no answer; 0.1–0.3 s, an end for what damaged files make of it.
enum { CSYMBOLS_DEBUG_BUDGET = 20000000 };

/// The functions that were inlined at an address, outermost first, by the unit whose lines are at `lines`. Returns how
/// many, 0 if the code is its function's own, or -1 if that cannot be told. Reads the unit up to the function, or only the
/// function that `hint` has of the last question about this file; 0 is no hint.
int csymbols_inlined(const struct csymbols_debug *debug, uint32_t lines, uint64_t address, uint64_t *hint,
                     struct csymbols_call *calls, int capacity);
/// Code of a function that lies together.
struct csymbols_function {
    uint64_t low;   ///< its first address
    uint64_t entry; ///< a hint for `csymbols_inlined`
};

/// A unit, by the place of its lines.
struct csymbols_unit {
    uint64_t start; ///< of its entries
    uint32_t lines;
    bool is_optimised; ///< whether it says so
};

/// Notes the units that have lines. Returns how many there are; no more than `capacity` are noted. Reads the first entry of each.
size_t csymbols_units(const struct csymbols_debug *debug, struct csymbols_unit *units, size_t capacity);
/// Notes the functions of the unit that starts at `start`: with these as hints, questions about many of them read the unit once.
/// Returns how many there are; no more than `capacity` are noted. Reads the whole unit.
size_t csymbols_functions(const struct csymbols_debug *debug, uint64_t start, struct csymbols_function *functions,
                          size_t capacity);

/// A getter that was inlined, and the function around it: their entries, for `csymbols_find_function`.
struct csymbols_inlined_getter {
    uint64_t getter, function;
};

/// Notes where the unit that starts at `start` has getters of Swift inlined whose names for the linker have `property` in them. Returns how
/// many there are; no more than `capacity` are noted. 0 for a unit that was not optimised; reads another one as a whole.
size_t csymbols_inlined_getters(const struct csymbols_debug *debug, uint64_t start, const char *property,
                                struct csymbols_inlined_getter *getters, size_t capacity);

/// Where a function is declared in the source.
struct csymbols_declaration {
    uint32_t unit; ///< the place of the unit's lines
    uint32_t file; ///< the unit's file
    uint32_t line; ///< 0 if it is not known
};

/// Copies a function's name as the linker knows it, and tells where it is declared. False if the name is not known or has
/// no room.
bool csymbols_find_function(const struct csymbols_debug *debug, uint64_t entry,
                            struct csymbols_declaration *declaration, char *name, size_t capacity);
/// The first line behind a function's at which the same file declares another that is not inside of it, or 0.
/// False if that cannot be told. Reads the whole unit: up to the time of the budget.
bool csymbols_next_function(const struct csymbols_debug *debug, const struct csymbols_declaration *declaration,
                            const char *name, uint32_t *line);

/// Expands what zlib compressed, into `room` bytes. False where it is damaged, or has more or fewer bytes. Takes as long as room and size ask
/// for: a second for a hundred megabytes.
bool csymbols_inflate(const uint8_t *from, size_t size, uint8_t *to, size_t room);
/// The checksum of a file of debug information as the stripped file has it, of the next bytes. 0 for what comes before the first.
uint32_t csymbols_crc(uint32_t crc, const uint8_t *bytes, size_t size);

/// An address to return to without its signature, which stands above it where the processor signs such addresses (arm64). No program has
/// addresses of more bits.
static inline uintptr_t csymbols_unsigned(uintptr_t address) { return address & UINTPTR_MAX >> 16; }

/// A thread's registers and the upper part of its stack.
struct csymbols_stack_copy {
    uintptr_t instruction, stack;
    /// Whether the rest of the registers is known. Without, the walk ends at a function whose caller cannot be told.
    bool has_registers;
    uintptr_t frame;
    /// The registers by their DWARF numbers; those above 16 are not used on x86-64.
    uintptr_t registers[17];
    /// `size` bytes from `stack` on.
    const unsigned char *bytes;
    size_t size;
};
/// Stores the instruction that runs and then the return addresses, innermost first, and where the frame of each ends on the stack; returns
/// how many. Reads the copy and what the loader mapped. Takes the loader's lock for each frame.
uint32_t csymbols_unwind(const struct csymbols_stack_copy *copy, uintptr_t *addresses, uintptr_t *ends,
                         uint32_t capacity);
/// The same by frame pointers alone, which is how it is done on other machines than x86-64. Reads the copy alone.
uint32_t csymbols_unwind_frames(const struct csymbols_stack_copy *copy, uintptr_t *addresses, uintptr_t *ends,
                                uint32_t capacity);

#pragma GCC visibility pop
#pragma clang assume_nonnull end

#endif

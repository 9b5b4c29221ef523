// SPDX-License-Identifier: MIT
// Reads frames, code objects and texts of CPython. What is read may be anything: each read and each loop is bounded.
#include "interpreter_frames.h"

#include <pthread.h>
#include <string.h>

/// Of all objects: the type, and how many elements those have that tell it.
enum { TYPE = 8, COUNT = 16 };

static size_t read_bytes(const struct crerender_python *python, uintptr_t address, void *to, size_t size) {
    return address ? python->memory.read(python->memory.context, address, to, size) : 0;
}

/// A word of a copy; 0 where it does not end in it.
static uintptr_t word_in(const void *bytes, size_t size, size_t offset) {
    uintptr_t word = 0;
    if (offset <= size && size - offset >= sizeof word) memcpy(&word, (const char *)bytes + offset, sizeof word);
    return word;
}

/// A word of memory; 0 where it cannot be read.
static uintptr_t word_at(const struct crerender_python *python, uintptr_t address) {
    uintptr_t word = 0;
    return read_bytes(python, address, &word, sizeof word) == sizeof word ? word : 0;
}

// MARK: Frames

/// A program's functions call each other some ten deep; of a deeper recursion, the end is not looked for.
enum { MOST_STEPS = 256 };

struct crerender_python_walk crerender_python_begin(const struct crerender_python *python, uintptr_t thread) {
    struct crerender_python_walk walk = {.python = python};
    uintptr_t current = thread ? word_at(python, thread + python->layout.current) : 0;
    walk.frame = current;
    if (python->layout.has_call && current) {
        walk.call = current;
        walk.frame = word_at(python, current + python->layout.call_frame);
    }
    return walk;
}

/// Goes on to the call of the interpreter around this one, whose function has to be the one that comes next.
static void leave_call(struct crerender_python_walk *walk, uintptr_t next) {
    uintptr_t words[2], place = walk->call + walk->python->layout.call_frame;
    walk->call = word_at(walk->python, place + sizeof words[0]);
    place = walk->call + walk->python->layout.call_frame;
    bool is_read = walk->call && read_bytes(walk->python, place, words, sizeof words) == sizeof words;
    if (!is_read || words[0] != next) walk->is_broken = true;
}

bool crerender_python_next(struct crerender_python_walk *walk, struct crerender_python_frame *frame) {
    const struct crerender_python_layout *layout = &walk->python->layout;
    if (walk->is_broken || !walk->frame || walk->steps++ == MOST_STEPS) return false;
    uint8_t bytes[CRERENDER_PYTHON_FRAME] = {0};
    size_t size = read_bytes(walk->python, walk->frame, bytes, sizeof bytes);
    uintptr_t code = word_in(bytes, size, layout->code), previous = word_in(bytes, size, layout->previous);
    bool is_marked = layout->mark < size && bytes[layout->mark] >= layout->least_mark;
    if (layout->mark >= size || layout->instruction + sizeof(uintptr_t) > size || previous == walk->frame) {
        walk->is_broken = true;
        return false;
    }
    *frame = (struct crerender_python_frame){.instruction = word_in(bytes, size, layout->instruction)};
    if (layout->marks_function || !is_marked) {
        // The lower bits of a reference are not of the address.
        frame->code = code & ~(uintptr_t)7;
        if (is_marked) frame->call = walk->call;
    } else {
        frame->call = walk->frame;
    }
    walk->is_open = frame->call == 0;
    walk->frame = previous;
    if (layout->marks_function && is_marked) leave_call(walk, previous);
    return true;
}

bool crerender_python_is_whole(const struct crerender_python_walk *walk) {
    return !walk->is_broken && !walk->is_open && walk->frame == 0;
}

// MARK: Lines

/// The bytes of a table, some at a time.
struct stream {
    const struct crerender_python_memory *memory;
    uintptr_t address;
    size_t left;
    uint8_t bytes[128];
    size_t used, count;
};

/// Of longer tables, only so much is read: some thousand lines of one function.
enum { MOST_TABLE = 65536 };

/// -1 at the end.
static int next_byte(struct stream *stream) {
    if (stream->used == stream->count) {
        size_t size = stream->left < sizeof stream->bytes ? stream->left : sizeof stream->bytes;
        stream->count = size ? stream->memory->read(stream->memory->context, stream->address, stream->bytes, size) : 0;
        if (stream->count > size) stream->count = size;
        stream->used = 0;
        stream->address += stream->count;
        stream->left = stream->count == size ? stream->left - size : 0;
        if (stream->count == 0) return -1;
    }
    return stream->bytes[stream->used++];
}

static bool begins_entry(int byte) { return byte >= 0x80; }
static bool is_inside_entry(int byte) { return byte >= 0 && byte < 0x80; }

/// A number with a sign, in pieces of six bits from the lowest on.
static int64_t signed_number(struct stream *stream, int *byte) {
    uint32_t value = 0;
    bool goes_on = true;
    for (int shift = 0; goes_on && is_inside_entry(*byte); shift += 6) {
        if (shift <= 24) value |= (uint32_t)(*byte & 63) << shift;
        goes_on = *byte & 64;
        *byte = next_byte(stream);
    }
    return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

uint32_t crerender_python_line(const struct crerender_python_memory *memory, uintptr_t table, size_t size,
                               uint32_t first_line, uint32_t unit) {
    // As of PEP 626: each entry begins with a byte above 0x7f, which has its kind and how many code units it covers.
    enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NO_LINE = 15 };
    struct stream stream = {memory, table, size < MOST_TABLE ? size : MOST_TABLE, {0}, 0, 0};
    int64_t line = first_line;
    uint32_t end = 0;
    for (int byte = next_byte(&stream); begins_entry(byte);) {
        int kind = byte >> 3 & 15;
        end += (uint32_t)(byte & 7) + 1;
        byte = next_byte(&stream);
        if (kind == NO_COLUMNS || kind == LONG) line += signed_number(&stream, &byte);
        if (kind >= ONE_LINE && kind < NO_COLUMNS) line += kind - ONE_LINE;
        if (unit < end) return kind == NO_LINE || line < 0 || line > INT32_MAX ? 0 : (uint32_t)line;
        while (is_inside_entry(byte)) byte = next_byte(&stream);
    }
    return 0;
}

// MARK: Texts

static size_t put_character(char *to, uint32_t character) {
    // Parts of surrogates and the end of a text are none that can be shown.
    if (character == 0 || (character >= 0xD800 && character < 0xE000) || character > 0x10FFFF) character = '?';
    if (character < 0x80) {
        to[0] = (char)character;
        return 1;
    }
    size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const uint8_t first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t index = length - 1; index > 0; index--, character >>= 6) to[index] = (char)(0x80 | (character & 63));
    to[0] = (char)(first[length] | character);
    return length;
}

/// Copies a text as UTF-8, with an end; its last characters where `keeps_end` and it has no room. False where it is no text.
static bool copy_text(const struct crerender_python *python, uintptr_t object, char *to, size_t room, bool keeps_end) {
    uint8_t head[40];
    if (read_bytes(python, object, head, sizeof head) != sizeof head) return false;
    if (word_in(head, sizeof head, TYPE) != python->text) return false;
    uint64_t length = word_in(head, sizeof head, COUNT);
    uint32_t state;
    memcpy(&state, head + 32, sizeof state);
    uint32_t width = state >> 2 & 7;
    bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
    if (!is_compact || (width != 1 && width != 2 && width != 4) || length > INT32_MAX) return false;
    if (is_ascii && width != 1) return false;
    // As many as have room in any case.
    uint64_t most = (room - 1) / (is_ascii ? 1 : width == 4 ? 4 : width + 1), count = length < most ? length : most;
    uintptr_t at = object + (is_ascii ? python->layout.ascii : python->layout.compact);
    if (keeps_end) at += (length - count) * width;
    while (count > 0) {
        uint8_t characters[128];
        uint64_t piece = count * width < sizeof characters ? count : sizeof characters / width;
        if (read_bytes(python, at, characters, piece * width) != piece * width) return false;
        for (uint64_t index = 0; index < piece; index++) {
            uint32_t character = 0;
            memcpy(&character, characters + index * width, width);
            // What says that it is ASCII takes one byte for each, whatever it has.
            to += put_character(to, is_ascii && character >= 0x80 ? 0 : character);
        }
        at += piece * width;
        count -= piece;
    }
    *to = 0;
    return true;
}

// MARK: Code

/// A name without the functions around the innermost one: `g` for `f.<locals>.g`.
static const char *without_outer(const char *name) {
    static const char inside[] = "<locals>.";
    for (const char *at = strstr(name, inside); at; at = strstr(name, inside)) name = at + sizeof inside - 1;
    return name;
}

/// Copies the name of a function, with its class where it has one. False where it is no text. The room of the file is used, too.
static bool copy_name(const struct crerender_python *python, uintptr_t object, struct crerender_script_place *place) {
    if (!copy_text(python, object, place->file, sizeof place->file, true)) return false;
    const char *name = without_outer(place->file);
    // Of a long name that has no other function in its end, the beginning is shown.
    if (name == place->file) {
        if (!copy_text(python, object, place->function, sizeof place->function, false)) return false;
        name = without_outer(place->function);
    }
    size_t length = strnlen(name, sizeof place->function - 1);
    // No half of a character.
    while (length > 0 && ((uint8_t)name[length] & 0xC0) == 0x80) length--;
    memmove(place->function, name, length);
    place->function[length] = 0;
    return true;
}

bool crerender_python_place(const struct crerender_python *python, uintptr_t code, uintptr_t instruction,
                            struct crerender_script_place *place) {
    const struct crerender_python_layout *layout = &python->layout;
    uint8_t bytes[CRERENDER_PYTHON_CODE] = {0}, head[24];
    size_t size = read_bytes(python, code, bytes, sizeof bytes);
    uint64_t units = word_in(bytes, size, COUNT);
    if (size < layout->instructions || word_in(bytes, size, TYPE) != python->code || units > INT32_MAX) return false;
    int32_t first_line;
    memcpy(&first_line, bytes + layout->first_line, sizeof first_line);
    if (first_line < 0) return false;
    place->line = (uint32_t)first_line;
    uintptr_t begin = code + layout->instructions;
    // Of a frame that is about to begin, it is the one in front of the first.
    if (instruction && instruction + 2 != begin) {
        if (instruction < begin || (instruction - begin) / 2 >= units) return false;
        uintptr_t table = word_in(bytes, size, layout->lines);
        if (read_bytes(python, table, head, sizeof head) != sizeof head) return false;
        if (word_in(head, sizeof head, TYPE) != python->bytes) return false;
        place->line = crerender_python_line(&python->memory, table + layout->bytes, word_in(head, sizeof head, COUNT),
                                            place->line, (uint32_t)((instruction - begin) / 2));
    }
    return copy_name(python, word_in(bytes, size, layout->name), place) &&
           copy_text(python, word_in(bytes, size, layout->file), place->file, sizeof place->file, true);
}

// MARK: Threads and callables

enum { MOST_INTERPRETERS = 16 };

uintptr_t crerender_python_thread(const struct crerender_python *python, int32_t number) {
    enum { MOST_THREADS = 1024 };
    const struct crerender_python_layout *layout = &python->layout;
    uintptr_t interpreter = word_at(python, python->runtime + layout->interpreters);
    for (int count = 0, threads = 0; interpreter && count < MOST_INTERPRETERS; count++) {
        uintptr_t thread = word_at(python, interpreter + layout->threads);
        for (; thread && threads < MOST_THREADS; threads++) {
            if (word_at(python, thread + layout->thread_number) == (uintptr_t)number) return thread;
            thread = word_at(python, thread + layout->next_thread);
        }
        interpreter = word_at(python, interpreter + layout->next_interpreter);
    }
    return 0;
}

static bool is_waited_for(uintptr_t lock, uintptr_t address) {
    uintptr_t offset = address - lock;
    return lock && offset >= CRERENDER_LOCK_CONDITION && offset < CRERENDER_LOCK_CONDITION + sizeof(pthread_cond_t);
}

uintptr_t crerender_python_lock(const struct crerender_python *python, uintptr_t address) {
    const struct crerender_python_layout *layout = &python->layout;
    if (!layout->lock) return 0;
    uintptr_t only = python->runtime + layout->lock;
    if (!layout->has_locks) return is_waited_for(only, address) ? only : 0;
    uintptr_t interpreter = word_at(python, python->runtime + layout->interpreters);
    for (int count = 0; interpreter && count < MOST_INTERPRETERS; count++) {
        uintptr_t lock = word_at(python, interpreter + layout->lock);
        if (is_waited_for(lock, address)) return lock;
        interpreter = word_at(python, interpreter + layout->next_interpreter);
    }
    return 0;
}

struct crerender_python_holder crerender_python_find_holder(const struct crerender_python *python, uintptr_t lock) {
    const struct crerender_python_holder none = {0};
    uint8_t bytes[CRERENDER_LOCK_CONDITION];
    if (read_bytes(python, lock, bytes, sizeof bytes) != sizeof bytes) return none;
    int32_t is_taken;
    memcpy(&is_taken, bytes + CRERENDER_LOCK_TAKEN, sizeof is_taken);
    uintptr_t thread = word_in(bytes, sizeof bytes, CRERENDER_LOCK_HOLDER);
    // Before it is first taken, it has -1 there. The thread that had it last stays.
    if (is_taken != 1 || !thread) return none;
    uintptr_t number = word_at(python, thread + python->layout.thread_number);
    if (number == 0 || number > INT32_MAX) return none;
    // No list of threads has what is no thread.
    if (crerender_python_thread(python, (int32_t)number) != thread) return none;
    uintptr_t switches = word_in(bytes, sizeof bytes, CRERENDER_LOCK_SWITCHES);
    return (struct crerender_python_holder){thread, (int32_t)number, switches};
}

uintptr_t crerender_python_callable(const struct crerender_python *python, uintptr_t object) {
    // Both begin with what they call; a function has its code behind its globals, builtins and names.
    enum { CALLED = 16, CODE = 48, MOST_CALLS = 4 };
    for (int calls = 0; calls < MOST_CALLS; calls++) {
        uintptr_t type = word_at(python, object + TYPE);
        if (type == python->function) return word_at(python, object + CODE);
        if (type != python->method) {
            char name[sizeof "functools.partial"] = "";
            uintptr_t text = type ? word_at(python, type + python->layout.type_name) : 0;
            size_t size = read_bytes(python, text, name, sizeof name);
            if (size != sizeof name || memcmp(name, "functools.partial", sizeof name) != 0) return 0;
        }
        object = word_at(python, object + CALLED);
    }
    return 0;
}

uintptr_t crerender_python_captured(const struct crerender_python *python, uintptr_t object) {
    // A function's closure is a tuple of cells, and each cell has one object.
    enum { CLOSURE = 72, CONTENT = 16, MOST_CELLS = 4 };
    if (word_at(python, object + TYPE) != python->function) return 0;
    uintptr_t cells = word_at(python, object + CLOSURE);
    if (!cells || word_at(python, cells + TYPE) != python->tuple) return 0;
    uintptr_t count = word_at(python, cells + COUNT), first = cells + python->layout.elements;
    for (uintptr_t index = 0; index < count && index < MOST_CELLS; index++) {
        uintptr_t cell = word_at(python, first + index * sizeof cell);
        uintptr_t content = cell ? word_at(python, cell + CONTENT) : 0;
        uintptr_t code = content ? crerender_python_callable(python, content) : 0;
        if (code) return code;
    }
    return 0;
}

bool crerender_python_class(const struct crerender_python *python, uintptr_t object, char *name, size_t room) {
    // Of a type, from its name on: what calls its instances, and its flags.
    enum { CALL = 104, FLAGS = 144, MADE_AT_RUN_TIME = 1 << 9 };
    uintptr_t type = word_at(python, object + TYPE), text = type ? type + python->layout.type_name : 0;
    if (!text || !word_at(python, text + CALL) || !(word_at(python, text + FLAGS) & MADE_AT_RUN_TIME)) return false;
    size_t size = read_bytes(python, word_at(python, text), name, room);
    const char *end = memchr(name, 0, size);
    // A type of a library in C has its module in front of its name.
    return end && end > name && !memchr(name, '.', (size_t)(end - name));
}

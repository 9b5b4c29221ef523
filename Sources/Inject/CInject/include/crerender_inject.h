// SPDX-License-Identifier: MIT
// Finds the views of a Swift program in its metadata, and puts thunks in front of their bodies.

#ifndef CRERENDER_INJECT_H
#define CRERENDER_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Memory that may be read: the segments of the loaded files. What leads out of them is not followed.
struct crerender_memory;

/// Lists the segments of the files that are loaded now; null where memory is lacking. Free it with `free`.
struct crerender_memory *crerender_memory_of_process(void);

/// Some segments, for tests: `ends[i]` is the first address behind the one that begins at `starts[i]`.
struct crerender_memory *crerender_memory_of(const uintptr_t *starts, const uintptr_t *ends, size_t count);

/// What a protocol has beside properties that could be a body.
enum crerender_others {
    CRERENDER_HAS_ASYNC_PROPERTY = 1,
    CRERENDER_HAS_STATIC_PROPERTY = 2,
    CRERENDER_HAS_METHOD = 4,
    CRERENDER_HAS_BASE = 8,
};

/// The conformance of a type to a protocol of views.
struct crerender_view {
    const void *conformance;
    /// The protocol's descriptor.
    const void *protocol;
    /// The type's descriptor.
    const void *type;
    /// The module that declares the conformance, and so the body; null if that is not known.
    const char *module;
    /// The witness table, or the pattern of those that are made at run time; null where each is made of other records.
    void **table;
    /// The protocol's instance getters: how many, and the place of the first in the table. Without any, it has no body that is known.
    uint32_t getters;
    uint32_t slot;
    /// How many requirements the protocol has.
    uint32_t requirements;
    /// What else it has, of `crerender_others`.
    uint32_t others;
};

/// Where a conformance has what stands for a requirement of its protocol.
struct crerender_witness {
    /// In the table, or in the pattern of those that are made at run time.
    void **entry;
    /// Of a protocol whose library may add requirements: in a record of the conformance, relative to itself. Each table gets it when
    /// it is made.
    int32_t *record;
};

/// The witness of a view for a requirement, by its place; without any where each table gets the protocol's default.
struct crerender_witness crerender_witness_for(struct crerender_memory *memory, const struct crerender_view *view,
                                               uint32_t requirement);

/// What stands in a witness: a function, or of an associated type its metadata or, with the lowest bit set, its name.
const void *crerender_value_of(struct crerender_witness witness);

/// Called for each view; false ends the search.
typedef bool (*crerender_view_visitor)(const struct crerender_view *view, void *context);

/// Calls `visit` for each conformance in a section of conformances whose protocol is called `View`, or is among `names`.
///
/// - Parameters:
///   - names: Further protocols, `MODULE.NAME` with commas between them; null for none.
/// - Returns: False if `visit` ended the search.
bool crerender_find_views(struct crerender_memory *memory, const int32_t *section, size_t bytes, const char *names,
                          crerender_view_visitor visit, void *context);

/// Whether so many bytes from an address lie in the memory.
bool crerender_has(struct crerender_memory *memory, const void *address, size_t bytes);

/// Whether a value of a protocol's associated types may be an object, so that functions return it in a register. Not where
/// nothing is asked of the types but protocols that other types may conform to, too.
bool crerender_may_be_objects(struct crerender_memory *memory, const void *protocol);

/// The module, and the name, of a type or protocol; null where it leads out of the memory.
const char *crerender_module_of(struct crerender_memory *memory, const void *descriptor);
const char *crerender_name_of(struct crerender_memory *memory, const void *descriptor);

/// Calls `visit` for each view of the files that the runtime knows, as `crerender_find_views` does.
void crerender_each_view(struct crerender_memory *memory, const char *names, crerender_view_visitor visit,
                         void *context);

/// Called for each type; false ends the search.
typedef bool (*crerender_type_visitor)(const void *descriptor, void *context);

/// Calls `visit` for each type in a section of types that is a direct child of a module.
///
/// - Returns: False if `visit` ended the search.
bool crerender_find_types(struct crerender_memory *memory, const int32_t *section, size_t bytes, const char *module,
                          crerender_type_visitor visit, void *context);

/// Calls `visit` for each type of a module in the files that the runtime knows, as `crerender_find_types` does.
void crerender_each_type(struct crerender_memory *memory, const char *module, crerender_type_visitor visit,
                         void *context);

/// Whether something lies in the program's own file, and not in a library.
bool crerender_is_in_program(const void *address);

/// The next descriptor outwards: of a type's module, of the type or the function that it lies in; null at the outermost. An
/// extension's is the type that it extends, where that is known.
const void *crerender_parent_of(struct crerender_memory *memory, const void *descriptor);

/// Whether the entry of an associated type in a witness table stands for `Never`: by a name or, once somebody asked for it, by
/// its metadata.
bool crerender_is_never(struct crerender_memory *memory, const void *entry);

/// The lowest byte of each requirement's flags: its kind, `CRERENDER_OF_INSTANCE`, and `CRERENDER_ASYNC`.
///
/// - Returns: How many the protocol has; no more than `capacity` are told.
uint32_t crerender_requirements_of(struct crerender_memory *memory, const void *protocol, uint8_t *flags,
                                   uint32_t capacity);

/// The place of an associated type among a protocol's requirements; -1 where it has none of that name.
int64_t crerender_place_of_associated_type(struct crerender_memory *memory, const void *protocol, const char *name);

/// Whether an address is that of a witness table for a conformance. It may be no memory at all. A system call.
bool crerender_is_table_of(const void *table, const void *conformance);

/// The protocol of a witness table; null where the address leads to none. May be called with any number: a system call.
const void *crerender_protocol_of_table(struct crerender_memory *memory, const void *table);

/// An associated type: the protocol that declares it, a witness table of that, and its place among the requirements.
struct crerender_associated {
    const void *owner, *table;
    uint32_t place;
};

/// Finds an associated type by its name: of a witness table's protocol, or of one that it refines. All are of the same module.
///
/// The address may be any number. A few system calls.
bool crerender_find_associated_type(struct crerender_memory *memory, const void *table, const char *module,
                                    const char *name, struct crerender_associated *found);

/// The type that stands for an associated type of a protocol; null where the requirement is none.
///
/// - Parameters:
///   - protocol: A protocol's descriptor that `crerender_each_view` found.
///   - requirement: The place of the associated type among the requirements.
///   - type: The metadata of a type that conforms to it.
///   - table: Its witness table.
const void *crerender_associated_type(const void *protocol, uint32_t requirement, const void *type, const void *table);

enum crerender_requirement {
    CRERENDER_BASE_PROTOCOL = 0,
    CRERENDER_METHOD = 1,
    CRERENDER_GETTER = 3,
    CRERENDER_ASSOCIATED_TYPE = 7,
    CRERENDER_ASSOCIATED_CONFORMANCE = 8,
    CRERENDER_OF_INSTANCE = 0x10,
    CRERENDER_ASYNC = 0x20,
};

/// The mangled name of the type that an extension is of, where it is a text; null otherwise.
const char *crerender_extended_name_of(struct crerender_memory *memory, const void *descriptor);

/// The kind of a descriptor.
enum crerender_kind {
    CRERENDER_MODULE = 0,
    CRERENDER_EXTENSION = 1,
    CRERENDER_ANONYMOUS = 2,
    CRERENDER_PROTOCOL = 3,
    CRERENDER_CLASS = 16,
    CRERENDER_STRUCT = 17,
    CRERENDER_ENUM = 18,
};
uint32_t crerender_kind_of(struct crerender_memory *memory, const void *descriptor);

/// What the runtime knows of an image.
struct crerender_sections {
    uintptr_t version;
    const void *base;
    void *unused[2];
    struct {
        uintptr_t start, length;
    } protocols, conformances, types;
};

/// Whether what is here is known of a version: each adds sections behind these. A toolchain has files of older compilers.
static inline bool crerender_knows_sections(uintptr_t version) { return version >= 3 && version <= 5; }

/// The stack of a thread: a handler works above `least`.
struct crerender_thread {
    uintptr_t least, end;
    bool is_working;
};

/// A call of a witness that stands in a thunk: its registers, and where it goes on.
struct crerender_call {
    void *result;
    const void *self;
    uint64_t async, error;
    /// Those that are in registers: six on x86-64. Of a getter these are the type's metadata and the witness table.
    uint64_t arguments[8];
    const struct crerender_hook *hook;
    /// The arguments that are in no register.
    const uint64_t *stack;
    uint64_t returned[4];
    /// Arguments, and then results.
    uint64_t vectors[8][2];
    /// What is known of the thread. Kept here, because each look-up of it is a call.
    struct crerender_thread *thread;
};

/// A witness that was replaced.
struct crerender_hook {
    /// The function that was in the table.
    const void *original;
    void *context;
    /// Whether calls may have arguments or results in vectors. Where not, they are not kept on x86-64.
    bool has_vectors;
    /// Whether the handler is left out where nothing counts.
    bool only_counts;
    /// So that its size is a power of two.
    uint64_t unused;
};

#define CRERENDER_HOOKS 4096

/// Puts a thunk in the place of a function in a table, or in a record of which tables are made. From then on, each call through the
/// table, or through those, reaches the handler.
///
/// One thread at a time. Other threads may call the function meanwhile.
///
/// - Parameter hook: All but the function that is replaced.
/// - Returns: False where no hook is left, where the page cannot be written, where another hook is there already, and where no
///   memory is near enough for what a record can reach.
bool crerender_hook_install(struct crerender_witness witness, struct crerender_hook hook);

/// Puts all functions back that were replaced, for good. Tables that Swift made meanwhile of a record keep a copy of the thunk, which calls the
/// function. Any thread, any number of times.
void crerender_hooks_put_back(void);

/// Says whether anything counts; true in the beginning. Any thread.
void crerender_hook_set_counting(bool is_counting);

/// How many hooks are in use.
uint32_t crerender_hook_count(void);

/// Calls the function that the hook replaced, with the registers of the call; keeps what it returns.
///
/// - Parameter stack_words: How many words of arguments are passed on the stack; even. More than there are do no harm.
void crerender_call_original(struct crerender_call *call, size_t stack_words);

/// Ends the work of a handler. A thunk begins it, `crerender_call_program` interrupts it.
///
/// It is not begun, and the program's function runs as if no thunk were there, in a signal's handler in the work of another one, on another
/// stack than the thread's, and where a quarter of the thread's stack is used, or less than 64 KiB are left.
///
/// The fences are for the handlers of signals: none may find the work at an end before it is.
static inline void crerender_leave(struct crerender_call *call) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    call->thread->is_working = false;
}

/// Calls the function that the hook replaced while a handler works. See `crerender_call_original`.
static inline void crerender_call_program(struct crerender_call *call, size_t stack_words) {
    crerender_leave(call);
    crerender_call_original(call, stack_words);
    call->thread->is_working = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

extern uint64_t crerender_refused __attribute__((visibility("hidden")));

/// How often work was not begun.
static inline uint64_t crerender_refused_calls(void) { return __atomic_load_n(&crerender_refused, __ATOMIC_RELAXED); }

/// Reports that there were such calls, once; the end of the process does so, too.
void crerender_tell_refused_calls(void);

/// Sets what runs in the place of the hooked functions. Before the first hook.
void crerender_hook_set_handler(void (*handler)(struct crerender_call *call));

// Views that the program instruments itself, with a copy of the library of its own.

/// A call of a view's body through a hook. It lies on the stack until the call has returned.
struct crerender_guard {
    /// How many calls it is in.
    size_t place;
};

/// Asks the copies of the library in the files that are loaded now to tell of their evaluations. One thread at a time.
///
/// - Parameter type_of_none: The metadata of the empty tuple, which they tell where their caller gave no view.
/// - Returns: Whether there is one.
bool crerender_watch_engines(const void *type_of_none);

/// Whether the program's own evaluation that runs on this thread is of this call, which it is around. From then on it is of no other.
///
/// It is of the call if it is of its type. If it tells none: if its key is the type's own name, or if it is in the body of no other.
bool crerender_is_around(const void *type, const char *name);

/// Begins a call, of which `crerender_end_call` then tells whether an evaluation of the program's own that ran in it is of it: one of
/// its type, or of none, that was around no call.
void crerender_begin_call(struct crerender_guard *guard, const void *type);
bool crerender_end_call(struct crerender_guard *guard);

/// Reports a protocol of views that has no instance getter, with what it has instead.
void crerender_report_shape(struct crerender_memory *memory, const struct crerender_view *view);

/// Adds a line to the file in which `rerenderctl` reads what became of its processes; what does not fit into one is cut off.
void crerender_report(const char *kind, const char *text);

/// The same for the file in a directory of an attach.
void crerender_report_in(const char *directory, const char *kind, const char *text);

/// Whether a program starts services that are no part of the command: a message bus, or what starts one for a session without it.
///
/// - Parameters:
///   - path: The program's file.
///   - arguments: With a null pointer at the end.
bool crerender_starts_services(const char *path, char *const *arguments);

/// Takes out of an environment what rerenderctl put there for injection. Its texts become shorter where they are.
void crerender_clear_environment(char **environment);

#endif

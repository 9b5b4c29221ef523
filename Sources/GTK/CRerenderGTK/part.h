// SPDX-License-Identifier: MIT
// What the files of this part share: whether it counts, and whom it tells.
#ifndef CRERENDER_GTK_PART_H
#define CRERENDER_GTK_PART_H

#include "crerender_gtk.h"
#include "headers.h"
#include "Widgets/records.h"

#ifdef RERENDER_GTK

/// The part, once.
struct part {
    struct crerender_gtk_callbacks swift;
    /// How often counting was switched; odd while it is off.
    uint32_t generation;
    /// Whether it has begun.
    bool has_begun;
    /// Why it does not count the widgets; null where it does, or will.
    const char *refusal;
};
extern struct part part;

/// Whether something that happens on this thread counts now.
bool part_counts(void);

/// Makes the calling thread the one that counts, for ever, unless another one is. Returns whether it is.
bool part_take_thread(void);

/// Whether a thread counts.
bool part_has_thread(void);

/// Whether the calling thread is the one that counts.
bool part_is_on_thread(void);

/// Finds the view of a widget that has none yet. A widget without room has none.
void part_name(struct record *record);

/// Ends the instance of a widget whose key is another one now, and begins one of that key. Does nothing where it has no name yet.
void part_rename(GtkWidget *widget);

/// Tells the view of a widget that is drawn of the layouts up to now.
void part_list(struct record *record);

/// The time of the monotonic clock, in nanoseconds.
uint64_t part_now(void);

/// The processor time of the calling thread, in nanoseconds. A call of the kernel: a third of a microsecond.
uint64_t part_processor(void);

/// The key that a widget has now, kept for ever.
const char *part_key(GtkWidget *widget);

/// A piece of a part of the main thread's work begins now; returns the part that it is in, for `part_left`.
uint32_t part_entered(enum crerender_gtk_part entered);
void part_left(uint32_t around);

#endif
#endif

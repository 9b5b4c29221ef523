// SPDX-License-Identifier: MIT
// Holds the links of steps: of those that run, and of those that lead to a run.

#include "leads.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"

uint64_t steps_outside;

void lead_forget(struct lead *lead) {
    if (lead->link) part.swift.forget_step(lead->link);
    *lead = (struct lead){0};
}

void lead_set(struct lead *lead, void *link, uintptr_t writer) {
    part.swift.keep_step(link);
    lead_forget(lead);
    *lead = (struct lead){link, writer};
}

struct step step_began(struct record *record, bool is_layout, struct lead *led_by, const struct step *around) {
    struct step step = {record->widget, record->view, record->instance, is_layout, NULL};
    void *previous = led_by->link ? led_by->link : around ? around->link : NULL;
    if (previous && record->view)
        step.link = part.swift.step(record->view, record->instance, is_layout, previous, led_by->writer, steps_outside);
    lead_forget(led_by);
    return step;
}

void step_ended(struct step *step) {
    if (step->link) part.swift.forget_step(step->link);
    step->link = NULL;
}

void steps_note_size(const struct step *step) {
    struct record *record = drawn_record_of(step->widget);
    if (!record) return;
    int width = gtk.gtk_widget_get_width(record->widget), height = gtk.gtk_widget_get_height(record->widget);
    if (width != record->width || height != record->height) lead_set(&record->leads_to_drawing, step->link, 0);
}
#endif

// SPDX-License-Identifier: MIT
// Prints what LTTng's trigger TRIGGER captured, a line per notification. The `lttng` command cannot; liblttng-ctl can.
// Found by dlopen, so that the package builds without LTTng's headers.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LTTNG_OK = 10 };

static void *library;

static void *find(const char *name) {
    void *address = dlsym(library, name);
    if (!address) fprintf(stderr, "liblttng-ctl lacks %s\n", name);
    return address;
}

/// The condition of the trigger of this name, NULL if there is none.
static const void *condition_of(const char *wanted) {
    int (*list)(void **) = find("lttng_list_triggers");
    int (*count_of)(const void *, unsigned *) = find("lttng_triggers_get_count");
    const void *(*at)(const void *, unsigned) = find("lttng_triggers_get_at_index");
    int (*name_of)(const void *, const char **) = find("lttng_trigger_get_name");
    const void *(*condition)(const void *) = find("lttng_trigger_get_const_condition");
    void *triggers = NULL;
    unsigned count = 0;
    if (!list || !count_of || !at || !name_of || !condition) return NULL;
    if (list(&triggers) != LTTNG_OK || count_of(triggers, &count) != 0) return NULL;
    for (unsigned i = 0; i < count; i++) {
        const char *name = NULL;
        const void *trigger = at(triggers, i);
        if (name_of(trigger, &name) == 0 && name && strcmp(name, wanted) == 0) return condition(trigger);
    }
    return NULL;
}

static void print_captures(const void *notification) {
    const void *(*evaluation_of)(const void *) = find("lttng_notification_get_evaluation");
    int (*captured)(const void *, const void **) = find("lttng_evaluation_event_rule_matches_get_captured_values");
    int (*length_of)(const void *, unsigned *) = find("lttng_event_field_value_array_get_length");
    int (*at)(const void *, unsigned, const void **) = find("lttng_event_field_value_array_get_element_at_index");
    int (*number_of)(const void *, uint64_t *) = find("lttng_event_field_value_unsigned_int_get_value");
    int (*text_of)(const void *, const char **) = find("lttng_event_field_value_string_get_value");
    const void *values = NULL, *value = NULL;
    unsigned length = 0;
    if (captured(evaluation_of(notification), &values) == 0) length_of(values, &length);
    for (unsigned i = 0; i < length; i++) {
        uint64_t number;
        const char *text;
        if (at(values, i, &value) != 0) {
            printf("[none]");
        } else if (number_of(value, &number) == 0) {
            printf("[%llu]", (unsigned long long)number);
        } else if (text_of(value, &text) == 0) {
            printf("[%s]", text);
        }
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    library = dlopen("liblttng-ctl.so.0", RTLD_NOW);
    if (!library || argc != 2) {
        fprintf(stderr, "usage: trigger-listener TRIGGER; needs liblttng-ctl\n");
        return 69;
    }
    void **endpoint = find("lttng_session_daemon_notification_endpoint");
    void *(*create)(void *) = find("lttng_notification_channel_create");
    int (*subscribe)(void *, const void *) = find("lttng_notification_channel_subscribe");
    int (*next)(void *, void **) = find("lttng_notification_channel_get_next_notification");
    const void *condition = condition_of(argv[1]);
    void *channel = endpoint && create ? create(*endpoint) : NULL;
    if (!channel || !condition || subscribe(channel, condition) != 0) return 1;
    printf("listening\n");
    fflush(stdout);
    void *notification = NULL;
    while (next(channel, &notification) == 0) print_captures(notification);
    return 0;
}

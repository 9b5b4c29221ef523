// SPDX-License-Identifier: MIT
// A pointer for a compositor that has none, by wlroots' protocol of virtual pointers: pointer WIDTH HEIGHT, as of the output.
//
// Each line of standard input is done, and answered by `done` once the compositor has taken it:
//
//   move X Y    moves the pointer to a point of the output
//   press       presses the primary button, release lets go of it
//   wheel       turns the wheel down by one step
//
// The protocol's file is in no package of Debian 12; what is used of it is written here by hand.

#include <linux/input-event-codes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-client.h>

// MARK: The protocol

static const struct wl_interface *no_types[8];

static const struct wl_message pointer_requests[] = {
    {"motion", "uff", no_types},   {"motion_absolute", "uuuuu", no_types},
    {"button", "uuu", no_types},   {"axis", "uuf", no_types},
    {"frame", "", no_types},       {"axis_source", "u", no_types},
    {"axis_stop", "uu", no_types}, {"axis_discrete", "uufi", no_types},
    {"destroy", "", no_types},
};
static const struct wl_interface pointer_interface = {"zwlr_virtual_pointer_v1", 1, 9, pointer_requests, 0, NULL};

static const struct wl_interface *creation_types[] = {&wl_seat_interface, &pointer_interface};
static const struct wl_message manager_requests[] = {{"create_virtual_pointer", "?on", creation_types},
                                                     {"destroy", "", no_types}};
static const struct wl_interface manager_interface = {
    "zwlr_virtual_pointer_manager_v1", 1, 2, manager_requests, 0, NULL};

enum { motion_absolute = 1, button = 2, frame = 4, axis_source = 5, axis_discrete = 7 };

// MARK: Connecting

static struct wl_proxy *manager, *pointer;

static void announced(void *context, struct wl_registry *registry, uint32_t name, const char *interface,
                      uint32_t version) {
    (void)context, (void)version;
    if (strcmp(interface, manager_interface.name) == 0)
        manager = wl_registry_bind(registry, name, &manager_interface, 1);
}

static void removed(void *context, struct wl_registry *registry, uint32_t name) {
    (void)context, (void)registry, (void)name;
}

static struct wl_display *connect_to(void) {
    struct wl_display *display = wl_display_connect(NULL);
    if (!display) return NULL;
    static const struct wl_registry_listener listener = {announced, removed};
    wl_registry_add_listener(wl_display_get_registry(display), &listener, NULL);
    if (wl_display_roundtrip(display) < 0 || !manager) return NULL;
    pointer = wl_proxy_marshal_flags(manager, 0, &pointer_interface, 1, 0, NULL, NULL);
    return display;
}

// MARK: Lines

static uint32_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint32_t)(time.tv_sec * 1000 + time.tv_nsec / 1000000);
}

static void send(int request, uint32_t first, uint32_t second, uint32_t third, uint32_t fourth) {
    wl_proxy_marshal_flags(pointer, (uint32_t)request, NULL, 1, 0, now(), first, second, third, fourth);
    wl_proxy_marshal_flags(pointer, frame, NULL, 1, 0);
}

static void turn_wheel(void) {
    wl_proxy_marshal_flags(pointer, axis_source, NULL, 1, 0, WL_POINTER_AXIS_SOURCE_WHEEL);
    wl_proxy_marshal_flags(pointer, axis_discrete, NULL, 1, 0, now(), WL_POINTER_AXIS_VERTICAL_SCROLL,
                           wl_fixed_from_int(15), 1);
    wl_proxy_marshal_flags(pointer, frame, NULL, 1, 0);
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    uint32_t width = (uint32_t)atoi(arguments[1]), height = (uint32_t)atoi(arguments[2]);
    struct wl_display *display = connect_to();
    if (!display) return 69;
    char line[64];
    // It is there before the first line comes.
    while (wl_display_roundtrip(display) >= 0 && puts("done") >= 0 && fflush(stdout) == 0 &&
           fgets(line, sizeof line, stdin)) {
        unsigned x, y;
        if (sscanf(line, "move %u %u", &x, &y) == 2) send(motion_absolute, x, y, width, height);
        if (strncmp(line, "press", 5) == 0) send(button, BTN_LEFT, WL_POINTER_BUTTON_STATE_PRESSED, 0, 0);
        if (strncmp(line, "release", 7) == 0) send(button, BTN_LEFT, WL_POINTER_BUTTON_STATE_RELEASED, 0, 0);
        if (strncmp(line, "wheel", 5) == 0) turn_wheel();
    }
    return 0;
}

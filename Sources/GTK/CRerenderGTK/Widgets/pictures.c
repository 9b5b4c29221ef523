// SPDX-License-Identifier: MIT
// Draws what programs drew with cairo into an image, and compares its pixels with those of the frame before.
//
// Each picture is drawn in its own frame, and only a hash of it is kept. A recording that is drawn later need not show what it showed: it may have
// an image in it whose memory the program has written to since.
//
// A sample is a few frames that follow each other. What samples take is at most 1 % of the time.

#include "questions.h"

#ifdef RERENDER_GTK
#include "../functions.h"
#include "../part.h"

#include <string.h>

enum {
    /// More is not drawn. A window of 1,920 by 1,080 has fewer.
    MOST_PIXELS = 2 * 1024 * 1024,
    /// The longest side of one of cairo's images.
    LONGEST_SIDE = 32767,
    MOST_PICTURES = 16,
    /// A sample has so many frames with pictures, and the fewest if they take long: an animation may stumble in each. Of a video with a new
    /// picture in each third frame, each sample has one.
    FEWEST_FRAMES = 4,
    MOST_FRAMES = 12,
    TAKES_LONG = 20000000,
    /// After a sample, no other one begins for so many times as long as it took.
    REST = 100,
};

/// A sample that is not complete after so long is given up.
#define STALE ((uint64_t)3000000000)

/// A picture of the sample. Both nodes are held, so that no other one has their addresses.
struct picture {
    /// Null where the place is free.
    GskRenderNode *node, *before;
    /// 0 where it could not be drawn.
    uint64_t hash;
    /// What comparing the two gave: the nodes around them are compared, too.
    enum comparison result;
};
static struct picture pictures[MOST_PICTURES];

static struct {
    /// Whether frames come for some seconds without input.
    bool is_steady;
    /// Whether pictures are drawn in the frame that is painted, whether it has one, and what that took.
    bool is_on, has_picture;
    uint64_t took;
    /// Frames with pictures in this sample, 0 between samples; when it began, and what it took.
    unsigned frames;
    uint64_t began, spent, rests_until;
    /// Frames since the account was told last which are not known to draw the same by their nodes alone.
    uint64_t since;
    /// Of these in the sample, but for its first: all, those that are known to draw the same or something else, and those that draw the same.
    uint64_t all, known, same;
} sample;

// MARK: One picture

struct area {
    int x, y, width, height;
};

static int floor_of(float value) { return (int)value - (value < (float)(int)value); }

/// The pixels that a node's bounds touch; none where they are too many.
static struct area area_of(GskRenderNode *node) {
    graphene_rect_t bounds;
    gtk.gsk_render_node_get_bounds(node, &bounds);
    float left = bounds.origin.x, right = left + bounds.size.width;
    float top = bounds.origin.y, bottom = top + bounds.size.height, most = LONGEST_SIDE;
    // False, too, where one of them is no number.
    bool is_near = left > -most && top > -most && right < most && bottom < most && left < right && top < bottom;
    if (!is_near) return (struct area){0};
    struct area area = {.x = floor_of(left), .y = floor_of(top)};
    area.width = -floor_of(-right) - area.x;
    area.height = -floor_of(-bottom) - area.y;
    bool is_small =
        area.width <= LONGEST_SIDE && area.height <= LONGEST_SIDE && (int64_t)area.width * area.height <= MOST_PIXELS;
    return is_small ? area : (struct area){0};
}

/// Each step is one to one, so that a single pixel that differs always gives another hash.
static uint64_t hash_of(const unsigned char *pixels, size_t stride, const struct area *area) {
    uint64_t hash = (uint64_t)area->width << 32 | (uint64_t)area->height;
    for (int row = 0; row < area->height; row++) {
        for (int column = 0; column < area->width; column++) {
            uint32_t pixel;
            memcpy(&pixel, pixels + (size_t)row * stride + (size_t)column * sizeof pixel, sizeof pixel);
            hash ^= pixel;
            hash = (hash << 23 | hash >> 41) * 0x9fb21c651e98df25u;
        }
    }
    return hash ? hash : 1;
}

/// Plays a recording as GSK does when it renders its node. Returns the hash of the pixels; 0 where it cannot be drawn.
static uint64_t look_at(cairo_surface_t *recording, const struct area *area) {
    cairo_surface_t *image = gtk.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, area->width, area->height);
    cairo_t *cairo = gtk.cairo_create(image);
    gtk.cairo_set_source_surface(cairo, recording, -area->x, -area->y);
    gtk.cairo_paint(cairo);
    // Also of an image for which there was no memory.
    bool is_drawn = gtk.cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    gtk.cairo_destroy(cairo);
    gtk.cairo_surface_flush(image);
    const unsigned char *pixels = gtk.cairo_image_surface_get_data(image);
    size_t stride = (size_t)gtk.cairo_image_surface_get_stride(image);
    uint64_t hash = is_drawn && pixels ? hash_of(pixels, stride, area) : 0;
    gtk.cairo_surface_destroy(image);
    return hash;
}

// MARK: Pictures of a sample

static void let_go(struct picture *picture) {
    if (picture->node) gtk.gsk_render_node_unref(picture->node);
    if (picture->before) gtk.gsk_render_node_unref(picture->before);
    *picture = (struct picture){0};
}

static struct picture *place_of(const GskRenderNode *node) {
    for (size_t place = 0; place < MOST_PICTURES; place++)
        if (pictures[place].node == node) return &pictures[place];
    return NULL;
}

/// What is known already of two nodes.
static const struct picture *pair_of(const GskRenderNode *one, const GskRenderNode *other) {
    for (size_t place = 0; place < MOST_PICTURES; place++)
        if (pictures[place].node == other && pictures[place].before == one) return &pictures[place];
    return NULL;
}

static enum comparison compare_hashes(uint64_t one, uint64_t other) {
    if (!one || !other) return NODES_UNKNOWN;
    return one == other ? NODES_SAME : NODES_DIFFER;
}

enum comparison pictures_compare(GskRenderNode *one, GskRenderNode *other) {
    if (!sample.is_on) return NODES_UNKNOWN;
    const struct picture *pair = pair_of(one, other);
    if (pair) return pair->result;
    cairo_surface_t *recording = gtk.gsk_cairo_node_get_surface(other);
    struct area area = area_of(other);
    if (!recording || !area.width) return NODES_UNKNOWN;
    sample.has_picture = true;
    struct picture *picture = place_of(one), made = {0};
    uint64_t before = picture ? picture->hash : 0;
    if (!picture) picture = place_of(NULL);
    // Further ones, and those behind one that took long, are compared in no frame.
    if (!picture || sample.took >= TAKES_LONG) return NODES_UNKNOWN;
    uint64_t began = part_processor();
    made.hash = look_at(recording, &area);
    sample.took += part_processor() - began;
    made.result = compare_hashes(before, made.hash);
    made.node = gtk.gsk_render_node_ref(other);
    made.before = gtk.gsk_render_node_ref(one);
    let_go(picture);
    *picture = made;
    return made.result;
}

// MARK: Frames

/// Ends the sample, and lets go of what it holds.
static void end_sample(uint64_t now) {
    for (size_t place = 0; place < MOST_PICTURES; place++) let_go(&pictures[place]);
    sample.rests_until = now + sample.spent * REST;
    sample.frames = 0;
    sample.spent = sample.all = sample.known = sample.same = 0;
}

/// Has the account count the frames since it was told last, for which `all` frames stand.
static void tell(uint64_t known, uint64_t same, uint64_t all) {
    if (!all) return;
    part.swift.frames_compared(part.swift.context, known, same, sample.since, sample.since * same / all);
    sample.since = 0;
}

void pictures_begin(bool is_steady) {
    bool was_steady = sample.is_steady;
    sample.is_steady = is_steady;
    sample.is_on = sample.has_picture = false;
    sample.took = 0;
    if (!is_steady && !was_steady) return;
    uint64_t now = part_now();
    if (sample.frames && (!is_steady || now - sample.began > STALE)) end_sample(now);
    if (!is_steady) sample.since = 0;
    if (!sample.frames) sample.began = now;
    sample.is_on = is_steady && (sample.frames || now >= sample.rests_until);
}

/// Counts a frame that is not known to draw the same by its nodes alone.
static void count(enum comparison seen, bool was_on) {
    sample.since++;
    if (!was_on) return;
    // One without a picture stands for those before it, as a sample would: none can tell of them.
    if (!sample.frames && !sample.has_picture) return tell(0, 0, 1);
    // The first one of a sample is compared with none.
    if (!sample.frames) return;
    sample.all++;
    if (seen != NODES_UNKNOWN) sample.known++;
    if (seen == NODES_SAME) sample.same++;
}

struct pictures_frame pictures_end(bool counts, enum comparison seen) {
    struct pictures_frame frame = {sample.took, sample.has_picture};
    bool was_on = sample.is_on;
    sample.is_on = false;
    sample.spent += sample.took;
    if (!sample.is_steady) return frame;
    if (counts && (seen != NODES_SAME || sample.has_picture)) count(seen, was_on);
    if (sample.has_picture) sample.frames++;
    unsigned wanted = sample.spent < TAKES_LONG ? MOST_FRAMES : FEWEST_FRAMES;
    if (sample.frames < wanted) return frame;
    tell(sample.known, sample.same, sample.all);
    end_sample(part_now());
    return frame;
}
#endif

// SPDX-License-Identifier: MIT
// What nodes draw whose content GSK does not show: pictures, compared by their pixels in a sample of frames.
#ifndef CRERENDER_GTK_PICTURES_H
#define CRERENDER_GTK_PICTURES_H

#include "questions.h"

#ifdef RERENDER_GTK

/// A frame begins to be painted.
///
/// - Parameter is_steady: Whether frames have come for some seconds without input. In others no picture is looked at, and nothing is kept.
void pictures_begin(bool is_steady);

/// What was found in a frame.
struct pictures_frame {
    /// What comparing took of the thread's processor time.
    uint64_t processor;
    /// Whether pictures of it were looked at.
    bool is_looked_at;
};

/// The frame has been painted. Tells the main loop's account of the sample that it ends, if it ends one.
///
/// - Parameters:
///   - counts: Whether the frame does.
///   - seen: What is known of all that drew in it.
struct pictures_frame pictures_end(bool counts, enum comparison seen);

/// Compares two nodes of one kind with the same bounds: what cairo draws, or textures.
///
/// Only between `pictures_begin` and `pictures_end`, and only if the first one was looked at in a frame of this sample. Two pictures are taken
/// for the same if the hash of their pixels is, which has 64 bits. They are drawn at one pixel a point.
enum comparison pictures_compare(GskRenderNode *one, GskRenderNode *other);

#endif
#endif

// SPDX-License-Identifier: MIT
// Draws a render node once, into an image that is shown from then on.
#ifndef CRERENDER_GTK_HUD_IMAGE_H
#define CRERENDER_GTK_HUD_IMAGE_H

#include "../headers.h"

#ifdef RERENDER_GTK

/// A node that shows an image of another one.
///
/// A program may draw all of its window again in each frame. Then what lies above it is painted again, too: an image costs a
/// copy, texts and rounded corners cost ten times as much.
///
/// - Parameter scale: Pixels of the image in one of the window's.
/// - Returns: What the caller owns. Where there is no memory for the image, it shows nothing.
GskRenderNode *hud_image(GskRenderNode *node, int scale);

#endif
#endif

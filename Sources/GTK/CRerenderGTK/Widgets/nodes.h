// SPDX-License-Identifier: MIT
// Compares render nodes, at a bounded cost.
#ifndef CRERENDER_GTK_NODES_H
#define CRERENDER_GTK_NODES_H

#include "../headers.h"

#ifdef RERENDER_GTK

enum comparison { NODES_SAME, NODES_DIFFER, NODES_UNKNOWN };

/// Compares two nodes by what they draw.
///
/// Not known where it takes more than some hundred looks, and where they have images or fonts that are different objects: what is in
/// those is not looked at.
enum comparison nodes_compare(GskRenderNode *one, GskRenderNode *other);

#endif
#endif

// SPDX-License-Identifier: MIT
// GTK's headers, without the warnings that they give; nothing where a build has no part for GTK.
#ifndef CRERENDER_GTK_HEADERS_H
#define CRERENDER_GTK_HEADERS_H

#ifdef RERENDER_GTK
#pragma clang system_header
#include <gtk/gtk.h>
#endif

#endif

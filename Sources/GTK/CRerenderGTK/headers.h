// SPDX-License-Identifier: MIT
// GTK's headers, without the warnings that they give; nothing where a build has no part for GTK.
#ifndef CRERENDER_GTK_HEADERS_H
#define CRERENDER_GTK_HEADERS_H

#ifdef RERENDER_GTK
#pragma clang system_header
#include "function_names.h"

// GLib makes macros of functions, such as g_free: a call through a pointer of that name would be one of the macro. No name that is
// called so is a macro behind these headers, as none is one in front of them: `pop_macro` restores that.
#define PRAGMA(text) _Pragma(#text)
#define FUNCTION(name) PRAGMA(push_macro(#name))
CRERENDER_GTK_FUNCTIONS(FUNCTION)
#undef FUNCTION

#include <gtk/gtk.h>

#define FUNCTION(name) PRAGMA(pop_macro(#name))
CRERENDER_GTK_FUNCTIONS(FUNCTION)
#undef FUNCTION
#undef PRAGMA
#endif

#endif

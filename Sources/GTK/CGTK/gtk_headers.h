// SPDX-License-Identifier: MIT
// GTK 4's headers; Debian's package is libgtk-4-dev. For types and the layout of structures alone, but for the window of rerender-demo:
// what else is called is found in the process at run time.
#ifndef CGTK_HEADERS_H
#define CGTK_HEADERS_H

#pragma clang system_header
#include <gtk/gtk.h>

#endif

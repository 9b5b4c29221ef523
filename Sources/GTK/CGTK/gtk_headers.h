// SPDX-License-Identifier: MIT
// GTK 4's headers, for types and the layout of structures alone; Debian's package is libgtk-4-dev. Nothing links GTK.
#ifndef CGTK_HEADERS_H
#define CGTK_HEADERS_H

#pragma clang system_header
#include <gtk/gtk.h>

#endif

// SPDX-License-Identifier: MIT
// Replaces a function that the program and its libraries call from GTK.
#ifndef CRERENDER_GTK_IMPORTS_H
#define CRERENDER_GTK_IMPORTS_H

/// Puts a function in the place of GTK's for all files that are loaded now and call it by its name, but GTK itself.
void imports_replace(const char *name, void *function);

/// The same for GTK itself.
void imports_replace_in_gtk(const char *name, void *function);

#endif

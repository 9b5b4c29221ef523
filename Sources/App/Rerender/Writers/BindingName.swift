// SPDX-License-Identifier: MIT
// Tells functions of language bindings that are linked into the program.

import CRerender
import RerenderModel

/// Functions that only hand calls on, between a program and GTK. What calls them is the writer.
enum BindingName {
    /// Crates of Rust: those of gtk-rs, and the standard library's.
    private static let crates: Set<Substring> = [
        "gtk4", "gtk4_sys", "gdk4", "gdk4_sys", "gsk4", "gsk4_sys", "glib", "glib_sys", "gobject_sys", "gio", "gio_sys",
        "pango",
        "pango_sys", "cairo", "cairo_sys", "gdk_pixbuf", "gdk_pixbuf_sys", "graphene", "graphene_sys", "libadwaita",
        "libadwaita_sys",
        "core", "alloc", "std",
    ]
    /// Modules of Swift: those of SwiftCrossUI's backend, and of Adwaita for Swift.
    private static let modules: Set = ["Gtk", "GtkBackend", "CGtk", "SwiftCrossUI", "CAdw", "Adwaita", "Swift"]

    /// Whether a function is one of them, by its symbol.
    static func isBinding(_ frame: SymbolicFrame) -> Bool {
        if frame.script != nil { return false }
        if let text = Demangler.demangle(frame.mangled) {
            return modules.contains(SwiftEntity(describing: text).module)
        }
        guard frame.mangled.hasPrefix("_ZN") || frame.mangled.hasPrefix("_R"),
            let path = RustName(Array(frame.mangled.utf8))?.path
        else { return false }
        return crates.contains(crate(path))
    }

    /// The crate that a path begins with: of `<gtk4::Label as gtk4::Cast>::upcast`, that of the type.
    private static func crate(_ path: String) -> Substring {
        path.drop { !($0.isLetter || $0 == "_") }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

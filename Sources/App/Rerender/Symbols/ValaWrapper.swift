// SPDX-License-Identifier: MIT
// Vala's compiler makes C, and wrappers around functions that a signal or a source calls: tells them by their names.

/// A function that Vala's compiler made, and that only calls on: `_win_on_clicked_gtk_button_clicked`, `___lambda4__gsource_func`.
enum ValaWrapper {
    /// Whether a function is the wrapper of another one, by the names that the linker knows. A compiler of C puts `.isra.0` and the like behind
    /// names.
    static func isWrapper(_ wrapper: String, of function: String) -> Bool {
        let name = function.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard !name.isEmpty, wrapper.utf8.first == underscore else { return false }
        let rest = wrapper.utf8.dropFirst()
        let suffix = rest.dropFirst(name.count)
        return rest.starts(with: name) && suffix.first == underscore && suffix.count > 1
    }

    /// The same of two frames of a stack, as ``WriterName/text(_:file:)`` makes them. What is called has to be in a file of Vala's.
    static func isWrapper(frame: String, of inner: String) -> Bool {
        guard let end = inner.firstRange(of: "() "), isOfVala(place: inner[end.upperBound...]) else { return false }
        return isWrapper(String(frame.prefix { $0 != "(" }), of: String(inner[..<end.lowerBound]))
    }

    private static func isOfVala(place: Substring) -> Bool { place.prefix { $0 != ":" }.hasSuffix(suffix) }

    /// Whether a file is one of Vala's.
    static func isOfVala(_ frame: SymbolicFrame) -> Bool { frame.path?.hasSuffix(suffix) == true }

    private static let suffix = ".vala"
    private static let underscore = UInt8(ascii: "_")
}

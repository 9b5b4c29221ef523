// SPDX-License-Identifier: MIT
// A place in a script, by the address that stands for it.

import CRerender
import RerenderModel

/// A function of a script, and where in it something was seen.
package struct ScriptPlace: Hashable, Sendable {
    /// `Clock.update_label()`, or `<lambda>` as the language says it; empty where the language tells no names.
    package let function: String
    /// The path; its end, where it is longer than 255 bytes. Empty where only a name is known.
    package let path: String
    /// nil where it is not known.
    package let line: Int?

    /// Nil for an address that stands for none: that of code.
    package init?(_ address: UInt) {
        var place = crerender_script_place()
        // Proof: it is copied into the local value, whose texts have an end.
        guard unsafe crerender_script_place(address, &place) else { return nil }
        let name = String(upToZero: place.function)
        function = name.isEmpty || name.hasSuffix(">") ? name : name + "()"
        path = String(upToZero: place.file)
        line = place.line == 0 ? nil : Int(place.line)
    }

    /// `clock.py:24`.
    package var place: String { PathName.last(of: path) + (line.map { ":\($0)" } ?? "") }

    /// `update_label() clock.py:24`, or the place alone.
    package var text: String { function.isEmpty ? place : path.isEmpty ? function : "\(function) \(place)" }
}

extension String {
    /// The text in an array of C, up to its zero. Proof: the bytes are those of the value.
    init<Characters>(upToZero characters: Characters) {
        self = unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: Array(bytes.prefix { $0 != 0 }), as: UTF8.self)
        }
    }
}

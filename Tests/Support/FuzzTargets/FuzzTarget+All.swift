// SPDX-License-Identifier: MIT
// The list of all targets; `Scripts/fuzz` asks for it.

package import FuzzWire

extension FuzzTarget {
    #if DEBUG || RERENDER_FUZZ
        /// Each target, as its name is in `Tests/Pure/FuzzTests/Corpora`.
        package static let all: [FuzzTarget] =
            wire + [
                watch, registry, state, uri, http, budget, export, saved, settings, trace, symbols, program, metadata,
                javascript, python, text, names, debug,
            ]
    #else
        /// Most look into modules, which only such builds let them.
        package static let all: [FuzzTarget] = wire
    #endif

    /// The target of that name; nil if there is none.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

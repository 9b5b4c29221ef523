// SPDX-License-Identifier: MIT
// The list of all targets; `Scripts/fuzz` asks for it.

extension FuzzTarget {
    #if DEBUG || RERENDER_FUZZ
        package static let all: [FuzzTarget] = [
            frames, pages, watch, registry, state, uri, http, budget, export, settings, trace, symbols, program,
            metadata,
        ]
    #else
        /// Most look into modules, which only such builds let them.
        package static let all: [FuzzTarget] = []
    #endif
}

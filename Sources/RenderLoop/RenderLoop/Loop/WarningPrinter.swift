// SPDX-License-Identifier: MIT
// How warnings are printed where the program does not take them itself.

import Foundation

/// Prints each warning once: a program that does wrong in every turn would flood the terminal otherwise.
@MainActor
final class WarningPrinter {
    /// Views that are remade have other numbers, so that texts can be without end.
    static let limit = 128

    private let output: @MainActor (String) -> Void
    private var printed: Set<String> = []

    /// By default it writes lines to standard error. A closed reader must not end the program.
    init(
        output: @escaping @MainActor (String) -> Void = { text in
            let line = Data((text + "\n").utf8)
            try? FileHandle.standardError.write(contentsOf: line)
        }
    ) {
        self.output = output
    }

    func print(_ warning: LoopWarning) {
        guard printed.count <= Self.limit else { return }
        let text = warning.description
        guard printed.insert(text).inserted else { return }
        if printed.count <= Self.limit {
            output("RenderLoop: \(text)")
        } else {
            output("RenderLoop: further warnings are not printed; onWarning has them")
        }
    }
}

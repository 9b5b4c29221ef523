// SPDX-License-Identifier: MIT
// Reads and writes the budget file.

import Glibc
package import RerenderShow

/// Reads and replaces a budget.
package struct BudgetFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// As it may be shown.
    package var displayName: String { Printable.text(path) }

    /// The budget; nil if the file may be missing and is. Throws status 65.
    package func read(mayBeMissing: Bool) throws(ToolFailure) -> Budget? {
        if mayBeMissing, unsafe access(path, F_OK) != 0, errno == ENOENT { return nil }
        var bytes: [UInt8] = []
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            bytes += piece
            guard bytes.count <= BudgetReader.largest else {
                throw unreadable("it is larger than \(BudgetReader.largest >> 20) MiB")
            }
        }
        return try BudgetReader(path: path).read(bytes)
    }

    /// Puts a budget in the place of the file, in one step.
    package func write(_ budget: Budget) throws {
        try AtomicFile.write(BudgetText.of(budget), to: path)
    }

    private func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "cannot read the budget \(displayName): \(reason).\n"
                + "To create one from a run: rerenderctl check --budget FILE --update -- CMD")
    }
}

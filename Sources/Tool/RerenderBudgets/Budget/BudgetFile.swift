// SPDX-License-Identifier: MIT
// The budget's file.

import Glibc
import RerenderModel
package import RerenderToolBase

/// Reads and replaces a budget.
package struct BudgetFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// As it may be shown.
    package var displayName: String { Printable.text(path) }

    /// The budget; nil where there is no such file and that is no fault. Throws status 65.
    package func read(mayBeMissing: Bool) throws(ToolFailure) -> Budget? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT, mayBeMissing { return nil }
        guard descriptor >= 0 else { throw unreadable(SystemText.latest) }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // read() writes at most the bytes that the array has.
            let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(SystemText.latest) }
            guard count > 0 else { return try BudgetReader(path: path).read(bytes) }
            bytes += piece.prefix(count)
            guard bytes.count <= BudgetReader.largest else {
                throw unreadable("it is larger than \(BudgetReader.largest >> 20) MiB")
            }
        }
    }

    /// Puts a budget in the place of the file, in one step.
    package func write(_ budget: Budget) throws {
        let file = try AtomicFile(path: path)
        do {
            try file.write(BudgetText.of(budget))
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }

    private func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "cannot read the budget \(displayName): \(reason).\n"
                + "To have one written from a run: rerenderctl check --budget FILE --update -- CMD")
    }
}

// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing

@Suite("Exit statuses")
struct ExitStatusTests {
    private static let all: Set<Int32> = [
        0, ExitStatus.checkFailed, ExitStatus.usage, ExitStatus.unreadable, ExitStatus.noDaemon,
        ExitStatus.missingProgram, ExitStatus.switchedOff, ExitStatus.software, ExitStatus.system,
        ExitStatus.cannotCreate,
        ExitStatus.inputOutput, ExitStatus.incompleteRecording, ExitStatus.configuration, ExitStatus.cannotRun,
        ExitStatus.notFound,
    ]

    private static let root = Checkout.root

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The numbers of the paragraph that begins with a text.
    private func numbers(_ text: String, from start: String, to end: String) throws -> Set<Int32> {
        let after = try #require(text.range(of: start)).upperBound
        let stop = text[after...].range(of: end)?.lowerBound ?? text.endIndex
        return Set(text[after..<stop].matches(of: /\b\d+\b/).compactMap { Int32($0.output) })
    }

    @Test("are the same in the manual and the reference, and none is missing")
    func documented() throws {
        let reference = try text("docs/reference/exit-statuses.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
        let statuses = reference.compactMap { $0.split(separator: "|").first }.joined(separator: " ")
        #expect(try numbers(". " + statuses, from: ".", to: "\n\n") == Self.all)
        // Entries alone: the text of one may name a section of the manual or another number.
        let manual = try text("Scripts/lib/manual/rerenderctl.mdoc").components(separatedBy: ".Sh EXIT STATUS")[1]
        let entries = manual.split(separator: "\n").filter { $0.hasPrefix(".It ") }.joined(separator: "\n")
        #expect(try numbers(".\n" + entries, from: ".", to: ".Sh") == Self.all)
    }
}

// SPDX-License-Identifier: MIT
import Foundation
import Glibc
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing

// Glibc's module leaves it out.
@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt

@Suite("Directories for what is written")
struct DirectoryTests {
    /// The failure of `body` on a thread that has nobody's rights to files, also where the tests are root's.
    private func failureAsNobody(_ body: @escaping @Sendable () throws -> Void) async throws -> ToolFailure? {
        try await offThePool {
            // Of this thread alone, and with it go root's capabilities for files. Nothing for those who are not root.
            let own = setfsuid(65_534)
            defer { _ = setfsuid(uid_t(bitPattern: own)) }
            do {
                try body()
                return nil
            } catch let failure as ToolFailure {
                return failure
            }
        }
    }

    private func directory(mode: mode_t) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        mkdir(directory.path + "/closed", 0o700)
        chmod(directory.path + "/closed", mode)
        return directory
    }

    @Test("a directory that may not be listed is said to be that, and not to be none")
    func unlistable() async throws {
        let place = try directory(mode: 0o311)
        let path = place.path + "/closed"
        let failure = try await failureAsNobody { _ = try RecordingPlace.make(path) }
        #expect(failure == ToolFailure(73, "cannot list \(path): Permission denied"))
    }

    @Test("where nothing may be made, the reason is the system's")
    func unwritable() async throws {
        let place = try directory(mode: 0o555)
        let path = place.path + "/closed/new"
        let failure = try await failureAsNobody { _ = try RecordingPlace.make(path) }
        #expect(failure == ToolFailure(73, "cannot make \(path): Permission denied"))
    }

    @Test("a file in the place of a directory is said to be none")
    func file() throws {
        let place = try TemporaryDirectory()
        let path = place.path + "/file"
        try "".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: ToolFailure(73, "cannot make \(path): it is not a directory")) { try Directory.make(path) }
        #expect(throws: ToolFailure(73, "cannot make \(path)/below: Not a directory")) {
            try Directory.make(path + "/below")
        }
    }

    @Test("directories are made with all above them, and found empty until something is in them")
    func made() throws {
        let place = try TemporaryDirectory()
        try Directory.make(place.path + "/one/two")
        try Directory.make(place.path + "/one/two")
        #expect(try Directory.isEmpty(place.path + "/one/two"))
        #expect(try !Directory.isEmpty(place.path + "/one"))
    }

    @Test("a directory of a recording that holds something is refused, and left as it is")
    func notEmpty() throws {
        let place = try TemporaryDirectory()
        try Data("mine".utf8).write(to: place.url.appending(path: "file"))
        let advice = "is not empty.\nGive a directory that is new or empty: --output DIR"
        #expect(throws: ToolFailure(73, "\(place.path) \(advice)")) { _ = try RecordingPlace.make(place.path) }
        #expect(try String(contentsOf: place.url.appending(path: "file"), encoding: .utf8) == "mine")
    }
}

// SPDX-License-Identifier: MIT
import Foundation
import Glibc
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("A file that appears when it is complete")
struct AtomicFileTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }
    private var path: String { directory.path + "/out" }
    private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path) } }
    private var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    @Test("is not there before it is complete, replaces what was there, and leaves nothing beside it")
    func commits() throws {
        for round in ["first", "second"] {
            let file = try AtomicFile(path: path)
            try file.write(Array(round.utf8))
            #expect(try names == (round == "first" ? [] : ["out"]), "nobody sees half of it")
            try file.commit()
            file.discard()
            #expect(try names == ["out"] && text == round)
        }
        #expect(try AtomicFile(path: path + "2").isReadableByItsGroup(directory.path))
    }

    @Test("that is forgotten leaves what was there, and several for one name do not hinder each other")
    func discards() throws {
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        let files = try (0..<3).map { _ in try AtomicFile(path: path) }
        for file in files { try file.write([1]) }
        files[0].discard()
        files[0].discard()
        #expect(try text == "old" && names == ["out"])
        try files[1].commit()
        try files[2].commit()
        #expect(try text == "\u{1}" && names == ["out"])
    }

    @Test("that cannot be put in its place says so, keeps nothing, and closes its number once")
    func fails() throws {
        let file = try AtomicFile(path: path)
        try FileManager.default.createDirectory(atPath: path + "/inside", withIntermediateDirectories: true)
        let failure = #expect(throws: ToolFailure.self) { try file.commit() }
        #expect(failure?.status == 74 && failure?.message.contains("Is a directory") == true)
        // The number is free now; whoever gets it keeps it.
        let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(other) }
        file.discard()
        #expect(fcntl(other, F_GETFD) >= 0)
        #expect(try names == ["out"])
        #expect(throws: ToolFailure.self) { _ = try AtomicFile(path: directory.path + "/none/out") }
    }

    @Test("a link stays one, and what is no plain file is written to")
    func special() throws {
        try FileManager.default.createSymbolicLink(atPath: directory.path + "/link", withDestinationPath: path)
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        let file = try AtomicFile(path: directory.path + "/link")
        try file.write(Array("new".utf8))
        try file.commit()
        #expect(try text == "new" && names.sorted() == ["link", "out"])
        let sink = try AtomicFile(path: "/dev/null")
        try sink.write([1])
        try sink.commit()
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }
}

extension AtomicFile {
    /// Commits and looks at the mode, which is the umask's and not a private one.
    fileprivate func isReadableByItsGroup(_ directory: String) throws -> Bool {
        try commit()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let mask = status.firstMatch(of: /Umask:\s*(\d+)/).flatMap { mode_t($0.1, radix: 8) } ?? 0
        var info = stat()
        return stat(directory + "/out2", &info) == 0 && info.st_mode & 0o777 == 0o666 & ~mask
    }
}

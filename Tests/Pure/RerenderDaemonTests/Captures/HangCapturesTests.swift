// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("Saved traces of hangs")
struct HangCapturesTests {
    private let temporary: TemporaryDirectory
    private let captures: HangCaptures

    init() throws {
        temporary = try TemporaryDirectory()
        captures = HangCaptures(directory: temporary.path + "/traces")
        try FileManager.default.createDirectory(atPath: captures.directory, withIntermediateDirectories: true)
    }

    /// A directory as LTTng makes it, of so many bytes, saved at a second.
    @discardableResult
    private func save(_ name: String, bytes: Int = 4_096, at second: Int) throws -> String {
        let path = captures.directory + "/" + name
        try FileManager.default.createDirectory(
            atPath: path + "/ust/uid/1000/64-bit", withIntermediateDirectories: true)
        try Data(count: bytes).write(to: URL(filePath: path + "/ust/uid/1000/64-bit/rerender_0"))
        var times = [timeval(tv_sec: second, tv_usec: 0), timeval(tv_sec: second, tv_usec: 0)]
        #expect(utimes(path, &times) == 0)
        return path
    }

    private func hang(from start: Int64, seconds: UInt64) -> Hang {
        var hang = Hang(
            id: 1, pid: 1, process: "shop", startedAt: Timestamp(nanosecondsSince1970: start * 1_000_000_000), turn: 1)
        hang.durationNanoseconds = seconds * 1_000_000_000
        return hang
    }

    @Test("a hang's is the first that was saved after it began, and before it was long over")
    func belongs() throws {
        let first = try save("snapshot-1-20261121-053001-0", at: 1_000)
        let second = try save("snapshot-2-20261121-053021-1", at: 1_020)
        #expect(captures.trace(for: hang(from: 999, seconds: 2)) == first)
        #expect(captures.trace(for: hang(from: 1_000, seconds: 2)) == first)
        #expect(captures.trace(for: hang(from: 1_001, seconds: 30)) == second)
        #expect(captures.trace(for: hang(from: 1_015, seconds: 1)) == second, "saved a moment late")
        #expect(captures.trace(for: hang(from: 1_001, seconds: 2)) == nil, "that is another's")
        #expect(captures.trace(for: hang(from: 1_021, seconds: 2)) == nil)
        let opened = Timestamp(nanosecondsSince1970: 1_001_000_000_000)
        #expect(captures.trace(for: hang(from: 999, seconds: 15), openedAt: opened) == second)
        #expect(captures.trace(for: hang(from: .max / 1_000_000_000, seconds: 15)) == nil)
        let never = Timestamp(nanosecondsSince1970: .min)
        #expect(captures.trace(for: hang(from: 999, seconds: 15), openedAt: never) == nil, "as a damaged file may say")
    }

    @Test("the oldest go when there are too many, or too much")
    func pruning() throws {
        for number in 1...6 {
            try save("snapshot-\(number)-20261121-053001-\(number)", bytes: 100_000, at: number * 100)
        }
        #expect(captures.prune(kept: 4, bytes: .max) == 2)
        #expect(captures.snapshots().map(\.savedAt.nanosecondsSince1970) == [3, 4, 5, 6].map { $0 * 100_000_000_000 })
        let size = try #require(captures.snapshots().first).bytes
        #expect(size >= 100_000)
        #expect(captures.prune(kept: 4, bytes: 2 * size) == 2)
        #expect(captures.prune(kept: 0, bytes: 0) == 1, "the newest stays")
        #expect(
            captures.snapshots().map { URL(filePath: $0.path).lastPathComponent } == ["snapshot-6-20261121-053001-6"])
        #expect(captures.prune() == 0)
    }

    @Test("nothing of others is deleted, and no link is followed")
    func strangers() throws {
        let other = temporary.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: other + "/file"))
        try FileManager.default.createSymbolicLink(
            atPath: captures.directory + "/snapshot-0-20261121-053001-0", withDestinationPath: other)
        try FileManager.default.createDirectory(
            atPath: captures.directory + "/notes", withIntermediateDirectories: false)
        try Data().write(to: URL(filePath: captures.directory + "/snapshot-9-20261121-053001-9"))
        try save("snapshot-important", at: 50)
        let inside = try save("snapshot-1-20261121-053001-0", at: 100)
        try FileManager.default.createSymbolicLink(atPath: inside + "/ust/link", withDestinationPath: other)
        try save("snapshot-2-20261121-053001-1", at: 200)
        #expect(captures.prune(kept: 1) == 1)
        #expect(FileManager.default.contents(atPath: other + "/file") == Data("mine".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: captures.directory).sorted()
                == [
                    "notes", "snapshot-0-20261121-053001-0", "snapshot-2-20261121-053001-1",
                    "snapshot-9-20261121-053001-9", "snapshot-important",
                ])
    }

    @Test("without a directory there are none, and a link in its place is not followed")
    func missing() throws {
        #expect(HangCaptures(directory: temporary.path + "/nowhere").snapshots().isEmpty)
        try save("snapshot-1-20261121-053001-0", at: 100)
        let link = temporary.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: captures.directory)
        #expect(HangCaptures(directory: link).prune(kept: 0) == 0)
        #expect(captures.snapshots().count == 1)
    }
}

// SPDX-License-Identifier: MIT
// Writes flight pages as an app would, and as a hostile one would.

import Foundation
import Glibc
import RerenderWire

/// The bytes of a flight page.
package struct FakeFlightPage {
    package var pid: Int32
    package var startTicks: UInt64
    package var processName = "shop"
    package var isClosed = false
    package var stores: [(storeID: UInt32, name: String, epoch: UInt32, evaluations: UInt64)] = []
    /// What its main loop does; nil leaves zeros, which say nothing.
    package var loop: FakeLoopPart?

    package init(pid: Int32, startTicks: UInt64) {
        self.pid = pid
        self.startTicks = startTicks
    }

    package var bytes: [UInt8] {
        var page = [UInt8](repeating: 0, count: FlightPageLayout.byteCount)
        func put<T: FixedWidthInteger>(_ value: T, at offset: Int) {
            withUnsafeBytes(of: value) { page.replaceSubrange(offset..<offset + $0.count, with: $0) }
        }
        put(FlightPageLayout.magic, at: 0)
        put(FlightPageLayout.version, at: FlightPageLayout.versionOffset)
        put(pid, at: FlightPageLayout.pidOffset)
        put(startTicks, at: FlightPageLayout.startTicksOffset)
        put(UInt32(stores.count), at: FlightPageLayout.storesOffset)
        put(UInt32(isClosed ? 1 : 0), at: FlightPageLayout.closedOffset)
        let name = Array(processName.utf8.prefix(FlightPageLayout.processNameBytes))
        page.replaceSubrange(
            FlightPageLayout.processNameOffset..<FlightPageLayout.processNameOffset + name.count, with: name)
        for (index, store) in stores.enumerated() {
            let slot = FlightPageLayout.slotsOffset + index * FlightPageLayout.slotBytes
            put(store.storeID, at: slot)
            put(store.epoch, at: slot + FlightPageLayout.slotEpochOffset)
            put(store.evaluations, at: slot + FlightPageLayout.slotEvaluationsOffset + Int(store.epoch & 1) * 8)
            let start = FlightPageLayout.namesOffset + index * FlightPageLayout.nameBytes
            let text = Array(store.name.utf8.prefix(FlightPageLayout.nameBytes))
            page.replaceSubrange(start..<start + text.count, with: text)
        }
        loop?.write(to: &page)
        return page
    }
}

/// Files for tests.
package enum TestFile {
    package static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw UnixStream.Failure("open \(path)") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw UnixStream.Failure("write \(path)") }
    }

    /// All of a file, also of one in `/proc`, of which Foundation reads the first 4 KiB and says that this is all.
    package static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw UnixStream.Failure("read \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        guard ferror(file) == 0 else { throw UnixStream.Failure("read \(path)") }
        return bytes
    }

    package static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// A new directory of short path, mode 0700; it is removed when the test process ends.
    package static func makeDirectory() throws -> String {
        var template = Array((root + "/XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw UnixStream.Failure("mkdtemp") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The directory of this process's directories.
    private static let root: String = {
        let path = "/tmp/rr-\(getpid())"
        mkdir(path, 0o711)
        atexit { try? FileManager.default.removeItem(atPath: "/tmp/rr-\(getpid())") }
        return path
    }()

    /// Field 22 of `/proc/PID/stat`, by another way than the daemon's: `comm` of a test holds no parenthesis.
    package static func startTicks(of pid: Int32) -> UInt64 {
        guard let file = fopen("/proc/\(pid)/stat", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4_096)
        fgets(&line, 4_096, file)
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
        return fields.count > 19 ? UInt64(fields[19]) ?? 0 : 0
    }
}

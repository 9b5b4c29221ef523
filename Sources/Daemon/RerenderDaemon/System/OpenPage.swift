// SPDX-License-Identifier: MIT
// A flight page that is open: a file, or an app's memory.

internal import Glibc
import RerenderWire

/// Where the page of a process may be.
struct PagePlace: Sendable {
    /// Of its file in the directory of pages.
    var name: String
    /// Memory of the app that the daemon holds; the page may be there, or have been, or come.
    var memory: OpenPage?
}

/// An open page. Nothing is mapped, so that a file that shrinks is a short read and no signal. Any thread may read it.
final class OpenPage: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Opens the memory that an app offered; nil if it is none of a page's size that stays so.
    ///
    /// - Parameter pid: The process's number as the kernel gave it. One of a foreign pid namespace cannot be looked into.
    init?(_ offer: MemoryOffer, of pid: Int32) {
        let path = "/proc/\(pid)/task/\(offer.thread)/fd/\(offer.descriptor)"
        // What an app has under that number may be anything, also a file of a file system that never answers. So no file system
        // is asked before it is known to be memory: neither these two questions nor the descriptor that looks ask one.
        guard pid > 0, FileSystem.target(of: path)?.utf8.starts(with: "/memfd:".utf8) ?? false,
            let place = try? Descriptor(looking: path), let mount = place.mount, mount == Self.mountOfMemory,
            let memory = try? Descriptor(reopening: place), memory.isSealed,
            let status = try? memory.status(), status.st_size == off_t(FlightPageLayout.byteCount)
        else { return nil }
        descriptor = memory
    }

    /// Where the kernel has all such memory; nil where there is none.
    private static let mountOfMemory: Int? = (try? Descriptor(memory: "rerender"))?.mount

    func status() throws(DaemonError) -> stat { try descriptor.status() }

    /// Whether the page is elsewhere by now, so that this does not change any more.
    var isMoved: Bool {
        var word = [UInt8](repeating: 0, count: 8)
        return descriptor.read(into: &word, at: FlightPageLayout.movedOffset) == 8 && word.contains { $0 != 0 }
    }

    /// Fills the bytes from the page at `offset`; returns how many there were.
    func read(into bytes: inout [UInt8], at offset: Int) -> Int { descriptor.read(into: &bytes, at: offset) }

    /// All that there is of the page.
    func bytes() throws(DaemonError) -> [UInt8] { try descriptor.read(limit: FlightPageLayout.byteCount) }
}

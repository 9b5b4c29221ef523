// SPDX-License-Identifier: MIT
// A file system of its own that a test may fill.

import Glibc

/// A mounted file system of a few kilobytes, unmounted when it is released. Needs root.
package final class SmallDisk: Sendable {
    /// The directory that it is mounted at, of mode 0700.
    package let path: String
    private let directory: TemporaryDirectory
    private let bytes: Int

    /// Whether a file system can be mounted here, found out by doing it.
    package static let isAvailable = (try? SmallDisk(bytes: 65_536)) != nil

    package init(bytes: Int) throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/disk"
        self.bytes = bytes
        guard mkdir(path, 0o700) == 0, mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=700") == 0 else {
            throw UnixStream.Failure("mount a small disk")
        }
    }

    deinit { umount2(path, CInt(MNT_DETACH)) }

    /// Takes all room that is left, or gives it back.
    package func fill(_ isFull: Bool) throws {
        let filler = path + "/filler"
        guard isFull else {
            unlink(filler)
            return
        }
        let file = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw UnixStream.Failure("open \(filler)") }
        defer { close(file) }
        let page = [UInt8](repeating: 1, count: 4_096)
        var rest = bytes / page.count + 1
        while rest > 0, write(file, page, page.count) > 0 { rest -= 1 }
        guard rest > 0 else { throw UnixStream.Failure("fill \(path)") }
    }
}

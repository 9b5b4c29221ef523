// SPDX-License-Identifier: MIT
// Says that a question is worth asking again: of a file.

import Glibc

/// A descriptor that becomes readable with each change.
final class News: Sendable {
    private let descriptor: Int32

    /// What is written to a file. Where the user has no instance of inotify left, ``next(or:)`` comes each second.
    init(of file: String) {
        descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        inotify_add_watch(descriptor, file, UInt32(IN_MODIFY))
    }

    deinit { close(descriptor) }

    /// Waits for the next change, for the other descriptor to be readable, or for a second: a daemon does not tell of everything.
    func next(or other: Int32 = -1) async throws {
        try await OnThread { [self] in
            guard UnixStream.isReady([descriptor, other], POLLIN, within: 1) else { return }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            guard read(descriptor, &bytes, bytes.count) != 0 else {
                throw UnixStream.Failure(text: "nothing tells of changes any more")
            }
        }.value
    }
}

// SPDX-License-Identifier: MIT
// Watches for the daemon's socket, so that an idle app does not have to poll for it.

import CRerender
import Glibc
import RerenderModel

/// Watches the runtime directory, or its parent while it does not exist.
struct SocketNotice: ~Copyable {
    /// Readable when something appeared; -1 while nothing is watched.
    private(set) var descriptor: CInt = -1
    private let directory: RuntimeDirectory

    /// Whether a socket that appears will be noticed.
    var isSet: Bool { descriptor >= 0 }

    init(directory: RuntimeDirectory) {
        self.directory = directory
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Begins to watch, anew: once the directory exists, its parent is none of our business, and may be a busy place.
    ///
    /// Where no watch can be had, the caller must poll.
    mutating func watch() {
        stop()
        descriptor = crerender_inotify()
        guard descriptor >= 0 else { return }
        if unsafe crerender_watch_directory(descriptor, directory.path) >= 0 { return }
        let parent = directory.path[..<(directory.path.lastIndex(of: "/") ?? directory.path.startIndex)]
        if unsafe crerender_watch_directory(descriptor, parent.isEmpty ? "/" : String(parent)) < 0 { stop() }
    }

    mutating func stop() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Takes the notices; true if the socket is there now.
    mutating func socketAppeared() -> Bool {
        var ignored: InlineArray<4096, UInt8> = .init(repeating: 0)
        var span = ignored.mutableSpan
        _ = unsafe span.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        // The directory itself may be what appeared.
        watch()
        return unsafe access(directory.pushSocket, F_OK) == 0
    }
}

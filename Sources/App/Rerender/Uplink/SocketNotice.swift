// SPDX-License-Identifier: MIT
// Watches for the daemon's socket, so that an idle app does not have to poll for it.

import CRerender
import Glibc
import RerenderModel
import RerenderSymbols

/// Watches the runtime directory, or its parent while it does not exist.
struct SocketNotice: ~Copyable {
    /// Its number in our table, readable when something appeared; -1 while nothing is watched.
    private var descriptor: CInt = -1
    private var isWaiting = false
    private let directory: RuntimeDirectory

    /// Whether a socket that appears will be noticed.
    var isSet: Bool { descriptor >= 0 }

    init(directory: RuntimeDirectory) {
        self.directory = directory
    }

    deinit { Self.close(descriptor) }

    /// Begins to watch, anew: once the directory exists, its parent is none of our business, and may be a busy place.
    ///
    /// Where no watch can be had, the caller must poll.
    mutating func watch() {
        stop()
        descriptor = DescriptorTable.run { [path = directory.path] in Self.open(path) } ?? -1
    }

    private static func open(_ path: String) -> CInt {
        let descriptor = crerender_inotify()
        guard descriptor >= 0, unsafe crerender_watch_directory(descriptor, path) < 0 else { return descriptor }
        let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        if unsafe crerender_watch_directory(descriptor, parent.isEmpty ? "/" : String(parent)) >= 0 {
            return descriptor
        }
        Glibc.close(descriptor)
        return -1
    }

    private static func close(_ descriptor: CInt) {
        if descriptor >= 0 { _ = DescriptorTable.run { Glibc.close(descriptor) } }
    }

    mutating func stop() {
        Self.close(descriptor)
        (descriptor, isWaiting) = (-1, false)
    }

    /// Has `CRERENDER_DIRECTORY_CHANGED` told once there are notices.
    ///
    /// - Returns: False where they are not told.
    mutating func wait() -> Bool {
        guard isSet else { return true }
        if !isWaiting {
            let outcome = DescriptorTable.run { [descriptor] in
                crerender_watch(descriptor, UInt32(POLLIN), UInt32(CRERENDER_DIRECTORY_CHANGED))
            }
            isWaiting = outcome == true
        }
        return isWaiting
    }

    /// Takes the notices; true if the socket is there now.
    mutating func socketAppeared() -> Bool {
        // A new watch has no old notices. The directory itself may be what appeared.
        watch()
        return unsafe access(directory.pushSocket, F_OK) == 0
    }
}

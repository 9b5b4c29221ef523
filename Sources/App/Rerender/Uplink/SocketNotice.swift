// SPDX-License-Identifier: MIT
// Watches for the daemon's socket, so that an idle app does not have to poll for it.

import CRerender
import Glibc
import RerenderModel

/// Watches the runtime directory, or its parent while it does not exist.
///
/// A user has 128 instances of inotify(7). A program that gets none waits at a pipe of the directory's instead: a daemon that starts
/// opens it for writing and closes it, which wakes all that have it open. Nothing tells that somebody removed the pipe, so that such a
/// program polls beside, as one does that has no pipe either.
struct SocketNotice: ~Copyable {
    private struct Watch {
        /// Its number in our table; readable, or of a pipe hung up, when something appeared.
        let descriptor: CInt
        let isPipe: Bool
    }

    private var current: Watch?
    private var isWaiting = false
    private let directory: RuntimeDirectory

    /// Whether a socket that appears will be noticed, whatever happens to the directory. Otherwise the caller must poll.
    var isSet: Bool { current?.isPipe == false }

    init(directory: RuntimeDirectory) {
        self.directory = directory
    }

    deinit { Self.close(current) }

    /// Begins to watch, anew: once the directory exists, its parent is none of our business, and may be a busy place.
    ///
    /// A pipe is kept while it has its name: the kernel wakes all that wait at one when any of them closes it, and all of them try
    /// to connect again and again.
    mutating func watch() {
        let new = DescriptorTable.run { [directory] in Self.open(directory.path) } ?? nil
        if new == nil, let current, current.isPipe, hasName(current) { return }
        stop()
        current = new ?? openPipe()
    }

    private func openPipe() -> Watch? {
        DescriptorTable.run { [directory] in
            // Only a pipe of the user's own, in a directory where nobody else makes one.
            directory.fault() == nil ? Self.open(pipe: directory.startNotice) : nil
        } ?? nil
    }

    /// Whether the pipe that is open is the one that daemons use.
    private func hasName(_ pipe: Watch) -> Bool {
        DescriptorTable.run { [directory] in
            var (open, named) = (stat(), stat())
            guard unsafe fstat(pipe.descriptor, &open) == 0, unsafe lstat(directory.startNotice, &named) == 0 else {
                return false
            }
            return open.st_ino == named.st_ino && open.st_dev == named.st_dev
        } ?? false
    }

    private static func open(_ path: String) -> Watch? {
        let descriptor = crerender_inotify()
        guard descriptor >= 0 else { return nil }
        let watch = Watch(descriptor: descriptor, isPipe: false)
        if unsafe crerender_watch_directory(descriptor, path) >= 0 { return watch }
        if unsafe crerender_watch_directory(descriptor, PathName.directory(of: path)) >= 0 { return watch }
        Glibc.close(descriptor)
        return nil
    }

    /// Opened without waiting for a writer.
    private static func open(pipe path: String) -> Watch? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO, status.st_uid == geteuid()
        else {
            Glibc.close(descriptor)
            return nil
        }
        return Watch(descriptor: descriptor, isPipe: true)
    }

    private static func close(_ watch: Watch?) {
        if let watch { _ = DescriptorTable.run { Glibc.close(watch.descriptor) } }
    }

    mutating func stop() {
        Self.close(current)
        (current, isWaiting) = (nil, false)
    }

    /// Has `CRERENDER_DIRECTORY_CHANGED` told once there are notices.
    ///
    /// - Returns: False where they are not told.
    mutating func wait() -> Bool {
        guard let current else { return true }
        if !isWaiting {
            // Of a pipe, only that its last writer has gone, which is told whatever is asked for. What somebody wrote stays in it while
            // one of those that wait has it open: to be told of that would be to be told for ever.
            let events = current.isPipe ? 0 : UInt32(POLLIN)
            let outcome = DescriptorTable.run {
                crerender_watch(current.descriptor, events, UInt32(CRERENDER_DIRECTORY_CHANGED))
            }
            isWaiting = outcome == true
        }
        return isWaiting
    }

    /// Takes the notices; true if the socket is there now, or if it would not be noticed from now on.
    mutating func socketAppeared() -> Bool {
        // A new watch has no old notices. The directory itself may be what appeared. Where instances of inotify are short, another
        // program may have taken the one that was given back: then there is nothing to wait for, and the caller must poll.
        stop()
        watch()
        return unsafe access(directory.pushSocket, F_OK) == 0 || !isSet
    }
}

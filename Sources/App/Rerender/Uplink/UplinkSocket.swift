// SPDX-License-Identifier: MIT
// The daemon's socket: a watch for it, and a connection that never blocks. All system calls on it are here, with the library's descriptors.

import CRerender
import CShared
import Glibc
import RerenderModel
import RerenderWire

/// A connection to the daemon. Nothing here blocks.
struct UplinkSocket: ~Copyable {
    /// Its number in our table.
    private let descriptor: CInt
    private var received: [UInt8] = []
    /// What it is watched for, until that was told.
    private var wanted: Int16 = 0
    private var isWatched = false
    /// What goes with the first bytes.
    private var handedOver: CInt?

    enum SendResult: Equatable {
        case done
        /// The socket is full; so many bytes were taken.
        case full(Int)
        case closed
    }

    /// Connects; nil if there is no daemon, or if what listens there is not of this user or root.
    ///
    /// - Parameter handing: A descriptor in our table that the daemon gets with the first bytes.
    ///
    /// `failure` then says what the attempt ended with: `EAGAIN` where the daemon listens and its queue is full,
    /// `ECONNREFUSED` where no process listens at the socket, or not yet.
    init?(path: String, handing: CInt?, failure: inout CInt) {
        let outcome = DescriptorTable.run { Self.connect(to: path) }
        failure = outcome?.failure ?? ENOENT
        guard let socket = outcome?.socket else { return nil }
        (descriptor, handedOver) = (socket, handing)
    }

    private static func connect(to path: String) -> (socket: CInt?, failure: CInt) {
        guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            return (nil, ENOENT)
        }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, type, 0)
        guard socket >= 0 else { return (nil, ENOENT) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Safe: the path and its terminating zero fit, as checked above.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket, $0, size) == 0
            }
        }
        let failure = isConnected ? EACCES : errno
        let peer = crerender_peer_uid(socket)
        guard isConnected, peer == geteuid() || peer == 0 else {
            close(socket)
            return (nil, failure)
        }
        return (socket, 0)
    }

    deinit { _ = DescriptorTable.run { [descriptor] in close(descriptor) } }

    /// Has `CRERENDER_LINK_READY` told once it is ready for one of these events of `poll`, or closed.
    ///
    /// - Returns: False where it cannot be watched.
    mutating func watch(for events: Int16) -> Bool {
        if isWatched, wanted == events { return true }
        wanted = events
        // epoll(7) has the same bits for them.
        let outcome = DescriptorTable.run { [descriptor] in
            crerender_watch(descriptor, UInt32(UInt16(bitPattern: events)), UInt32(CRERENDER_LINK_READY))
        }
        isWatched = outcome == true
        return isWatched
    }

    /// What it is ready for now, after that was told: of what it was watched for.
    mutating func takeReadiness() -> Int16 {
        var poll = pollfd(fd: descriptor, events: wanted, revents: 0)
        isWatched = false
        _ = DescriptorTable.run { unsafe Glibc.poll(&poll, 1, 0) }
        return poll.revents
    }

    /// Sends bytes from `offset` on.
    mutating func send(_ bytes: [UInt8], from offset: Int) -> SendResult {
        var handedOver = handedOver
        let result = DescriptorTable.run { [descriptor] in
            Self.send(bytes, from: offset, on: descriptor, handing: &handedOver)
        }
        self.handedOver = handedOver
        return result ?? .closed
    }

    private static func send(
        _ bytes: [UInt8], from offset: Int, on descriptor: CInt, handing handedOver: inout CInt?
    ) -> SendResult {
        var sent = offset
        while sent < bytes.count {
            // Safe: both read at most the rest of the array, which lives meanwhile.
            let count = unsafe bytes[sent...].withUnsafeBytes { rest -> Int in
                guard let start = rest.baseAddress else { return 0 }
                guard let page = handedOver else {
                    return unsafe Glibc.send(descriptor, start, rest.count, CInt(MSG_NOSIGNAL))
                }
                return unsafe chandover_send(descriptor, start, rest.count, page)
            }
            if count > 0 {
                sent += count
                handedOver = nil
            } else if errno == EAGAIN {
                return .full(sent - offset)
            } else if errno != EINTR {
                return .closed
            }
        }
        return .done
    }

    /// Reads what the daemon sent and calls `message` for each; false if the connection is over or speaks nonsense.
    mutating func receive(_ message: (DaemonMessage) -> Void) -> Bool {
        let start = received.count
        // A whole frame always fits, so a read of zero bytes means that the daemon has closed.
        let room = WireLimits.frameBytes + 4 - start
        received.append(contentsOf: repeatElement(0, count: max(room, 1)))
        let (count, failure) =
            DescriptorTable.run { [descriptor] in
                let count = unsafe received.withUnsafeMutableBytes { buffer in
                    unsafe recv(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start, 0)
                }
                return (count, errno)
            } ?? (0, CInt(0))
        received.removeLast(received.count - start - max(count, 0))
        if count == 0 { return false }
        if count < 0 { return failure == EAGAIN || failure == EINTR }
        guard let used = try? Self.messages(in: received, message) else { return false }
        received.removeFirst(used)
        return true
    }

    private static func messages(
        in received: [UInt8], _ message: (DaemonMessage) -> Void
    ) throws(WireError) -> Int {
        // Safe: bytes have no padding that could be read unset.
        let bytes = unsafe received.span.bytes
        return try FrameReader.frames(in: bytes) { frame throws(WireError) in
            try FrameReader.messages(in: frame) { kind, fields throws(WireError) in
                if let known = try DaemonMessage(kind: kind, fields: &fields) { message(known) }
            }
        }
    }
}

/// Watches the runtime directory, or its parent while it does not exist.
///
/// A user has 128 instances of inotify(7). A program that gets none waits at a pipe of the directory's instead: a daemon that starts
/// opens it for writing and closes it, which wakes all that have it open. Nothing tells that somebody removed the pipe, so that such a
/// program polls beside, as one does that has no pipe either.
///
/// Nothing is watched for a directory of a command that has ended: a later attach tells the thread, and until then it must not wake.
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
    var isSet: Bool { isTold || current?.isPipe == false }
    private let isTold: Bool

    init(directory: RuntimeDirectory, isTold: Bool) { (self.directory, self.isTold) = (directory, isTold) }

    deinit { Self.close(current) }

    /// Begins to watch, anew: once the directory exists, its parent does not matter, and may be a busy place.
    ///
    /// A pipe is kept while it has its name: the kernel wakes all that wait at one when any of them closes it, and all of them try
    /// to connect again and again.
    mutating func watch() {
        guard !isTold else { return }
        let new = DescriptorTable.run { [directory] in Self.open(directory.path) } ?? nil
        if new == nil, let current, current.isPipe, hasName(current) { return }
        stop()
        current = new ?? openPipe()
    }

    private func openPipe() -> Watch? {
        DescriptorTable.run { [directory] in
            // Only a pipe of the user's own, in a directory where other users cannot make one.
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
            // Of a pipe, only that its last writer has gone, which the kernel reports in any case. What somebody wrote stays in it while
            // one of those that wait has it open: the kernel would report that for ever.
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

// SPDX-License-Identifier: MIT
// Files by descriptor, opened so that a hostile file cannot block and always closed; directories, made, listed and cleared.

import Glibc
import RerenderModel
import RerenderWire

/// An open file that closes with its owner.
struct Descriptor: ~Copyable {
    let number: CInt

    init(owning number: CInt) {
        self.number = number
    }

    /// Opens a file; never waits for a pipe's other end, never follows a link at the path's end.
    init(path: String, flags: CInt, mode: mode_t = 0o600) throws(DaemonError) {
        let opened = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY, mode)
        guard opened >= 0 else { throw .last("open \(path)") }
        number = opened
    }

    /// Puts a new file in the place of another, all of it at once; open for more.
    init(replacing path: String, with parts: some Sequence<[UInt8]>) throws(DaemonError) {
        let temporary = path + ".new"
        FileSystem.remove(temporary)
        do throws(DaemonError) {
            let file = try Descriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
            for part in parts { try file.write(part) }
            try FileSystem.rename(temporary, to: path)
            self = file
        } catch {
            FileSystem.remove(temporary)
            throw error
        }
    }

    deinit {
        close(number)
    }

    /// Gives the descriptor to another owner.
    consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    func status() throws(DaemonError) -> stat {
        var status = stat()
        // Safe: `fstat` fills the value that it is given.
        guard unsafe fstat(number, &status) == 0 else { throw .last("look at a file") }
        return status
    }

    /// Whether it is shared memory that cannot be made shorter.
    var isSealed: Bool {
        // `F_GET_SEALS` and `F_SEAL_SHRINK`, which Swift does not see. Nothing else has seals.
        let seals = fcntl(number, 1_034)
        return seals >= 0 && seals & 2 != 0
    }

    /// Seals shared memory against writing; false while a process maps it for that.
    func sealAgainstWriting() -> Bool {
        // `F_ADD_SEALS` and `F_SEAL_WRITE`, which Swift does not see.
        fcntl(number, 1_033, 8) == 0
    }

    /// Up to `limit` bytes from the start; fewer if the file ends.
    func read(limit: Int) throws(DaemonError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            // Safe: `pread` writes at most the rest of the array, counted from where the pointer stands.
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(number, $0.baseAddress.map { unsafe $0 + count }, limit - count, off_t(count))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .last("read a file") }
            if got == 0 { break }
            count += got
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    /// Fills the bytes from the file at `offset`, in one go; returns how many there were, none if it cannot be read.
    func read(into bytes: inout [UInt8], at offset: Int) -> Int {
        // Safe: `pread` writes at most the array.
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(number, $0.baseAddress, $0.count, off_t(offset)) }
        return max(0, got)
    }

    func write(_ bytes: [UInt8]) throws(DaemonError) {
        var count = 0
        while count < bytes.count {
            // Safe: `write` reads at most the rest of the array.
            let put = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(number, $0.baseAddress.map { unsafe $0 + count }, bytes.count - count)
            }
            if put < 0, errno == EINTR { continue }
            guard put >= 0 else { throw .last("write a file") }
            count += put
        }
    }

    /// Takes room on the disk behind `offset`, for what is written there later; the file's size stays. Returns 0 or the error.
    func reserve(_ bytes: Int, from offset: Int) -> CInt {
        typealias Allocate = @convention(c) (CInt, CInt, off_t, off_t) -> CInt
        // Safe: that is the function's type (fallocate(2)), which Glibc's module does not have.
        guard let symbol = unsafe dlsym(nil, "fallocate") else { return ENOSYS }
        let allocate = unsafe unsafeBitCast(symbol, to: Allocate.self)
        var outcome: CInt
        repeat {
            outcome = allocate(number, 1 /* FALLOC_FL_KEEP_SIZE */, off_t(offset), off_t(bytes))
        } while outcome != 0 && errno == EINTR
        return outcome == 0 ? 0 : errno
    }

    /// Takes the lock of the file for as long as it is open; false if another has it.
    func lock() -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0
    }
}

/// What the daemon does with names in the file system.
package enum FileSystem {
    /// Makes a directory of the user's own, mode 0700, if there is none.
    static func makeDirectory(_ path: String) throws(DaemonError) {
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw .last("make the directory \(path)")
    }

    /// Why no state may be kept in a directory; nil if it may, or if there is nothing yet.
    ///
    /// Who can write there could give the daemon a state of his own making, or a link in the place of the file. A link to the
    /// directory is followed: the service manager makes some.
    static func stateFault(of path: String, uid: uid_t = getuid()) -> String? {
        guard let status = status(of: path, followsLink: true) else { return nil }
        let remedy = "or name another directory (--state-dir)"
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return "the state directory \(path) is not a directory: remove it, \(remedy)"
        }
        guard status.st_uid == uid else {
            return "the state directory \(path) belongs to user \(status.st_uid) and not to \(uid): name another one "
                + "(--state-dir)"
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            return "others may write to the state directory \(path); name another directory (--state-dir). "
                + "Or run: \("chmod 700 \(.path(path))" as ShellCommand)"
        }
        return nil
    }

    /// At most `limit` names in a directory, in no order; none if it cannot be read.
    package static func names(in path: String, limit: Int) -> [String] {
        // Safe: `readdir` gives an entry that is valid until the next call, and its name is copied before. Only up to the
        // terminator: an entry is as long as its name, so reading the 256 bytes that `dirent` declares could run past
        // the buffer (which is what Foundation does, and crashes).
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while names.count < limit, let entry = unsafe readdir(directory) {
            let text = unsafe UnsafeRawPointer(entry) + Self.nameOffset
            let name = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static let nameOffset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 19

    /// What lies at a path; nil if nothing does. Follows a link at the path's end only on request, such as one in `/proc`.
    static func status(of path: String, followsLink: Bool = false) -> stat? {
        var status = stat()
        // Safe: `fstatat` fills the value that it is given.
        return unsafe fstatat(AT_FDCWD, path, &status, followsLink ? 0 : AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    static func isSocket(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFSOCK }
    static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    static func remove(_ path: String) {
        // Safe: the C string lives for the call, here and below.
        _ = unsafe unlink(path)
    }

    /// Wakes all who have a pipe open for reading and wait there: each is told that its last writer has gone. Makes the pipe if there
    /// is none, for those that wait for the next time.
    static func wakeReaders(of path: String) {
        // Safe: the C string lives for the call.
        _ = unsafe mkfifo(path, 0o600)
        // For reading, too: then it can be opened where nobody reads.
        _ = try? Descriptor(path: path, flags: O_RDWR)
    }

    static func rename(_ from: String, to path: String) throws(DaemonError) {
        guard unsafe Glibc.rename(from, path) == 0 else { throw .last("rename \(from) to \(path)") }
    }

    /// The limit of open files, on request raised to what the kernel allows us.
    static func openFiles(raise: Bool) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        // Safe: both calls only use the value that they are given.
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1_024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        guard raise, unsafe setrlimit(resource, &limit) == 0 else { return Int(clamping: soft) }
        return Int(clamping: limit.rlim_cur)
    }
}

/// Which file lies at a path, so that another that took its place is known.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}

extension FileIdentity {
    init(_ status: stat) { self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }
}

// The flight page of an app, as the daemon holds it.

/// An app's flight page: sealed memory that the app handed over. Nothing is mapped, so that whatever is handed over, reading it is a
/// short read at worst, and no signal. Any thread may read it.
final class OpenPage: Sendable {
    /// Why a page cannot be used.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case unsealed
        case anotherProcess
        case unreadable(String)

        var description: String {
            switch self {
            case .unsealed: "it is not sealed memory of a page's size"
            case .anotherProcess: "it is of another process"
            case .unreadable(let text): text
            }
        }
    }

    private let descriptor: Descriptor
    /// Tells it from all other pages since the machine started.
    let identity: FileIdentity

    /// Keeps what an app handed over.
    init(_ descriptor: consuming Descriptor) throws(Fault) {
        // It may be anything, also a file of a file system that never answers. None is asked before it is known to be memory.
        guard descriptor.isSealed, let status = try? descriptor.status(),
            status.st_size == off_t(FlightPageLayout.byteCount)
        else { throw .unsealed }
        identity = FileIdentity(status)
        self.descriptor = descriptor
    }

    /// Reads it, if it is that process's.
    func contents(of process: ProcessInstance) throws(Fault) -> FlightPage {
        let page: FlightPage
        do {
            let bytes = try self.bytes()
            // Safe: bytes have no padding.
            page = unsafe try FlightPage(bytes.span.bytes)
        } catch {
            throw .unreadable("\(error)")
        }
        guard page.startTicks == process.startTicks else { throw .anotherProcess }
        return page
    }

    /// Whether no program maps it any more: the one that counted there has ended, or has become another one by `exec`.
    ///
    /// The kernel refuses to seal memory against writing while somebody may write it through a mapping.
    var isLeft: Bool { descriptor.sealAgainstWriting() }

    /// The thread that runs the app's main loop, by the app's number; 0 where the page does not say.
    var loopThread: Int32 {
        var head = [UInt8](repeating: 0, count: LoopLayout.headBytes)
        guard read(into: &head, at: FlightPageLayout.loopOffset) == LoopLayout.headBytes else { return 0 }
        // Safe: bytes have no padding.
        let reading = unsafe try? LoopReading(head: head.span.bytes)
        return reading?.threadID ?? 0
    }

    /// Fills the bytes from the page at `offset`; returns how many there were.
    func read(into bytes: inout [UInt8], at offset: Int) -> Int { descriptor.read(into: &bytes, at: offset) }

    /// All that there is of the page.
    func bytes() throws(DaemonError) -> [UInt8] { try descriptor.read(limit: FlightPageLayout.byteCount) }
}

// SPDX-License-Identifier: MIT
// Directories: made, listed and cleared.

internal import Glibc
internal import RerenderModel

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

    /// Where a link leads, also one in `/proc`; nil if there is none.
    static func target(of path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: `readlink` writes at most that many bytes, and no terminator.
        let count = unsafe text.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe readlink(path, $0, buffer.count) } ?? 0
        }
        guard count > 0 else { return nil }
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

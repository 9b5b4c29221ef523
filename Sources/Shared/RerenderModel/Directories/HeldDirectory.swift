// SPDX-License-Identifier: MIT
// A directory of the user's own, held by descriptor: nobody can put another one in its place while it is used.

package import Glibc

/// A directory that belongs to the user and that no other user may write to, held by descriptor.
///
/// Its name is looked up once, and a link of that name is refused. What is done in it afterwards takes ``descriptor``
/// (`openat`, `unlinkat`). Takes one descriptor of the process while it lives; may be used on any thread.
package struct HeldDirectory: ~Copyable {
    /// For `*at()` calls; open as long as the value lives.
    package let descriptor: CInt

    /// Why a directory cannot be held.
    package enum Fault: Error, Hashable, Sendable {
        /// It is not the user's own: what is wrong with it, and what to do.
        case refused(String)
        /// The system could not make or open it: the path, and the error's number.
        case failed(String, CInt)
    }

    /// Opens a directory.
    ///
    /// - Parameters:
    ///   - makes: Whether to make it, with mode 0700, where it is missing. The owner of the directory above decides: one is
    ///     made only below a directory of `uid` or of root. Root makes none below a user's, who could not use it then.
    ///   - uid: Who has to own it.
    package init(_ path: String, makes: Bool, uid: uid_t = geteuid()) throws(Fault) {
        let whole = PathName.trimmed(path)
        let name = PathName.last(of: whole)
        // The directory above may be reached by a link: only who owns it counts.
        let parent = unsafe open(PathName.directory(of: whole), Self.lookFlags | O_CLOEXEC | O_DIRECTORY)
        guard parent >= 0 else { throw .failed(path, errno) }
        defer { close(parent) }
        self = try Self.hold(name.isEmpty ? "." : name, in: parent, path, makes, uid)
    }

    /// Opens the directory of that name in this one; the parameters are those of ``init(_:makes:uid:)``.
    package borrowing func directory(
        _ name: String, makes: Bool, uid: uid_t = geteuid()
    ) throws(Fault) -> HeldDirectory {
        try Self.hold(name, in: descriptor, name, makes, uid)
    }

    deinit { close(descriptor) }

    private init(owning descriptor: CInt) { self.descriptor = descriptor }

    private static func hold(
        _ name: String, in parent: CInt, _ path: String, _ makes: Bool, _ uid: uid_t
    ) throws(Fault) -> HeldDirectory {
        var file = unsafe openat(parent, name, flags)
        if file < 0, errno == ENOENT, makes {
            try make(name, in: parent, path, uid)
            file = unsafe openat(parent, name, flags)
        }
        guard file >= 0 else { throw failed(path) }
        let held = HeldDirectory(owning: file)
        var info = stat()
        // fstat() fills the local value, here and below.
        guard unsafe fstat(file, &info) == 0 else { throw failed(path) }
        if let text = RuntimeDirectory.fault(of: info, path, uid: uid) { throw .refused(text) }
        return held
    }

    private static func make(_ name: String, in parent: CInt, _ path: String, _ uid: uid_t) throws(Fault) {
        var info = stat()
        guard unsafe fstat(parent, &info) == 0 else { throw failed(path) }
        guard info.st_uid == uid || info.st_uid == 0 else {
            throw .refused(
                "\(path) is not made, because the directory above belongs to user \(info.st_uid) and not to \(uid): "
                    + "set RERENDER_RUNTIME_DIR")
        }
        // Another process may have made it in between.
        guard unsafe mkdirat(parent, name, 0o700) == 0 || errno == EEXIST else { throw failed(path) }
    }

    /// `O_PATH`, which is a macro that Swift does not see: it needs no permission to read.
    private static let lookFlags: CInt = 0o10000000
    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// The system's latest error.
    private static func failed(_ path: String) -> Fault {
        errno == ENOTDIR || errno == ELOOP
            ? .refused("\(path) is not a directory: remove it, or set RERENDER_RUNTIME_DIR") : .failed(path, errno)
    }
}

// SPDX-License-Identifier: MIT
// Where the app, the daemon and the command line meet in the file system, and directories that are held by descriptor.

package import Glibc

/// The directory that holds the sockets.
///
/// All sides look for it in the same order: `$RERENDER_RUNTIME_DIR`; `$XDG_RUNTIME_DIR/rerender` unless
/// `$XDG_RUNTIME_DIR` is another user's; `/run/user/UID/rerender` if `/run/user/UID` is the user's own; `/tmp/rerender-UID`.
package struct RuntimeDirectory: Hashable, Sendable {
    package let path: String
    package let origin: Origin

    /// Which rule found the directory.
    package enum Origin: String, Sendable, CaseIterable {
        case environment = "RERENDER_RUNTIME_DIR"
        case xdg = "XDG_RUNTIME_DIR"
        case runUser = "/run/user/UID"
        case temporary = "/tmp"
        /// Nothing was looked for: someone named the directory.
        case explicit = "--runtime-dir"
    }

    /// Makes a directory that someone named.
    package init(path: String, origin: Origin = .explicit) {
        self.path = path
        self.origin = origin
    }

    package var pushSocket: String { path + "/push.sock" }
    package var querySocket: String { path + "/query.sock" }
    /// A pipe (FIFO) at which programs may wait for a daemon: see `SocketNotice`.
    package var startNotice: String { path + "/started" }

    /// The directories in the order in which they are looked for; the first is the one in use.
    ///
    /// Only the environment and two `stat` decide; nothing is created. A relative or empty value in the environment
    /// is as if it were not there, and so is an `$XDG_RUNTIME_DIR` of another user, which `sudo -E` leaves to root.
    package static func candidates(
        environment: (String) -> String? = { environmentVariable($0) }, uid: uid_t = geteuid()
    ) -> [RuntimeDirectory] {
        var found: [RuntimeDirectory] = []
        if let path = environment("RERENDER_RUNTIME_DIR"), PathName.isAbsolute(path) {
            // Two ways to write one directory are the same one.
            found.append(RuntimeDirectory(path: PathName.trimmed(path), origin: .environment))
        }
        if let path = environment("XDG_RUNTIME_DIR"), PathName.isAbsolute(path), owner(of: path) ?? uid == uid {
            found.append(RuntimeDirectory(path: path + "/rerender", origin: .xdg))
        }
        if owner(of: "/run/user/\(uid)") == uid {
            found.append(RuntimeDirectory(path: "/run/user/\(uid)/rerender", origin: .runUser))
        }
        found.append(RuntimeDirectory(path: "/tmp/rerender-\(uid)", origin: .temporary))
        return found
    }

    /// The directory in use.
    package static func current() -> RuntimeDirectory {
        candidates().first ?? RuntimeDirectory(path: "/tmp/rerender-\(geteuid())", origin: .temporary)
    }

    /// Why the directory must not be used; nil if it is fine or does not exist yet.
    ///
    /// It must be a directory (no link), belong to `uid`, and be writable by no other user: one who can write
    /// there could put a socket of his own in our place.
    package func fault(uid: uid_t = geteuid()) -> String? {
        var info = stat()
        guard unsafe lstat(path, &info) == 0 else { return nil }
        return Self.fault(of: info, path, uid: uid)
    }

    /// The same for what a system call told of the directory at `path`.
    static func fault(of info: stat, _ path: String, uid: uid_t) -> String? {
        guard info.st_mode & S_IFMT == S_IFDIR else {
            return "\(path) is not a directory: remove it, or set RERENDER_RUNTIME_DIR"
        }
        guard info.st_uid == uid else {
            return "\(path) belongs to user \(info.st_uid) and not to \(uid): set RERENDER_RUNTIME_DIR"
        }
        guard info.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            return "\(path) can be written by others. Run: \("chmod 700 \(.path(path))" as ShellCommand)"
        }
        return nil
    }

    /// The name of the file that `rerenderctl off` makes.
    package static let switchName = "off"

    /// How the names of directories begin in which commands have daemons of their own.
    package static let commandPrefix = "rerender-run-"

    /// Whether it is one of those. After its command no daemon will be in it, but that of a later attach, which tells the process.
    package var isOfCommand: Bool { PathName.last(of: path).utf8.starts(with: Self.commandPrefix.utf8) }

    /// Whether the user switched Rerender off here. Takes no descriptor; a microsecond where there is no such file.
    ///
    /// Nobody but the user and root can make the file: in a directory that must not be used, it does not count.
    package var isSwitchedOff: Bool {
        var info = stat()
        return unsafe lstat(path + "/" + Self.switchName, &info) == 0 && fault() == nil
    }

    private static func owner(of path: String) -> uid_t? {
        var info = stat()
        return unsafe stat(path, &info) == 0 ? info.st_uid : nil
    }
}

/// Reads one variable of the environment; nil, too, in a program with other rights than its user's (`secure_getenv(3)`).
package func environmentVariable(_ name: String) -> String? {
    unsafe secureGetenv(name).map { unsafe String(cString: $0) }
}

// Glibc's module leaves it out, because its header shows it under _GNU_SOURCE only.
@_silgen_name("secure_getenv")
private func secureGetenv(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?

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

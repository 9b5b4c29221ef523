// SPDX-License-Identifier: MIT
// Where the app, the daemon and the command line meet in the file system.

package import Glibc

/// The directory that holds the sockets and the flight pages.
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
    package var flightDirectory: String { path + "/" + Self.flightName }
    /// The name of the directory of flight pages in this one.
    package static let flightName = "flight"

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

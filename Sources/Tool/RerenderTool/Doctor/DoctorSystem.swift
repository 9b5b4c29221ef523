// SPDX-License-Identifier: MIT
// The questions of the doctor to the machine, which tests answer in its place, and the answers of this machine.

import Glibc
import RerenderModel
import RerenderShow

/// What the doctor asks the machine; tests answer in its place.
protocol DoctorSystem: Sendable {
    var uid: UInt32 { get }
    /// The directories that are looked for, the one in use first.
    var directories: [RuntimeDirectory] { get }
    func environment(_ name: String) -> String?
    /// The file at a path, links not followed; nil without one.
    func file(_ path: String) -> FileFacts?
    /// Whether there is such a directory in which this user may make files; links are followed.
    func canMakeFiles(in directory: String) -> Bool
    /// Whether this user has an instance of inotify(7) left.
    var canWatchFiles: Bool { get }
    /// The text of a file; empty where it cannot be read.
    func read(_ path: String) -> String
    /// What a program writes to its standard output; nil where it cannot be run, fails, or takes more than 5 s.
    func output(of arguments: [String]) async -> String?
    /// Why connecting to a Unix socket fails; nil if it succeeds.
    func connectionFault(_ path: String) async -> String?
}

/// What matters of a file.
struct FileFacts: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case socket, directory, other
    }

    var kind: Kind
    /// The permission bits.
    var mode: UInt32
    var owner: UInt32
}

extension DoctorSystem {
    /// Whether a program of this name is in `$PATH`.
    func hasProgram(_ name: String) -> Bool {
        (environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains { directory in
            file("\(directory)/\(name)") != nil
        }
    }

    /// Whether it installs Debian's packages.
    var isDebian: Bool { file(PackageAdvice.installer) != nil }
}

/// Answers the doctor's questions from the running system.
struct LocalSystem: DoctorSystem {
    var uid: UInt32 { getuid() }
    var directories: [RuntimeDirectory] { RuntimeDirectory.candidates() }

    func environment(_ name: String) -> String? { environmentVariable(name) }

    func file(_ path: String) -> FileFacts? {
        var info = stat()
        // lstat fills the one value that it is given.
        guard unsafe lstat(path, &info) == 0 else { return nil }
        let kind: FileFacts.Kind =
            switch info.st_mode & S_IFMT {
            case S_IFSOCK: .socket
            case S_IFDIR: .directory
            default: .other
            }
        return FileFacts(kind: kind, mode: info.st_mode & 0o7777, owner: info.st_uid)
    }

    func canMakeFiles(in directory: String) -> Bool {
        // The final slash takes nothing but directories. access() reads the string for the call only.
        unsafe access(directory + "/", W_OK | X_OK) == 0
    }

    var canWatchFiles: Bool {
        let instance = inotify_init1(CInt(IN_CLOEXEC))
        guard instance >= 0 else { return false }
        close(instance)
        return true
    }

    func read(_ path: String) -> String { ProcFile.read(path) }

    func output(of arguments: [String]) async -> String? {
        await CapturedCommand.output(of: arguments)
    }

    func connectionFault(_ path: String) async -> String? {
        await ConnectText.fault(at: path, timeout: .seconds(2))
    }
}

// SPDX-License-Identifier: MIT
// Answers the doctor's questions from this machine.

import Glibc
import RerenderShow

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

    func read(_ path: String) -> String { ProcFile.read(path) }

    func output(of arguments: [String]) async -> String? {
        await CapturedCommand.output(of: arguments)
    }

    func connectionFault(_ path: String) async -> String? {
        await ConnectText.fault(at: path, timeout: .seconds(2))
    }
}

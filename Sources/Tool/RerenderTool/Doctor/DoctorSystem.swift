// SPDX-License-Identifier: MIT
// What the doctor asks the machine, so that tests can answer instead.

import RerenderModel

/// What the doctor asks the machine; tests answer in its place.
protocol DoctorSystem: Sendable {
    var uid: UInt32 { get }
    /// The directories that are looked for, the one in use first.
    var directories: [RuntimeDirectory] { get }
    func environment(_ name: String) -> String?
    /// The file at a path, links not followed; nil where there is none.
    func file(_ path: String) -> FileFacts?
    /// Whether there is such a directory in which this user may make files; links are followed.
    func canMakeFiles(in directory: String) -> Bool
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
}

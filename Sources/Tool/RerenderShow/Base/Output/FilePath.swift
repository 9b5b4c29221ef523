// SPDX-License-Identifier: MIT
// Paths: the kind of a file, where links lead, and directories that are made and listed.

import FoundationEssentials
import Glibc
import RerenderModel

/// Looks at paths.
package enum FilePath {
    /// The kind of the file (`S_IFREG`, `S_IFDIR` and so on), links followed; nil where nothing is.
    package static func kind(_ path: String) -> UInt32? {
        var info = stat()
        // Proof: stat() fills the local value.
        return unsafe stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }

    /// When the file's contents were last changed, as seconds and nanoseconds; nil where nothing is.
    package static func changed(_ path: String) -> Changed? {
        var info = stat()
        // Proof: stat() fills the local value.
        guard unsafe stat(path, &info) == 0 else { return nil }
        return Changed(seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec)
    }

    /// A time of a file.
    package struct Changed: Comparable, Sendable {
        var seconds, nanoseconds: Int

        package static func < (one: Changed, other: Changed) -> Bool {
            (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
        }
    }

    /// The path without links; nil where nothing is.
    package static func real(_ path: String) -> String? {
        // Proof: realpath() returns memory of its own, which is copied and freed here, or nil.
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Who owns a link; nil where the path is no link.
    package static func linkOwner(_ path: String) -> UInt32? {
        var info = stat()
        // Proof: lstat() fills the local value.
        guard unsafe lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK else { return nil }
        return info.st_uid
    }

    /// Whether something other than a plain file is there: a terminal, a pipe, `/dev/stdout`.
    static func isSpecial(_ path: String) -> Bool { kind(path).map { $0 != S_IFREG } ?? false }

    /// Whether both paths lead to one plain file, or would lead to one once it is written.
    package static func isSame(_ path: String, _ other: String) -> Bool {
        guard !path.isEmpty, !other.isEmpty, !isSpecial(path) else { return false }
        return resolved(path) == resolved(other)
    }

    /// The path without links. For a file that does not exist yet, the real path of its directory with the name.
    private static func resolved(_ path: String) -> String {
        if let whole = real(path) { return whole }
        let directory = PathName.directory(of: path)
        return (real(directory) ?? directory) + "/" + PathName.last(of: path)
    }
}

/// Makes directories and looks into them.
package enum Directory {
    /// Makes a directory with all above it, where it is not there; throws status 73 with the reason where it cannot.
    package static func make(_ path: String) throws(ToolFailure) {
        try attempt("make", path) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// Makes a new directory of mode 0700 and returns its path; throws status 71 where it cannot.
    ///
    /// - Parameter template: Its path, which ends with six `X` in the place of what makes it unique.
    package static func makeTemporary(_ template: String) throws(ToolFailure) -> String {
        var name = Array(template.utf8CString)
        // Proof: mkdtemp() changes the six letters in place, within the array and its final zero.
        let isMade = unsafe name.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        guard isMade else {
            throw ToolFailure(
                ExitStatus.system, "cannot create a directory \(Printable.text(template)): \(SystemText.latest)")
        }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether nothing is in a directory; throws status 73 where it may not be listed.
    package static func isEmpty(_ path: String) throws(ToolFailure) -> Bool {
        try attempt("list", path) { try FileManager.default.contentsOfDirectory(atPath: path).isEmpty }
    }

    private static func attempt<Result>(
        _ doing: String, _ path: String, _ body: () throws -> Result
    ) throws(ToolFailure) -> Result {
        do {
            return try body()
        } catch {
            throw failure(doing, path, because: error)
        }
    }

    private static func failure(_ doing: String, _ path: String, because error: any Error) -> ToolFailure {
        // Foundation keeps the system's number; errno may be another call's by now.
        let number = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? errno
        let reason =
            FilePath.kind(path).map { $0 != S_IFDIR } ?? false ? "it is not a directory" : SystemText.of(number)
        return ToolFailure(ExitStatus.cannotCreate, "cannot \(doing) \(Printable.text(path)): \(reason)")
    }
}

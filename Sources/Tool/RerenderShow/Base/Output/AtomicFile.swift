// SPDX-License-Identifier: MIT
// Writes a file that appears when it is complete.

import FoundationEssentials
import Glibc
import RerenderModel
import Synchronization

/// Writes to a file that has no name yet, and gives it the wanted one in the end: until then nothing is there, whatever ends
/// the process.
///
/// Where the file system has no such files, to one beside the wanted one. What is no plain file (`/dev/stdout`, a pipe) is
/// written directly: it must not be replaced. Links are followed.
package final class AtomicFile: Sendable {
    private enum Kind: Sendable {
        case direct
        case unnamed
        case beside(String)
    }

    private let path: String
    private let kind: Kind
    private let stream: OutputStream
    private let isOpen = Mutex(true)

    /// Opens the file; throws status 73 with the reason where it cannot be made.
    ///
    /// - Parameter mode: Who may do what with it, as far as the user's mask allows.
    package init(path: String, mode: UInt32 = 0o666) throws(ToolFailure) {
        let target = FilePath.real(path) ?? path
        self.path = target
        if FilePath.isSpecial(target) {
            let descriptor = unsafe open(target, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.cannotCreate(path) }
            (kind, stream) = (.direct, OutputStream(descriptor: descriptor))
        } else if let descriptor = Self.unnamed(in: PathName.directory(of: target), mode) {
            (kind, stream) = (.unnamed, OutputStream(descriptor: descriptor))
        } else {
            let aside = Self.aside(target)
            let descriptor = unsafe open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw Self.cannotCreate(path) }
            (kind, stream) = (.beside(aside), OutputStream(descriptor: descriptor))
        }
    }

    deinit { discard() }

    /// Writes a whole file.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o666) throws {
        let file = try AtomicFile(path: path, mode: mode)
        try file.write(bytes)
        try file.commit()
    }

    /// Adds bytes.
    package func write(_ bytes: [UInt8]) throws {
        try stream.write(bytes)
    }

    /// Puts the file in its place; on an error the file that was there before is untouched.
    package func commit() throws(ToolFailure) {
        do throws(ToolFailure) {
            // A full disk may speak up only here.
            guard isDirect || fsync(stream.descriptor) == 0 else { throw cannotWrite }
            switch kind {
            case .direct: break
            case .unnamed: try replace(by: try link())
            case .beside(let aside): try replace(by: aside)
            }
        } catch {
            discard()
            throw error
        }
        closeOnce()
    }

    /// Forgets what was written; does nothing after ``commit()``.
    package func discard() {
        guard closeOnce(), case .beside(let aside) = kind else { return }
        _ = unsafe unlink(aside)
    }

    private var isDirect: Bool { if case .direct = kind { true } else { false } }

    /// True the first time: the number of a closed descriptor may be another file's.
    @discardableResult
    private func closeOnce() -> Bool {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if isFirst { close(stream.descriptor) }
        return isFirst
    }

    /// Links the unnamed file beside the target: only a rename can replace an existing file.
    private func link() throws(ToolFailure) -> String {
        let aside = Self.aside(path)
        guard unsafe linkat(AT_FDCWD, Self.link(to: stream.descriptor), AT_FDCWD, aside, AT_SYMLINK_FOLLOW) == 0 else {
            throw cannotWrite
        }
        return aside
    }

    private func replace(by aside: String) throws(ToolFailure) {
        guard unsafe rename(aside, path) != 0 else { return }
        let failure = cannotWrite
        _ = unsafe unlink(aside)
        throw failure
    }

    private var cannotWrite: ToolFailure {
        ToolFailure(ExitStatus.inputOutput, "cannot write \(Printable.text(path)): \(SystemText.latest)")
    }

    /// Opens a file without a name; nil where there are none, or where it could not be given one.
    private static func unnamed(in directory: String, _ mode: UInt32) -> CInt? {
        // O_TMPFILE, which is a macro that Swift does not see.
        let descriptor = unsafe open(directory, O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20000000, mode)
        guard descriptor >= 0 else { return nil }
        guard unsafe access(link(to: descriptor), F_OK) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func link(to descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

    /// A unique name: an earlier process with our pid may have left its file.
    private static func aside(_ target: String) -> String {
        "\(target).\(String(UInt32.random(in: 0 ... .max), radix: 36)).partial"
    }

    private static func cannotCreate(_ path: String) -> ToolFailure {
        ToolFailure(ExitStatus.cannotCreate, "cannot create \(Printable.text(path)): \(SystemText.latest)")
    }
}

// Paths: the kind of a file, where links lead, and directories that are made and listed.

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

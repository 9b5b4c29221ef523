// SPDX-License-Identifier: MIT
// Writes a file that appears when it is complete.

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

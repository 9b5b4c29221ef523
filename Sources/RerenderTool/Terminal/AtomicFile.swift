// SPDX-License-Identifier: MIT
// A file that appears when it is complete.

import Glibc
import RerenderModel

/// Writes to a file beside the wanted one and renames it over that in the end.
///
/// What is no plain file (`/dev/stdout`, a pipe) is written directly: it must not be replaced. Links are followed.
struct AtomicFile: Sendable {
    private let path: String
    private let temporary: String?
    private let stream: OutputStream

    /// Opens the file; throws status 73 with the reason where it cannot be made.
    init(path: String) throws(ToolFailure) {
        let target = Self.resolved(path)
        if Self.isSpecial(target) {
            let descriptor = unsafe open(target, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.cannotCreate(path) }
            (self.path, temporary, stream) = (target, nil, OutputStream(descriptor: descriptor))
        } else {
            let aside = target + ".\(getpid()).partial"
            let descriptor = unsafe open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw Self.cannotCreate(path) }
            (self.path, temporary, stream) = (target, aside, OutputStream(descriptor: descriptor))
        }
    }

    /// Adds bytes.
    func write(_ bytes: [UInt8]) throws {
        try stream.write(bytes)
    }

    /// Puts the file in its place; on an error the file that was there before is untouched.
    func commit() throws(ToolFailure) {
        guard let temporary else { return _ = close(stream.descriptor) }
        // A full disk may speak up only here.
        let isWritten = fsync(stream.descriptor) == 0 && close(stream.descriptor) == 0
        guard isWritten, unsafe rename(temporary, path) == 0 else {
            let reason = SystemText.latest
            _ = unsafe unlink(temporary)
            throw ToolFailure(ExitStatus.inputOutput, "cannot write \(Printable.text(path)): \(reason)")
        }
    }

    /// Forgets what was written.
    func discard() {
        _ = close(stream.descriptor)
        if let temporary { _ = unsafe unlink(temporary) }
    }

    private static func cannotCreate(_ path: String) -> ToolFailure {
        ToolFailure(ExitStatus.cannotCreate, "cannot create \(Printable.text(path)): \(SystemText.latest)")
    }

    private static func isSpecial(_ path: String) -> Bool {
        var info = stat()
        return unsafe stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFREG
    }

    /// The file behind a link, so that the rename replaces the file and not the link.
    private static func resolved(_ path: String) -> String {
        // realpath returns memory of its own, copied and freed here, or nil where the file is not there yet.
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

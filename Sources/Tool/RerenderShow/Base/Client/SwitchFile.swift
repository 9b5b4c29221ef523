// SPDX-License-Identifier: MIT
// Switches Rerender off, and on again: makes and removes files.

import Glibc
package import RerenderModel

/// The user's switch, to be set: a file `off` in a runtime directory, and in those of the commands that run under daemons of their own.
package struct SwitchFile: Sendable {
    /// The directory in use, for which the switch is.
    package let directory: RuntimeDirectory

    package init(_ directory: RuntimeDirectory = .current()) { self.directory = directory }

    /// The directory in use, and the private ones of commands that were started from it and would use it otherwise.
    package var directories: [RuntimeDirectory] {
        [directory] + RunDirectories.all(beside: directory).filter { RunDirectories.user(of: $0) == directory.path }
    }

    /// Switches off: what starts from now on sees the file. Throws status 69 where the directory is not safe, 71 where the
    /// system refuses.
    package func switchOff() throws(ToolFailure) {
        try make(in: directory, makes: true)
        // After that: a command that starts now sees the first file, or has its directory already.
        for other in directories.dropFirst() {
            // It may end at this moment.
            do { try make(in: other, makes: false) } catch  where other.isThere { throw error } catch {}
        }
    }

    /// Switches on again. Throws like ``switchOff()``; does nothing where nothing is off.
    ///
    /// A command that ran meanwhile stays off to its end, so that it knows then that counts are missing.
    package func switchOn() throws(ToolFailure) {
        guard directory.isThere else { return }
        let held = try Self.hold(directory, makes: false)
        guard unsafe unlinkat(held.descriptor, RuntimeDirectory.switchName, 0) == 0 || errno == ENOENT else {
            throw Self.failure("remove", directory)
        }
    }

    private func make(in place: RuntimeDirectory, makes: Bool) throws(ToolFailure) {
        let held = try Self.hold(place, makes: makes)
        // With O_EXCL no link is followed.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = unsafe openat(held.descriptor, RuntimeDirectory.switchName, flags, 0o600)
        guard file >= 0 || errno == EEXIST else { throw Self.failure("create", place) }
        if file >= 0 { close(file) }
    }

    private static func hold(_ place: RuntimeDirectory, makes: Bool) throws(ToolFailure) -> HeldDirectory {
        do {
            return try HeldDirectory(place.path, makes: makes)
        } catch {
            switch error {
            case .refused(let text): throw .unsafeDirectory(text)
            case .failed(let path, let number):
                throw ToolFailure(
                    ExitStatus.system, "cannot use the directory \(Printable.text(path)): \(SystemText.of(number))")
            }
        }
    }

    private static func failure(_ what: String, _ place: RuntimeDirectory) -> ToolFailure {
        let reason = SystemText.latest
        return ToolFailure(
            ExitStatus.system,
            "cannot \(what) \(Printable.text(place.path))/\(RuntimeDirectory.switchName): \(reason)")
    }
}

extension RuntimeDirectory {
    fileprivate var isThere: Bool {
        // access() reads the string for the call only.
        unsafe access(path, F_OK) == 0
    }
}

// SPDX-License-Identifier: MIT
// The file that a command starts: where it is, with whose rights it runs, and what it is.

import Glibc
import RerenderModel
import RerenderShow

/// The file of a command's program.
package struct ProgramFile: Hashable, Sendable {
    /// What a file gives a process beyond the rights of who starts it.
    enum Rights: Hashable, Sendable {
        case ordinary, setUser, setGroup, capabilities

        /// What such a file is; nil where it gives no rights.
        var words: String? {
            switch self {
            case .ordinary: nil
            case .setUser: "is set-uid"
            case .setGroup: "is set-gid"
            case .capabilities: "has file capabilities"
            }
        }
    }

    var path: String
    var rights = Rights.ordinary
    var image: ProgramImage
    /// The script that this file is the interpreter of; nil where the command names the file itself.
    var script: String?

    /// The file that the system runs for a command: for a script, its interpreter; nil where it cannot be read.
    package static func started(
        by name: String, directories: String? = environmentVariable("PATH")
    ) -> ProgramFile? {
        guard var file = find(name, directories: directories) else { return nil }
        let script = file.path
        for _ in 0..<mostInterpreters {
            guard case .script = file.image, let name = interpreter(of: file.path),
                var interpreter = find(name, directories: directories)
            else { break }
            interpreter.script = script
            file = interpreter
        }
        return file.withLibraries()
    }

    /// Where the loader finds libraries that a file itself names no directory for.
    private static let systemDirectories =
        "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib"

    /// With what those of its libraries ask for that ask for GTK, where nothing of its own is counted: a program's code may all be in one.
    /// One that asks for GLib alone says nothing of a main loop.
    private func withLibraries() -> ProgramFile {
        guard script == nil, var elf, !InjectionOffer.isCountable(self) else { return self }
        let origin = PathName.directory(of: FilePath.real(path) ?? path)
        let own = elf.directories.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
        let directories = "\(own):\(Self.systemDirectories)".split(separator: ":").map(String.init)
        for name in elf.libraries {
            let places = PathName.isPath(name) ? [name] : directories.map { PathName.joined($0, name) }
            // As the loader does, passes over a file for another processor.
            for place in places {
                guard let library = Self.read(place)?.elf else { continue }
                if library.gtk != nil { elf.add(library) }
                break
            }
        }
        return ProgramFile(path: path, rights: rights, image: .program(elf))
    }

    /// As many as the kernel follows.
    private static let mostInterpreters = 5
    private static let longestFirstLine = 256

    private static func interpreter(of script: String) -> String? {
        withOpened(script) { descriptor, _ in interpreter(in: bytes(of: descriptor, at: 0, count: longestFirstLine)) }
            ?? nil
    }

    /// The interpreter that a script's first line names; behind `env`, the program that this looks for.
    static func interpreter(in script: [UInt8]) -> String? {
        guard script.starts(with: Array("#!".utf8)) else { return nil }
        let line = String(decoding: script.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        guard let first = words.first, PathName.last(of: first) == "env" else { return words.first }
        return words.dropFirst().first { !$0.hasPrefix("-") && !$0.contains("=") }
    }

    /// What its ELF file says; nil of another one.
    var elf: ELFImage? { if case .program(let image) = image { image } else { nil } }

    /// The linker's mark of the build, in hexadecimal digits; nil where it made none.
    var buildID: String? { elf?.buildID }

    /// Whether its functions have no names: without symbols in it, and without debug information where distributions put it.
    var isStripped: Bool {
        guard let elf, !elf.hasSymbols else { return false }
        guard let id = elf.buildID, id.utf8.count > 2 else { return true }
        return FilePath.kind("/usr/lib/debug/.build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug") == nil
    }

    /// Looks for a program as `execvp` does; nil where none can be read: the system says why.
    ///
    /// - Parameter directories: `$PATH`.
    static func find(_ name: String, directories: String? = environmentVariable("PATH")) -> ProgramFile? {
        path(of: name, directories: directories).flatMap { read($0) }
    }

    /// Where a program is: a name with a slash is its path; nil where no directory has another one.
    package static func path(of name: String, directories: String? = environmentVariable("PATH")) -> String? {
        if PathName.isPath(name) { return name }
        let places = (directories ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
        return places.map { ($0.isEmpty ? "." : $0) + "/" + name }.first { isProgram($0) }
    }

    private static func isProgram(_ path: String) -> Bool {
        guard FilePath.kind(path) == S_IFREG else { return false }
        // Proof: access() reads the string for the call only.
        return unsafe access(path, X_OK) == 0
    }

    private static func read(_ path: String) -> ProgramFile? {
        withOpened(path) { descriptor, info in
            ProgramFile(
                path: path, rights: rights(mode: info.st_mode, hasCapabilities: hasCapabilities(descriptor)),
                image: ProgramImage { bytes(of: descriptor, at: $0, count: $1) })
        }
    }

    /// Opens a regular file, and closes it afterwards; nil where that cannot be.
    private static func withOpened<Read>(_ path: String, _ read: (CInt, stat) -> Read) -> Read? {
        // Without waiting for the other end of a pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        // Proof: fstat() fills the local value.
        guard unsafe fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return read(descriptor, info)
    }

    static func rights(mode: mode_t, hasCapabilities: Bool) -> Rights {
        if mode & S_ISUID != 0 { return .setUser }
        // Without the bit to execute it is a mark for locks.
        if mode & S_ISGID != 0, mode & S_IXGRP != 0 { return .setGroup }
        return hasCapabilities ? .capabilities : .ordinary
    }

    // MARK: The fence

    private static func hasCapabilities(_ descriptor: CInt) -> Bool {
        // Proof: without a buffer, fgetxattr() only tells the size. The string lives for the call.
        unsafe extendedAttribute(descriptor, "security.capability", nil, 0) > 0
    }

    private static func bytes(of descriptor: CInt, at offset: UInt64, count: Int) -> [UInt8] {
        guard count > 0, let offset = Int(exactly: offset) else { return [] }
        var bytes = [UInt8](repeating: 0, count: count), filled = 0
        while filled < count {
            guard case (let place, false) = offset.addingReportingOverflow(filled) else { break }
            // Proof: pread() writes at most the bytes that are left of the array.
            let more = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, place)
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { break }
            filled += more
        }
        return Array(bytes.prefix(filled))
    }
}

// Glibc's module leaves it out.
@_silgen_name("fgetxattr")
private func extendedAttribute(
    _ descriptor: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?, _ size: Int
) -> Int

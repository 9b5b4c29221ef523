// SPDX-License-Identifier: MIT
// Files by descriptor, opened so that a hostile file cannot block, and always closed.

internal import Glibc

/// An open file that closes with its owner.
struct Descriptor: ~Copyable {
    let number: CInt

    init(owning number: CInt) {
        self.number = number
    }

    /// Opens a file; never waits for a pipe's other end, never follows a link at the path's end.
    init(path: String, flags: CInt, mode: mode_t = 0o600) throws(DaemonError) {
        let opened = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY, mode)
        guard opened >= 0 else { throw .last("open \(path)") }
        number = opened
    }

    /// Finds what a path leads to, also by a link at its end, without opening it: nothing happens to a pipe or a device.
    init(looking path: String) throws(DaemonError) {
        let opened = unsafe open(path, Self.lookFlag | O_CLOEXEC)
        guard opened >= 0 else { throw .last("look for \(path)") }
        number = opened
    }

    /// New shared memory of size 0.
    init(memory name: String) throws(DaemonError) {
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> CInt
        // Safe: that is the function's type (memfd_create(2)), which Glibc's module does not have.
        guard let symbol = unsafe dlsym(nil, "memfd_create") else { throw .last("find memfd_create") }
        let created = unsafe unsafeBitCast(symbol, to: Create.self)(name, 1 /* MFD_CLOEXEC */)
        guard created >= 0 else { throw .last("make shared memory") }
        number = created
    }

    /// The number of the mount that it is in. The kernel knows that by itself, whatever the file system.
    var mount: Int? {
        guard let info = try? Descriptor(path: "/proc/self/fdinfo/\(number)", flags: O_RDONLY),
            let bytes = try? info.read(limit: 1_024)
        else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
    }

    /// Opens for reading what was found.
    init(reopening found: borrowing Descriptor) throws(DaemonError) {
        let path = "/proc/self/fd/\(found.number)"
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else { throw .last("open \(path)") }
        number = opened
    }

    /// `O_PATH`, which is a macro that Swift does not see.
    private static let lookFlag: CInt = 0o10000000

    /// Puts a new file in the place of another, all of it at once; open for more.
    ///
    /// - Parameters:
    ///   - mode: Who may do what with it, as in `chmod`.
    ///   - isWanted: Asked when all is written; if not, the old file stays, and this is a file without a name.
    init(
        replacing path: String, with parts: some Sequence<[UInt8]>, mode: mode_t = 0o600,
        isWanted: () -> Bool = { true }
    ) throws(DaemonError) {
        let temporary = path + ".new"
        FileSystem.remove(temporary)
        do throws(DaemonError) {
            let file = try Descriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
            for part in parts { try file.write(part) }
            guard fchmod(file.number, mode) == 0 else { throw .last("change the mode of \(temporary)") }
            if isWanted() { try FileSystem.rename(temporary, to: path) } else { FileSystem.remove(temporary) }
            self = file
        } catch {
            FileSystem.remove(temporary)
            throw error
        }
    }

    deinit {
        close(number)
    }

    /// Gives the descriptor to another owner.
    consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    func status() throws(DaemonError) -> stat {
        var status = stat()
        // Safe: `fstat` fills the value that it is given.
        guard unsafe fstat(number, &status) == 0 else { throw .last("look at a file") }
        return status
    }

    /// Whether it is shared memory of which nobody can cut anything off.
    var isSealed: Bool {
        // `F_GET_SEALS` and `F_SEAL_SHRINK`, which Swift does not see. Nothing else has seals.
        let seals = fcntl(number, 1_034)
        return seals >= 0 && seals & 2 != 0
    }

    /// Up to `limit` bytes from the start; fewer if the file ends.
    func read(limit: Int) throws(DaemonError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            // Safe: `pread` writes at most the rest of the array, counted from where the pointer stands.
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(number, $0.baseAddress.map { unsafe $0 + count }, limit - count, off_t(count))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .last("read a file") }
            if got == 0 { break }
            count += got
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    /// Fills the bytes from the file at `offset`, in one go; returns how many there were, none if it cannot be read.
    func read(into bytes: inout [UInt8], at offset: Int) -> Int {
        // Safe: `pread` writes at most the array.
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(number, $0.baseAddress, $0.count, off_t(offset)) }
        return max(0, got)
    }

    func write(_ bytes: [UInt8]) throws(DaemonError) {
        var count = 0
        while count < bytes.count {
            // Safe: `write` reads at most the rest of the array.
            let put = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(number, $0.baseAddress.map { unsafe $0 + count }, bytes.count - count)
            }
            if put < 0, errno == EINTR { continue }
            guard put >= 0 else { throw .last("write a file") }
            count += put
        }
    }

    /// Takes room on the disk behind `offset`, for what is written there later; the file's size stays. Returns 0 or the error.
    func reserve(_ bytes: Int, from offset: Int) -> CInt {
        typealias Allocate = @convention(c) (CInt, CInt, off_t, off_t) -> CInt
        // Safe: that is the function's type (fallocate(2)), which Glibc's module does not have.
        guard let symbol = unsafe dlsym(nil, "fallocate") else { return ENOSYS }
        let allocate = unsafe unsafeBitCast(symbol, to: Allocate.self)
        var outcome: CInt
        repeat {
            outcome = allocate(number, 1 /* FALLOC_FL_KEEP_SIZE */, off_t(offset), off_t(bytes))
        } while outcome != 0 && errno == EINTR
        return outcome == 0 ? 0 : errno
    }

    /// Takes the lock of the file for as long as it is open; false if another has it.
    func lock() -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0
    }
}

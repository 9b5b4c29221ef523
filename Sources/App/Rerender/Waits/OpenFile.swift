// SPDX-License-Identifier: MIT
// What a descriptor of this process is, and who has its other end, in words; also of several that a thread waits for in one call.

import CRerender
import Glibc
import RerenderModel

/// A descriptor of this process.
struct OpenFile {
    /// What somebody else would have to do so that the wait ends.
    enum Side {
        /// Write to it: this process reads.
        case writer
        case reader
        case any
    }

    let descriptor: Int32
    /// Whose descriptor it is: a thread may have a table of its own.
    let thread: Int32
    /// Where the kernel says that it leads.
    let link: String

    init(_ descriptor: Int32, of thread: Int32) {
        self.descriptor = descriptor
        self.thread = thread
        link = ProcText.link("/proc/self/task/\(thread)/fd/\(descriptor)")
    }

    /// What tells it from all other files; nil if that is not known.
    var identity: crerender_file? {
        var file = crerender_file()
        let isKnown = DescriptorTable.run { unsafe crerender_file_of(thread, descriptor, &file) }
        return isKnown == true ? file : nil
    }

    /// The last part of the file's path; the descriptor's number where it has none.
    var name: String { PathName.isAbsolute(link) ? ProcText.fileName(link) : text(.any) }

    /// The file with its number and, where there is one, its other end.
    func text(_ side: Side) -> String {
        if link.isEmpty { return "descriptor \(descriptor)" }
        if link.hasPrefix("pipe:") { return "pipe \(descriptor)" + ends(side) }
        if link.hasPrefix("socket:") { return socketText }
        if link.hasPrefix("anon_inode:") { return anonymous }
        if PathName.directory(of: link) == "/dev/pts" || link == "/dev/tty" {
            return "terminal " + ProcText.quoted(String(link.dropFirst(5)))
        }
        if let identity, identity.is_pipe { return "pipe \(ProcText.fileName(link))" + ends(side) }
        return ProcText.fileName(link)
    }

    // MARK: Pipes

    private func ends(_ side: Side) -> String {
        switch side {
        case .writer: ", whose writer " + Openers(self, access: CRERENDER_WRITES).text
        case .reader: ", whose reader " + Openers(self, access: CRERENDER_READS).text
        case .any: ""
        }
    }

    // MARK: Sockets

    private var socketText: String {
        let name = "socket \(descriptor)"
        guard let inode = UInt32(link.dropFirst("socket:[".count).prefix { $0 != "]" }) else { return name }
        // The C library asks in our own table.
        let isShared = ProcText.link("/proc/self/fd/\(descriptor)") == link
        if isShared, let address = SocketAddress.peer(of: descriptor) { return "\(name) to \(address)" }
        let peer = DescriptorTable.run { crerender_unix_peer(inode) } ?? 0
        return peer == 0
            ? name : "\(name), whose other end " + Openers("socket:[\(peer)]", nil, CRERENDER_ANY_ACCESS).text
    }

    // MARK: Others

    private var anonymous: String {
        let kind = link.dropFirst("anon_inode:".count).filter { $0 != "[" && $0 != "]" }
        if kind == "pidfd", let process = field("Pid") { return "process " + ProcessName(Int32(process) ?? 0).text }
        return "\(kind == "eventpoll" ? "epoll" : kind) \(descriptor)"
    }

    /// A field of that.
    private func field(_ name: String) -> String? {
        let line = information(4_096).split(separator: "\n").first { $0.hasPrefix(name + ":") }
        guard let line else { return nil }
        return String(line.dropFirst(name.count + 1)).filter { $0 != " " && $0 != "\t" }
    }

    /// What the kernel says of the descriptor.
    func information(_ limit: Int) -> String {
        ProcText.file("/proc/self/task/\(thread)/fdinfo/\(descriptor)", limit: limit)
    }

    /// What an epoll descriptor watches.
    var watched: WatchedFiles {
        let limit = 65_536
        let text = information(limit)
        var lines = text.split(separator: "\n")
        let isWhole = text.utf8.count < limit
        // It was cut.
        if !isWhole { _ = lines.popLast() }
        let files = lines.compactMap(watched(in:))
        return WatchedFiles(first: Array(files.prefix(WatchedFiles.named)), count: files.count, isWhole: isWhole)
    }

    /// tfd: NUMBER events: BITS data: … pos:… ino:INODE sdev:DEVICE, where the number is the one of when it was added. Nil for
    /// other lines, and for a file that is not waited for: one that was to be told of once, and was.
    private func watched(in line: Substring) -> WatchedFile? {
        guard line.hasPrefix("tfd:") else { return nil }
        let words = line.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == "\t" })
        func value(_ name: String, radix: Int) -> UInt64? {
            words.firstIndex(of: name[...]).flatMap { $0 + 1 < words.count ? UInt64(words[$0 + 1], radix: radix) : nil }
        }
        guard let number = value("tfd", radix: 10), let inode = value("ino", radix: 16),
            let device = value("sdev", radix: 16), let events = value("events", radix: 16)
        else { return WatchedFile(file: nil, side: .any) }
        // The highest bits tell how to wait, the others for what.
        guard events & 0x0FFF_FFFF != 0 else { return nil }
        let file = OpenFile(Int32(truncatingIfNeeded: number), of: thread)
        let isSame = file.identity.map {
            $0.inode == inode && UInt64($0.major) == device >> 20 && UInt64($0.minor) == device & 0xF_FFFF
        }
        // Anonymous files share one inode.
        let isKnown = isSame == true && !file.link.hasPrefix("anon_inode:")
        return WatchedFile(file: isKnown ? file : nil, side: OpenFile.Side(events: events))
    }
}

extension OpenFile.Side {
    /// From the events of poll(2) and epoll(7) that are waited for.
    init(events: UInt64) {
        let (reads, writes) = (events & 0xC3 != 0, events & 0x304 != 0)
        self = reads == writes ? .any : reads ? .writer : .reader
    }
}

/// One of several files that are waited for.
struct WatchedFile {
    /// Nil if it is not known.
    let file: OpenFile?
    let side: OpenFile.Side

    func text(_ side: OpenFile.Side) -> String { file?.text(side) ?? "a file whose descriptor is not known" }
}

/// The files that a thread waits for in one call.
struct WatchedFiles {
    /// How many files a hang names; it counts further ones.
    static let named = 3

    let first: [WatchedFile]
    let count: Int
    /// Whether there are no more than are counted.
    let isWhole: Bool

    func text(in call: String) -> String {
        if first.isEmpty { return "waits in \(call)" }
        let names = first.map { $0.text(count == 1 && isWhole ? $0.side : .any) }
        let rest = count - names.count
        let least = isWhole ? "" : "at least "
        return "waits in \(call) for " + names.joined(separator: " or ") + (rest > 0 ? " or \(least)\(rest) more" : "")
    }
}

// Which processes have a file open, and which hold a lock of it, in words.

/// A process, as texts name it.
struct ProcessName {
    let process: Int32
    init(_ process: Int32) { self.process = process }

    var text: String { ProcText.name(ofProcess: process).map { "\($0)[\(process)]" } ?? "[\(process)]" }
}

/// The processes that have something open.
///
/// Proof of the unsafe parts: each call gets room of the size that it is told.
struct Openers {
    private let processes: [Int32]
    private let count: Int
    /// Whether all processes were looked at.
    private let isComplete: Bool

    /// Names in one text.
    private static let named = 3
    /// How long to look: a machine has some hundred processes.
    private static let nanoseconds: UInt64 = 30_000_000

    init(_ file: OpenFile, access: Int) {
        self.init(file.link, PathName.isAbsolute(file.link) ? file.identity : nil, access)
    }

    init(_ link: String, _ identity: crerender_file?, _ access: Int) {
        unsafe self.init { end, start, count, isComplete in
            guard let identity else {
                // A file that is to be told by its identity is not told by its name.
                guard !PathName.isAbsolute(link) else { return 0 }
                return unsafe crerender_openers(link, nil, CInt(access), end, start, count, isComplete)
            }
            return unsafe withUnsafePointer(to: identity) {
                unsafe crerender_openers(link, $0, CInt(access), end, start, count, isComplete)
            }
        }
    }

    init(
        _ find: (UInt64, UnsafeMutablePointer<pid_t>, CInt, UnsafeMutablePointer<Bool>) -> CInt
    ) {
        let room = 8
        var (found, isComplete): (CInt, Bool) = (0, false)
        processes = unsafe Array(unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            let end = MonotonicClock.now + Self.nanoseconds
            found = DescriptorTable.run { unsafe find(end, start, CInt(room), &isComplete) } ?? 0
            count = min(max(0, Int(found)), room)
        }
        count = Int(found)
        self.isComplete = isComplete
    }

    /// The names, this process first, and how many there are; nil for none.
    func names(withoutOwn isWithoutOwn: Bool = false) -> (text: String, count: Int)? {
        let own = getpid()
        let hasOwn = processes.contains(own)
        let count = isWithoutOwn && hasOwn ? count - 1 : count
        guard count > 0 else { return nil }
        let others = processes.filter { $0 != own }.map { ProcessName($0).text }
        let names = ((hasOwn && !isWithoutOwn ? ["this process"] : []) + others).prefix(Self.named)
        let rest = count - names.count
        let text = names.joined(separator: " and ") + (rest > 0 ? " and \(rest) more" : "")
        return (text + (isComplete ? "" : ", perhaps among others,"), count)
    }

    /// In words after what they are.
    var text: String {
        guard let names = names() else { return "is not known" }
        return "is " + (isComplete ? names.text : String(names.text.dropLast()))
    }
}

/// A lock of a file that a thread waits for.
///
/// The kernel's list of all locks names the process that took one. That process may have ended, and its child has the lock; so the list is
/// not used.
struct FileLock {
    private var wanted = crerender_lock()
    /// Whether it would be one of fcntl(2) that belongs to the process; its own ones do not conflict.
    private var isOfProcess = false

    /// One of flock(2), from the operation.
    init(flock operation: UInt64) {
        wanted.is_whole = true
        // LOCK_SH is 1, LOCK_EX is 2.
        wanted.is_exclusive = operation & 2 != 0
        wanted.last = .max
    }

    /// One of fcntl(2), from the command and what its argument leads to; nil if its bytes are not known.
    init?(fcntl command: UInt64, at address: UInt64) {
        // Of the bytes, only those are known that are counted from the beginning.
        guard let type = ProcText.integer(address, as: Int16.self), type == 0 || type == 1,
            ProcText.integer(address &+ 2, as: Int16.self) == 0,
            let start = ProcText.integer(address &+ 8, as: Int64.self), start >= 0,
            let length = ProcText.integer(address &+ 16, as: Int64.self), length >= 0
        else { return nil }
        wanted.is_exclusive = type == 1
        wanted.first = UInt64(start)
        wanted.last = length == 0 ? .max : UInt64(start) + UInt64(length) - 1
        isOfProcess = command == 7
    }

    /// Who holds it, in words after the lock.
    func holder(of file: OpenFile) -> String {
        // Such a lock of the very descriptor does not conflict, and others may have the same open file.
        let hasOwn = !wanted.is_whole && file.information(4_096).contains("OFDLCK")
        guard !hasOwn, let identity = file.identity else { return "; the holder is not known" }
        let wanted = wanted
        let holders = unsafe Openers { end, start, count, isComplete in
            unsafe withUnsafePointer(to: identity) { identity in
                unsafe withUnsafePointer(to: wanted) { wanted in
                    unsafe crerender_lock_holders(identity, wanted, end, start, count, isComplete)
                }
            }
        }
        guard let names = holders.names(withoutOwn: isOfProcess) else { return "; the holder is not known" }
        return " that \(names.text) \(names.count == 1 ? "holds" : "hold")"
    }
}

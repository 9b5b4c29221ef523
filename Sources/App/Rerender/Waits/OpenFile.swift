// SPDX-License-Identifier: MIT
// What a descriptor of this process is, and who has its other end, in words.

import CRerender
import Glibc

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
    /// Where the kernel says that it leads.
    let link: String

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        link = ProcText.link("/proc/self/fd/\(descriptor)")
    }

    /// The last part of the file's path; the descriptor's number where it has none.
    var name: String { link.hasPrefix("/") ? ProcText.fileName(link) : text(.any) }

    /// The file with its number and, where there is one, its other end.
    func text(_ side: Side) -> String {
        if link.isEmpty { return "descriptor \(descriptor)" }
        if link.hasPrefix("pipe:") { return "pipe \(descriptor)" + ends(side) }
        if link.hasPrefix("socket:") { return socketText }
        if link.hasPrefix("anon_inode:") { return anonymous }
        if link.hasPrefix("/dev/pts/") || link == "/dev/tty" { return "terminal \(link.dropFirst(5))" }
        var file = crerender_file()
        if unsafe crerender_file_of(descriptor, &file), file.is_pipe {
            return "pipe \(ProcText.fileName(link))" + ends(side)
        }
        return ProcText.fileName(link)
    }

    // MARK: Pipes

    private func ends(_ side: Side) -> String {
        switch side {
        case .writer: ", whose writer " + Openers(link, access: CRERENDER_WRITES).text
        case .reader: ", whose reader " + Openers(link, access: CRERENDER_READS).text
        case .any: ""
        }
    }

    // MARK: Sockets

    private var socketText: String {
        let name = "socket \(descriptor)"
        guard let inode = UInt32(link.dropFirst("socket:[".count).prefix { $0 != "]" }) else { return name }
        if let address = SocketAddress.peer(of: descriptor) { return "\(name) to \(address)" }
        let peer = crerender_unix_peer(inode)
        return peer == 0
            ? name : "\(name), whose other end " + Openers("socket:[\(peer)]", access: CRERENDER_ANY_ACCESS).text
    }

    // MARK: Others

    private var anonymous: String {
        let kind = link.dropFirst("anon_inode:".count).filter { $0 != "[" && $0 != "]" }
        if kind == "pidfd", let process = field("Pid") { return "process " + ProcessName(Int32(process) ?? 0).text }
        return "\(kind == "eventpoll" ? "epoll" : kind) \(descriptor)"
    }

    /// A field of what the kernel says of the descriptor.
    private func field(_ name: String) -> String? {
        // Lines end in what is replaced.
        let lines = ProcText.file("/proc/self/fdinfo/\(descriptor)").split(separator: "?")
        let line = lines.first { $0.hasPrefix(name + ":") }
        guard let line else { return nil }
        return String(line.dropFirst(name.count + 1)).filter { $0 != " " && $0 != "\t" }
    }

    /// The descriptors that an epoll descriptor watches.
    var watched: [Int32] {
        let text = ProcText.file("/proc/self/fdinfo/\(descriptor)")
        return text.split(separator: "?").compactMap { line in
            guard line.hasPrefix("tfd:") else { return nil }
            return line.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
        }
    }
}

/// A process, as texts name it.
struct ProcessName {
    let process: Int32
    init(_ process: Int32) { self.process = process }

    var text: String { ProcText.name(ofProcess: process).map { "\($0)[\(process)]" } ?? "[\(process)]" }
}

/// The processes that have something open, in words after what they are.
struct Openers {
    let text: String

    /// Names in one text.
    private static let named = 3
    /// How long to look: a machine has some hundred processes.
    private static let nanoseconds: UInt64 = 30_000_000

    init(_ link: String, access: Int) {
        var processes = InlineArray<8, pid_t>(repeating: 0)
        var span = processes.mutableSpan
        let count = unsafe span.withUnsafeMutableBufferPointer { buffer -> CInt in
            guard let start = buffer.baseAddress else { return -1 }
            return unsafe crerender_openers(
                link, CInt(access), MonotonicClock.now + Self.nanoseconds, start, CInt(buffer.count))
        }
        let found = (0..<min(max(0, Int(count)), 8)).map { processes[$0] }
        let own = getpid()
        let others = found.filter { $0 != own }
        if others.isEmpty {
            text = found.isEmpty ? "is not known" : "is this process"
            return
        }
        let names = others.prefix(Self.named).map { ProcessName($0).text }
        let rest = Int(count) - names.count
        text = "is " + names.joined(separator: " and ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

// SPDX-License-Identifier: MIT
// What a descriptor of this process is, and who has its other end, in words; also of several that a thread waits for in one call.

import CRerender
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

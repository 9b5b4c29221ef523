// SPDX-License-Identifier: MIT
// The traces below a directory, and whether the metadata of each is all there.

internal import FoundationEssentials
internal import Glibc

/// Finds the directories that a CTF trace's file `metadata` is in.
struct TraceFinder {
    private(set) var directories: [String] = []
    private var searched = 0

    /// The directories below `path`, itself included, in the order of their names. Follows no links but `path` itself.
    static func directories(below path: String) throws(TraceError) -> [String] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw .missing(path, errno == ENOENT ? "there is no such file or directory" : Self.errorText)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notATrace(path) }
        guard unsafe access(path, R_OK | X_OK) == 0 else { throw .missing(path, Self.errorText) }
        var finder = TraceFinder()
        finder.search(path, depth: 0)
        guard !finder.directories.isEmpty else { throw .notATrace(path) }
        return finder.directories
    }

    private mutating func search(_ path: String, depth: Int) {
        searched += 1
        guard depth < TraceLimits.depth, searched < TraceLimits.directories else { return }
        if Self.kind(of: "\(path)/metadata") == S_IFREG { directories.append(path) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names.sorted() where Self.kind(of: "\(path)/\(name)") == S_IFDIR {
            search("\(path)/\(name)", depth: depth + 1)
        }
    }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    private static var errorText: String { unsafe String(cString: strerror(errno)) }
}

/// The file `metadata` of a trace: text, or packets of text, each with its size before it.
enum MetadataFile {
    private static let magic: UInt32 = 0x75D1_1D57
    /// Magic, UUID, checksum, content and packet size in bits, five bytes of kinds and version.
    private static let header = 37
    /// More than any tracer writes: a megabyte is some thousand kinds of events.
    private static let mostBytes = 256 << 20

    /// False where a packet says that it is longer than the file, or shorter than its own header.
    static func isWhole(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_size <= mostBytes,
            let data = try? Data(contentsOf: URL(filePath: path))
        else { return false }
        return isWhole(Array(data))
    }

    /// Whether it is of CTF 2: pieces of JSON, each behind a record separator. Of a file that is whole.
    static func isOfVersion2(_ path: String) -> Bool { (try? Data(contentsOf: URL(filePath: path)))?.first == 0x1E }

    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return !bytes.isEmpty }
        let isSwapped = word(bytes, 0, isSwapped: false) == magic.byteSwapped
        guard isSwapped || word(bytes, 0, isSwapped: false) == magic else { return true }
        var start = 0
        while start < bytes.count {
            guard bytes.count - start >= header, word(bytes, start, isSwapped: isSwapped) == magic else { return false }
            let content = Int(word(bytes, start + 24, isSwapped: isSwapped) / 8)
            let packet = Int(word(bytes, start + 28, isSwapped: isSwapped) / 8)
            guard content >= header, packet >= content, packet <= bytes.count - start else { return false }
            start += packet
        }
        return true
    }

    private static func word(_ bytes: [UInt8], _ start: Int, isSwapped: Bool) -> UInt32 {
        let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
        return isSwapped ? word.byteSwapped : word
    }
}

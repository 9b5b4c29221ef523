// SPDX-License-Identifier: MIT
// The fence around the loader: which file an address belongs to, and that file's bytes.

import CRerender
import Glibc

/// A file that the loader mapped into this process.
struct LoadedFile: Hashable, Sendable {
    /// Where it can be opened.
    let path: String
    /// What is added to the file's own addresses.
    let bias: UInt
    /// How many files had been unloaded: after a change, an address may be another file's.
    let unloads: UInt64
    private let headSize: Int
    private let fingerprint: UInt64

    /// The file that the address belongs to; nil for memory that no file was loaded to. Microseconds.
    init?(containing address: UInt) {
        var image = crerender_image()
        let path = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let start = buffer.baseAddress,
                unsafe crerender_find_image(address, &image, start, buffer.count)
            else { return nil }
            return unsafe String(cString: start)
        }
        guard let path else { return nil }
        self.path = path
        bias = image.bias
        unloads = image.unloads
        headSize = image.head_size
        fingerprint = image.fingerprint
    }

    /// How many files have been unloaded so far. Microseconds.
    static var unloads: UInt64 { crerender_unloads() }

    /// The last part of the path, of the program, too.
    var name: String {
        let path = path == "/proc/self/exe" ? Self.programPath ?? "program" : path
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    private static let programPath: String? = unsafe withUnsafeTemporaryAllocation(
        of: CChar.self, capacity: Int(PATH_MAX)
    ) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = unsafe readlink("/proc/self/exe", start, buffer.count - 1)
        guard count > 0 else { return nil }
        unsafe start[count] = 0
        return unsafe String(cString: start)
    }

    /// The file's bytes; nil if it cannot be read, or if what is at the path is no longer the file that
    /// was loaded: a build replaces files under a running app, and another build's names would be lies.
    func map() -> MappedFile? {
        guard headSize > 0, let file = MappedFile(path: path), file.fingerprint(of: headSize) == fingerprint else {
            return nil
        }
        return file
    }
}

// SPDX-License-Identifier: MIT
// The address of a socket's other end.

import Glibc

/// Addresses of the internet protocols, as people write them.
///
/// Proof of the unsafe parts: the kernel fills at most the size that it is told, and each address is read by the family
/// that it has.
enum SocketAddress {
    /// The other end of a connected socket; nil for other families, and where there is none.
    static func peer(of descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &size) == 0
            }
        }
        return isKnown ? text(unsafe withUnsafeBytes(of: &storage) { unsafe Array($0) }) : nil
    }

    /// An address as it is in memory: of the internet protocols, or the path of a Unix socket.
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 8 else { return nil }
        let port = Int(bytes[2]) << 8 | Int(bytes[3])
        switch Int32(bytes[0]) | Int32(bytes[1]) << 8 {
        case AF_INET:
            return bytes[4..<8].map { String($0) }.joined(separator: ".") + ":\(port)"
        case AF_INET6:
            guard bytes.count >= 24 else { return nil }
            let groups = stride(from: 8, to: 24, by: 2).map {
                String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
            }
            return "[" + groups.joined(separator: ":") + "]:\(port)"
        default: return nil
        }
    }

    /// The path of a Unix socket's address.
    static func path(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 2, Int32(bytes[0]) | Int32(bytes[1]) << 8 == AF_UNIX, bytes[2] != 0 else { return nil }
        return ProcText.fileName(String(decoding: bytes[2...].prefix { $0 != 0 }, as: UTF8.self))
    }
}

// SPDX-License-Identifier: MIT
// What an app's bytes are read into.

internal import NIOCore
import RerenderWire

/// Room for a whole frame, and only while it is read.
///
/// SwiftNIO keeps the first buffer of a connection for as long as that is open. With a frame's size each, a thousand connections that say
/// nothing hold 64 MB. So the first one is small, and no other one is kept: each may be larger than the one before.
struct PushBuffers: RecvByteBufferAllocator {
    /// What an app says first: its hello, with its name and that of its page.
    static let firstBytes = 1_024

    private var hasRead = false

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        allocator.buffer(capacity: hasRead ? WireLimits.frameBytes : Self.firstBytes)
    }

    mutating func record(actualReadBytes: Int) -> Bool {
        hasRead = true
        return true
    }
}

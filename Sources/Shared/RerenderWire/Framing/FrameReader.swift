// SPDX-License-Identifier: MIT
// Cuts received bytes into frames and frames into messages.

/// Finds the frames in a run of received bytes.
package enum FrameReader {
    /// Calls `frame` with the payload of each whole frame and returns how many bytes were used up.
    ///
    /// Bytes of a frame that is not yet whole are left for the next call. Throws
    /// ``WireError/frameTooLong(_:)`` as soon as a length over the limit is seen, before any of its payload arrived.
    package static func frames(
        in bytes: RawSpan, _ frame: (RawSpan) throws(WireError) -> Void
    ) throws(WireError) -> Int {
        var used = 0
        while bytes.byteCount - used >= MemoryLayout<UInt32>.size {
            var reader = WireReader(bytes.extracting(used..<bytes.byteCount))
            let length = Int(try reader.integer(UInt32.self))
            guard length <= WireLimits.frameBytes else { throw .frameTooLong(length) }
            guard reader.remaining >= length else { break }
            try frame(reader.slice(length))
            used += MemoryLayout<UInt32>.size + length
        }
        return used
    }

    /// Calls `message` with the kind and fields of each message of a frame.
    package static func messages(
        in frame: RawSpan, _ message: (UInt8, inout WireReader) throws(WireError) -> Void
    ) throws(WireError) {
        var reader = WireReader(frame)
        while reader.remaining > 0 {
            let kind: UInt8 = try reader.integer()
            let length = Int(try reader.integer(UInt16.self))
            var fields = WireReader(try reader.slice(length))
            try message(kind, &fields)
        }
    }
}

// SPDX-License-Identifier: MIT
// One description of a message's fields for both directions, and how received bytes are cut into frames and messages.

import RerenderModel

/// Goes over the fields of a message: a writer appends each value and returns it, a reader returns what was received.
package protocol WireCoder: ~Escapable {
    /// What a bad field throws; `Never` for a writer.
    associatedtype Failure: Error

    @discardableResult
    mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) throws(Failure) -> T
    /// See ``WireWriter/value(_:)``.
    @discardableResult
    mutating func value<T: BitwiseCopyable>(_ value: T) throws(Failure) -> T
    @discardableResult
    mutating func flag(_ value: Bool) throws(Failure) -> Bool
    @discardableResult
    mutating func string(_ value: String, limit: Int) throws(Failure) -> String
    /// Throws where a received field is not as it must be. A writer is trusted.
    func require(_ isValid: Bool, or error: WireError) throws(Failure)
}

/// A value that travels as a fixed sequence of fields.
package protocol WireFields {
    /// What a reader begins with; no field of it remains.
    static var blank: Self { get }
    /// Writes all fields, or takes over those received.
    mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure)
}

extension WireFields {
    package func write(to writer: inout WireWriter) {
        var fields = self
        fields.code(with: &writer)
    }

    package init(from reader: inout WireReader) throws(WireError) {
        self = .blank
        try code(with: &reader)
    }
}

extension WireWriter: WireCoder {
    package typealias Failure = Never

    package func require(_ isValid: Bool, or error: WireError) {}
}

extension WireReader: WireCoder {
    package typealias Failure = WireError

    package mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_: T) throws(WireError) -> T {
        try integer(T.self)
    }

    package mutating func value<T: BitwiseCopyable>(_: T) throws(WireError) -> T { try value(T.self) }
    package mutating func flag(_: Bool) throws(WireError) -> Bool { try flag() }
    package mutating func string(_: String, limit: Int) throws(WireError) -> String { try string(limit: limit) }

    package func require(_ isValid: Bool, or error: WireError) throws(WireError) {
        if !isValid { throw error }
    }
}

extension WireCoder where Self: ~Escapable {
    mutating func time(_ value: Timestamp) throws(Failure) -> Timestamp {
        Timestamp(nanosecondsSince1970: try integer(value.nanosecondsSince1970))
    }

    /// One of a few values, as its place among them.
    package mutating func choice<Value: Equatable>(
        _ value: Value, of all: [Value], _ what: String
    ) throws(Failure) -> Value {
        let place = Int(try integer(UInt8(all.firstIndex(of: value) ?? 0)))
        try require(place < all.count, or: .invalid(what))
        return all[place]
    }

    /// A number, as a flag and the number, or 0 for none.
    mutating func optional(_ value: UInt64?) throws(Failure) -> UInt64? {
        let isThere = try flag(value != nil)
        let number = try integer(value ?? 0)
        return isThere ? number : nil
    }

    /// A text that is not empty; an empty one stands for none.
    mutating func text(_ value: String?, limit: Int) throws(Failure) -> String? {
        let text = try string(value ?? "", limit: limit)
        return text.isEmpty ? nil : text
    }

    /// One of a few words; nil for none.
    mutating func word<Word: RawRepresentable<String>>(_ value: Word?, _ what: String) throws(Failure) -> Word? {
        guard let text = try text(value?.rawValue, limit: 32) else { return nil }
        let word = Word(rawValue: text)
        try require(word != nil, or: .invalid(what))
        return word
    }

    /// A list, as its length and its elements; a longer one is cut.
    mutating func list<Element>(
        _ elements: [Element], limit: Int, blank: Element, _ what: String,
        _ code: (inout Self, Element) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        let count = Int(try integer(UInt8(min(elements.count, limit))))
        try require(count <= limit, or: .invalid(what))
        var coded: [Element] = []
        for index in 0..<count { coded.append(try code(&self, index < elements.count ? elements[index] : blank)) }
        return coded
    }
}

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

// SPDX-License-Identifier: MIT
// JSON on its way out: what names functions gets readable names, and all else stays as it is, byte by byte.

import FoundationEssentials
import RerenderModel

/// Makes the mangled names in a document readable, piece by piece. What has a name that only another program can read waits for
/// ``end()``, with all behind it: ask that program about ``unread`` before.
package struct NamedJSON: Sendable {
    private enum Place {
        case outside, inString, behindBackslash
        /// Behind a string, which is the name of a member if a colon follows.
        case behindString
    }

    /// A part of what waits.
    private struct Waiting: Sendable {
        let bytes: [UInt8]
        /// Whether it is a whole string that may have names.
        let isNamed: Bool
    }

    /// The members whose texts, or lists of texts, name functions. Keys of views, files and commands have to stay what they are.
    private static let members = Set(
        ["writer", "chain", "function", "name", "source", "call", "frames", "holder", "text", "findings"]
            .map { Array($0.utf8) })
    /// No text of an app, and no sentence of ours, is longer.
    private static let longestString = 1 << 16
    private static let mostWaiting = 32 << 20
    private static let mostNames = 1_024

    private var place = Place.outside
    /// The latest string with its quotes, as far as it is there; of a longer one the end.
    private var string: [UInt8] = []
    private var blanks: [UInt8] = []
    /// The member whose value is read.
    private var member: [UInt8] = []
    private var written: [UInt8] = []
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    private var names: Set<String> = []
    private var isFull = false

    package init() {}

    /// The names that only another program can read, each once.
    package var unread: [String] { names.sorted() }

    /// Takes the next bytes, and returns what can be written.
    package mutating func add(_ piece: [UInt8]) -> [UInt8] {
        written.reserveCapacity(piece.count)
        for byte in piece { take(byte) }
        if !waiting.isEmpty, !isFull {
            guard waitingBytes + written.count > Self.mostWaiting || names.count > Self.mostNames else { return [] }
            isFull = true
        }
        return everything()
    }

    /// Says that the document is complete, and returns the rest.
    package mutating func end() -> [UInt8] {
        defer { (string, blanks, place) = ([], [], .outside) }
        return everything() + string + blanks
    }

    private mutating func everything() -> [UInt8] {
        let all = waiting.flatMap { $0.isNamed ? Self.readable($0.bytes) : $0.bytes } + written
        (waiting, waitingBytes, written) = ([], 0, [])
        return all
    }

    private mutating func take(_ byte: UInt8) {
        switch place {
        case .outside where byte == UInt8(ascii: "\""): (place, string) = (.inString, [byte])
        case .outside: written.append(byte)
        case .inString:
            string.append(byte)
            if byte == UInt8(ascii: "\\") { place = .behindBackslash }
            if byte == UInt8(ascii: "\"") { place = .behindString }
            guard string.count > Self.longestString else { return }
            written += string
            string = []
        case .behindBackslash:
            string.append(byte)
            place = .inString
        case .behindString where byte == 0x20 || (0x09...0x0D).contains(byte): blanks.append(byte)
        case .behindString:
            if byte == UInt8(ascii: ":") {
                member = Array(string.dropFirst().dropLast())
                written += string
            } else {
                writeValue()
            }
            written += blanks
            (string, blanks, place) = ([], [], .outside)
            take(byte)
        }
    }

    private mutating func writeValue() {
        guard Self.members.contains(member), string.first == UInt8(ascii: "\"") else {
            written += string
            return
        }
        let unread = isFull ? [] : MangledNames.unread(in: [String(decoding: string, as: UTF8.self)])
        guard !unread.isEmpty else {
            written += Self.readable(string)
            return
        }
        names.formUnion(unread)
        waitingBytes += written.count + string.count
        waiting += [Waiting(bytes: written, isNamed: false), Waiting(bytes: string, isNamed: true)]
        written = []
    }

    /// A whole string, in its quotes, with the names in it as far as they are known.
    private static func readable(_ string: [UInt8]) -> [UInt8] {
        let text = String(decoding: string, as: UTF8.self)
        guard MangledNames.readable(text) != text else { return string }
        // A name may have what has to be escaped.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let texts = try? JSONDecoder().decode([String].self, from: Data("[\(text)]".utf8)),
            let coded = try? encoder.encode(texts.map { MangledNames.readable($0) })
        else { return string }
        return Array(coded.dropFirst().dropLast())
    }
}

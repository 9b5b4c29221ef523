// SPDX-License-Identifier: MIT
// A recorded trace as values: the text of babeltrace2, parsed.

import Foundation

/// One event of a trace.
package struct LTTngEvent: Sendable, Equatable {
    /// `PROVIDER:EVENT`.
    package let name: String
    /// Contexts and fields, in the order of the trace.
    package let fields: [(name: String, value: Value)]

    package enum Value: Sendable, Equatable {
        case integer(UInt64)
        /// A number of an enumeration, and its label; empty for a number that has none.
        case choice(UInt64, String)
        case text([UInt8])
    }

    package static func == (left: LTTngEvent, right: LTTngEvent) -> Bool {
        left.name == right.name && left.fields.map(\.name) == right.fields.map(\.name)
            && left.fields.map(\.value) == right.fields.map(\.value)
    }

    /// A text field; nil if there is none of that name and kind.
    package func text(_ field: String) -> String? {
        guard case .text(let bytes) = self[field] else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An integer field, or an enumeration's number; nil without a field of that name and kind.
    package func integer(_ field: String) -> UInt64? {
        switch self[field] {
        case .integer(let number), .choice(let number, _): number
        case .text, nil: nil
        }
    }

    /// The label of an enumeration; nil without a field of that name and kind.
    package func label(_ field: String) -> String? {
        guard case .choice(_, let label) = self[field] else { return nil }
        return label
    }

    package subscript(field: String) -> Value? { fields.first { $0.name == field }?.value }

    /// The names of the payload, without `cpu_id` and the usual contexts.
    package var payload: [String] {
        fields.map(\.name).filter { !["cpu_id", "vpid", "vtid", "procname", "ip"].contains($0) }
    }
}

/// Reads lines such as `[TIME] (+DELTA) HOST NAME: { cpu_id = 1 }, { a = 1, b = "x" }`.
package enum LTTngTrace: Sendable {
    /// All events below a directory, in time order. Fails on any line that cannot be read.
    package static func read(_ directory: String) async throws -> [LTTngEvent] {
        guard let babeltrace = ChildProcess.path(of: "babeltrace2") else {
            throw ChildProcess.Failure("babeltrace2 is not installed")
        }
        // LTTng may say that it is done and write on. It closes each file behind the last that it writes.
        try await eventually("the end of LTTng's writing", seen: { writers(of: directory) }) {
            writers(of: directory).isEmpty ? () : nil
        }
        let output = try await ChildProcess.run([babeltrace, directory])
        guard output.succeeded else { throw ChildProcess.Failure("babeltrace2: \(output.standardError)") }
        return try output.standardOutput.split(separator: "\n").map { line in
            guard let event = parse(Array(line.utf8)) else { throw ChildProcess.Failure("cannot read: \(line)") }
            return event
        }
    }

    /// The processes of LTTng's that have a file below a directory open.
    private static func writers(of directory: String) -> [Int32] {
        let files = FileManager.default
        let place = URL(filePath: directory).resolvingSymlinksInPath().path + "/"
        let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return processes.filter { process in
            let name = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
            guard ["lttng-consumerd\n", "lttng-relayd\n"].contains(name) else { return false }
            let open = (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
            return open.contains { descriptor in
                let file = try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")
                return file?.hasPrefix(place) == true
            }
        }
    }

    /// One line of babeltrace2's pretty text; nil if it is none.
    package static func parse(_ line: [UInt8]) -> LTTngEvent? {
        var parser = Parser(bytes: line[...])
        return parser.event()
    }

    private struct Parser {
        var bytes: ArraySlice<UInt8>

        mutating func event() -> LTTngEvent? {
            guard skip(through: "] ("), skip(through: ") "), skip(through: " "), let name = text(until: ": {") else {
                return nil
            }
            var fields: [(name: String, value: LTTngEvent.Value)] = []
            repeat {
                guard let scope = scopeFields() else { return nil }
                fields += scope
            } while take(", {")
            return bytes.isEmpty ? LTTngEvent(name: name, fields: fields) : nil
        }

        /// ` a = 1, b = "x" }`
        private mutating func scopeFields() -> [(name: String, value: LTTngEvent.Value)]? {
            var fields: [(name: String, value: LTTngEvent.Value)] = []
            guard take(" ") else { return nil }
            repeat {
                guard let name = text(until: " = "), let value = value() else { return nil }
                fields.append((name, value))
            } while take(", ")
            return take(" }") ? fields : nil
        }

        private mutating func value() -> LTTngEvent.Value? {
            if take("\"") { return quoted().map { .text($0) } }
            if take("( ") { return choice() }
            let digits = bytes.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") }
            bytes = bytes.dropFirst(digits.count)
            let text = String(decoding: digits, as: UTF8.self)
            if let number = UInt64(text) { return .integer(number) }
            return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16).map { .integer($0) } : nil
        }

        /// `"label" : container = 2 )`
        private mutating func choice() -> LTTngEvent.Value? {
            var label: [UInt8] = []
            if take("\"") {
                guard let text = quoted() else { return nil }
                label = text
            } else if !take("<unknown>") {
                return nil
            }
            guard take(" : container = "), case .integer(let number) = value(), take(" )") else { return nil }
            return .choice(number, String(decoding: label, as: UTF8.self))
        }

        private mutating func quoted() -> [UInt8]? {
            var result: [UInt8] = []
            while let byte = bytes.popFirst() {
                if byte == UInt8(ascii: "\"") { return result }
                guard byte == UInt8(ascii: "\\") else {
                    result.append(byte)
                    continue
                }
                guard let escaped = escaped() else { return nil }
                result.append(escaped)
            }
            return nil
        }

        private mutating func escaped() -> UInt8? {
            let table: [UInt8: UInt8] = [
                UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "a"): 7,
                UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "v"): 11, UInt8(ascii: "e"): 27,
            ]
            guard let code = bytes.popFirst() else { return nil }
            guard code == UInt8(ascii: "x") else { return table[code] ?? code }
            let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
            bytes = bytes.dropFirst(2)
            return UInt8(digits, radix: 16)
        }

        private mutating func take(_ prefix: StaticString) -> Bool {
            let wanted = Array("\(prefix)".utf8)
            guard bytes.starts(with: wanted) else { return false }
            bytes = bytes.dropFirst(wanted.count)
            return true
        }

        private mutating func skip(through mark: StaticString) -> Bool { text(until: mark) != nil }

        /// What comes before `mark`, which is consumed too.
        private mutating func text(until mark: StaticString) -> String? {
            let wanted = Array("\(mark)".utf8)
            var at = bytes.startIndex
            while at + wanted.count <= bytes.endIndex {
                if bytes[at] == wanted[0], bytes[at..<at + wanted.count].elementsEqual(wanted) {
                    let text = String(decoding: bytes[bytes.startIndex..<at], as: UTF8.self)
                    bytes = bytes[(at + wanted.count)...]
                    return text
                }
                at += 1
            }
            return nil
        }
    }
}

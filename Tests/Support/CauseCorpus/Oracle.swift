// SPDX-License-Identifier: MIT
// What must hold of every evaluation, whatever its program is: no label is needed.

import Observation
import Rerender
import RerenderModel

/// An evaluation whose output differs from the instance's last one is not measured as wasted, and where waste is inferred from
/// inputs, these were equal.
struct Oracle: Sendable {
    struct Subject: Hashable, Sendable {
        var key: String
        var instance: InstanceID?
    }

    /// What an evaluation had and made; nil where no text tells it.
    struct Evaluation: Sendable {
        var inputs: Content?
        var output: Content?
    }

    private var last: [Subject: Evaluation] = [:]

    /// What is wrong with an answer; nil if nothing is. The evaluation becomes the last one.
    mutating func objection(to answer: Outcome, _ subject: Subject, _ now: Evaluation) -> String? {
        defer { last[subject] = now }
        guard answer.waste != nil, let before = last[subject] else { return nil }
        if answer.isMeasured {
            guard let old = before.output, let new = now.output, old != new else { return nil }
            return "measured as wasted, but the output was \(old.text) and is \(new.text)"
        }
        // What a turn did not show is wasted, whatever its inputs are.
        guard answer.waste != .twiceInATurn, let old = before.inputs, let new = now.inputs, old != new else {
            return nil
        }
        return "inferred as wasted, but the inputs were \(old.text) and are \(new.text)"
    }
}

/// A description of all that a value holds, through references, in an order that does not depend on storage.
///
/// It knows nothing of how Rerender compares. Models that report their reads are their identity, because who reads them is told of
/// writes. Closures and pointers look alike here, whatever they are: the oracle does not object to what is said of them.
struct Content: Equatable, Sendable {
    let text: String

    init(_ value: Any) {
        var writer = Writer()
        writer.write(value, 0)
        text = writer.text
    }

    private struct Writer {
        var text = ""
        private var seen: [ObjectIdentifier: Int] = [:]
        private var count = 0

        mutating func write(_ value: Any, _ depth: Int) {
            count += 1
            guard depth < 40, count < 20_000 else { return }
            let type = Swift.type(of: value)
            if let text = Self.leaf(value) { return self.text += text }
            if type is AnyObject.Type, begin(value as AnyObject, value is any Observable) { return }
            // Addresses differ, and say nothing of what is there.
            if "\(type)".hasPrefix("Unsafe") || type is OpaquePointer.Type { return text += "\(type)" }
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle != nil || !mirror.children.isEmpty else {
                return text += "\(type)"
            }
            text += "\(type)("
            defer { text += ")" }
            if mirror.displayStyle == .set || mirror.displayStyle == .dictionary {
                text += mirror.children.map { Content($0.value).text }.sorted().joined(separator: ",")
                return
            }
            write(mirror, depth)
        }

        /// Whether no more is to be said of an object.
        private mutating func begin(_ object: AnyObject, _ isObservable: Bool) -> Bool {
            if let number = seen[ObjectIdentifier(object)] {
                text += "#\(number)"
                return true
            }
            seen[ObjectIdentifier(object)] = seen.count
            if isObservable { text += "\(ObjectIdentifier(object))" }
            return isObservable
        }

        private mutating func write(_ mirror: Mirror, _ depth: Int) {
            if let parent = mirror.superclassMirror { write(parent, depth) }
            for (label, child) in mirror.children {
                text += "\(label ?? ""):"
                write(child, depth + 1)
                text += ","
            }
        }

        private static func leaf(_ value: Any) -> String? {
            switch value {
            case let value as String: "\"\(value)\""
            case let value as Substring: "\"\(value)\""
            case let value as any FixedWidthInteger: "\(value)"
            case let value as any BinaryFloatingPoint: "\(value)"
            case let value as Bool: "\(value)"
            case let value as any Any.Type: "\(value)"
            default: nil
            }
        }
    }
}

// SPDX-License-Identifier: MIT
// Which requirements of SwiftCrossUI's views tell of nodes, and where their arguments are: as symbols describe them.

import CInject

/// What is read of the requirements of SwiftCrossUI's views. Each version has others: none is found by its number.
struct CrossUIShape: Hashable, Sendable {
    /// A requirement, and which word of its arguments is read.
    struct Method: Hashable, Sendable {
        /// Its place among the requirements.
        let requirement: Int
        /// Where the metadata of the backend's type is passed, with its first table behind it, or the widget's address.
        let word: Int
    }

    let body: Int
    let children, widget, layout, commit: Method

    /// nil where one of them is not there, is there twice, or has arguments whose places are not known.
    ///
    /// - Parameters:
    ///   - requirements: Each the lowest byte of its flags.
    ///   - described: A requirement as symbols describe it, by its place, such as `commit(_: Swift.Int) -> ()`.
    init?(requirements: [UInt8], described: (Int) -> [String]) {
        func places(_ kind: crerender_requirement) -> [Int] {
            requirements.indices.filter {
                UInt32(requirements[$0]) == kind.rawValue | CRERENDER_OF_INSTANCE.rawValue
            }
        }
        let bodies = places(CRERENDER_GETTER).filter { place in
            described(place).contains { $0.hasPrefix("body.getter : A.") }
        }
        guard let body = bodies.first else { return nil }
        var found: [String: Method] = [:]
        for place in places(CRERENDER_METHOD) {
            for signature in described(place).compactMap({ RequirementSignature($0) }) {
                guard let word = Self.word(of: signature) else { continue }
                let method = Method(requirement: place, word: word)
                if let other = found.updateValue(method, forKey: signature.name), other != method { return nil }
            }
        }
        guard let children = found["children"], let widget = found["asWidget"], let layout = found["computeLayout"],
            let commit = found["commit"]
        else { return nil }
        (self.body, self.children, self.widget, self.layout, self.commit) = (body, children, widget, layout, commit)
    }

    /// Whether a requirement is a method of an instance.
    static func isMethod(_ flags: UInt8) -> Bool {
        UInt32(flags) == CRERENDER_METHOD.rawValue | CRERENDER_OF_INSTANCE.rawValue
    }

    /// Whether symbols are asked what a requirement is.
    static func isRead(_ flags: UInt8) -> Bool {
        isMethod(flags) || UInt32(flags) == CRERENDER_GETTER.rawValue | CRERENDER_OF_INSTANCE.rawValue
    }

    private static func word(of method: RequirementSignature) -> Int? {
        guard method.mostWords <= WitnessCall.mostWords else { return nil }
        switch method.name {
        case "children": return method.parameters.contains("A1") ? method.words(before: nil) : nil
        case "asWidget":
            let makesOne = isWidget(method.result) && method.parameters.contains("A1")
            return makesOne ? method.words(before: nil) : nil
        case "computeLayout", "commit":
            return method.parameters.firstIndex(where: isWidget).flatMap { method.words(before: $0) }
        default: return nil
        }
    }

    /// `A1.Widget`, or `A1.SwiftCrossUI.BackendFeatures.Widgets.Widget` where the backend conforms to several protocols.
    private static func isWidget(_ type: String) -> Bool { type.hasPrefix("A1.") && type.hasSuffix(".Widget") }
}

/// A method that is generic over one type, as a symbol describes it: `draw<A where A1: Kit.Pen>(_: A1, width: Swift.Int) -> ()`.
struct RequirementSignature: Equatable {
    let name: String
    /// How many tables are passed behind the type, at most.
    let tables: Int
    /// The types of the parameters.
    let parameters: [String]
    let result: String

    /// nil for everything else.
    init?(_ text: String) {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        var rest = text.dropFirst(name.count)
        guard !name.isEmpty, rest.first == "<", var constraints = Self.list(&rest), rest.first == "(",
            let parameters = Self.list(&rest), rest.hasPrefix(" -> "),
            let clause = constraints[0].firstRange(of: " where "),
            ["A", "A1"].contains(constraints[0][..<clause.lowerBound])
        else { return nil }
        constraints[0] = constraints[0][clause.upperBound...]
        guard constraints.allSatisfy({ $0.hasPrefix("A1: ") }) else { return nil }
        self.name = String(name)
        tables = constraints.count
        self.parameters = parameters.filter { !$0.isEmpty }.map { parameter in
            String(parameter.firstRange(of: ": ").map { parameter[$0.upperBound...] } ?? parameter)
        }
        result = String(rest.dropFirst(4))
    }

    /// How many words the parameters in front of one take, or all of them; nil where that is not known.
    func words(before parameter: Int?) -> Int? {
        var words = 0
        for type in parameters.prefix(parameter ?? parameters.count) {
            guard let more = Self.words(of: type) else { return nil }
            words += more
        }
        return words
    }

    /// At most as many words as a call has arguments: what takes more than four is passed by its address. Behind the parameters are the
    /// generic type and its tables, and the view's type and its table.
    var mostWords: Int { parameters.reduce(1 + tables + 2) { $0 + (Self.words(of: $1) ?? 4) } }

    /// In registers that are no vectors, or on the stack behind them.
    private static func words(of type: String) -> Int? {
        // What is generic, or has more than four words, is passed by its address.
        let byAddress = ["A", "A1", "SwiftCrossUI.ViewGraphNodeChildren", "SwiftCrossUI.EnvironmentValues"]
        let objects = ["Swift.Array<", "Swift.Dictionary<", "Swift.Set<", "Swift.Optional<Swift.Array<"]
        let plain = ["Swift.Int", "Swift.UInt", "Swift.Bool"]
        let isOneWord =
            byAddress.contains(type) || plain.contains(type) || type.hasPrefix("A.") || type.hasPrefix("A1.")
            || objects.contains(where: type.hasPrefix) && type.hasSuffix(">")
        return isOneWord ? 1 : type == "Swift.String" ? 2 : nil
    }

    /// Takes a list in brackets off the front; nil where it has no end.
    private static func list(_ text: inout Substring) -> [Substring]? {
        var (depth, start, last) = (0, text.startIndex, Character(" "))
        var parts: [Substring] = []
        func part(_ end: Substring.Index) -> Substring { text[start..<end].drop { $0 == " " } }
        for index in text.indices {
            let letter = text[index], isArrow = last == "-" && letter == ">"
            last = letter
            if "(<[".contains(letter) {
                depth += 1
                if depth == 1 { start = text.index(after: index) }
            } else if ")>]".contains(letter), !isArrow {
                depth -= 1
                guard depth == 0 else { continue }
                parts.append(part(index))
                text = text[text.index(after: index)...]
                return parts
            } else if letter == ",", depth == 1 {
                parts.append(part(index))
                start = text.index(after: index)
            }
            if depth <= 0 { return nil }
        }
        return nil
    }
}

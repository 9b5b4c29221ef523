// SPDX-License-Identifier: MIT
// Parses a demangled name: its module, and the type and property that the function accesses.

/// The declaration that a demangled symbol describes.
struct SwiftEntity: Equatable, Sendable {
    /// The module whose source has it.
    let module: String
    /// The declaration without module, types and labels: `["Ticker", "tick", "setter"]`.
    let path: [String]
    /// Whether it is code around functions and none of the source: a thunk, a key path's accessor.
    let isPlumbing: Bool
    /// Whether the optimiser may have moved the function that such code calls into it.
    let carriesFunction: Bool

    private static let plumbing = [
        "reabstraction thunk", "partial apply", "dispatch thunk", "protocol witness", "vtable thunk", "key path ",
        "outlined ", "implicit closure", "lazy protocol", "metadata ", "type metadata", "thunk",
    ]
    private static let carriers = [
        "reabstraction thunk", "partial apply", "protocol witness", "vtable thunk", "implicit closure",
    ]
    /// Before what the optimiser made a version of: `generic specialization <…> of `, `generic partial specialization <…> of `.
    private static let wrappers = ["generic ", "inlined generic function ", "function signature specialization "]
    private static let resumptions = [" suspend resume partial function for ", " await resume partial function for "]
    /// Before the declaration whose value is made.
    private static let initialValues = [
        "variable initialization expression of ", "property wrapper backing initializer of ",
    ]
    private static let writers: Set = [
        "setter", "modify", "modify2", "willset", "didset", "init", "read", "read2", "unsafeMutableAddressor",
    ]

    /// From the demangler's full text.
    init(describing description: String) {
        let raw = RawIdentifiers(description)
        var text = Substring(raw.text)
        text = Self.unwrapped(text)
        isPlumbing = Self.plumbing.contains(where: text.hasPrefix)
        carriesFunction = Self.carriers.contains(where: text.hasPrefix)
        while let inside = Self.range(of: " in ", in: text) { text = text[inside.upperBound...] }
        for prefix in Self.initialValues where text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
        if text.hasPrefix("default argument "), let of = text.firstRange(of: " of ") { text = text[of.upperBound...] }
        if text.hasPrefix("static ") { text = text.dropFirst(7) }
        var extended: Substring?
        if text.hasPrefix("(extension in "), let end = text.firstRange(of: "):") {
            extended = text[..<end.lowerBound].dropFirst("(extension in ".count)
            text = text[end.upperBound...]
        }
        var parts = Self.components(text)
        let module = parts.isEmpty ? "" : parts.removeFirst()
        self.module = raw.restored(extended.map(String.init) ?? module)
        path = parts.map { raw.restored($0) }
    }

    /// Without what the optimiser says about its version of a function.
    private static func unwrapped(_ text: Substring) -> Substring {
        if text.hasPrefix("merged ") { return unwrapped(text.dropFirst(7)) }
        // What it says of the arguments has brackets that are not closed, and no such end in it.
        if wrappers.contains(where: text.hasPrefix), let of = text.firstRange(of: "> of ") {
            return unwrapped(text[of.upperBound...])
        }
        for resumption in resumptions {
            if let range = text.firstRange(of: resumption) { return unwrapped(text[range.upperBound...]) }
        }
        return text
    }

    /// The type whose property this code writes, without its module, if it is such an accessor.
    var accessedType: [String]? {
        guard path.count >= 2, let kind = path.last, Self.writers.contains(kind) else { return nil }
        // `Ticker.init` is an initialiser; `Ticker.tick.init` initialises a property.
        if kind == "init", path.count < 3 { return nil }
        return path.dropLast(2)
    }

    /// `Ticker` of `Shop.Ticker`, `Box` of `Shop.Box<Int>`, also of private and local types.
    static func typePath(_ reflected: String) -> [String] {
        let raw = RawIdentifiers(reflected)
        return components(Substring(raw.text)).dropFirst().filter { !$0.hasPrefix("(unknown context") }
            .map { raw.restored($0) }
    }

    /// The first place of a word outside of any brackets.
    private static func range(of word: String, in text: Substring) -> Range<Substring.Index>? {
        var depth = 0
        var at = text.startIndex
        while at < text.endIndex {
            switch text[at] {
            case "(", "[", "{": depth += 1
            case "<": if !isOperator(text, at) { depth += 1 }
            case ")", "]", "}": depth = max(0, depth - 1)
            case ">": if !isOperator(text, at) { depth = max(0, depth - 1) }
            case " " where depth == 0 && text[at...].hasPrefix(word):
                return at..<text.index(at, offsetBy: word.count)
            default: break
            }
            at = text.index(after: at)
        }
        return nil
    }

    /// Whether an angle is part of `->` or of an operator's name.
    private static func isOperator(_ text: Substring, _ at: Substring.Index) -> Bool {
        guard at > text.startIndex else { return false }
        let before = text[text.index(before: at)]
        return text[at] == ">" ? before == "-" : ".<=&|+-*/!~^%".contains(before)
    }

    /// The dotted name at the start of a description, up to its arguments or its type.
    private static func components(_ text: Substring) -> [String] {
        var parts: [String] = [], part = "", depth = 0, isDone = false
        func finish() {
            // `(helper in _4F2A)` is private; its file's hash is of no interest.
            if part.hasPrefix("("), let inside = part.firstRange(of: " in _") {
                part = String(part[..<inside.lowerBound].dropFirst())
            }
            if !part.isEmpty { parts.append(part) }
            part = ""
        }
        for character in text where !isDone {
            switch character {
            case "(" where depth == 0 && !part.isEmpty: isDone = true
            case "(": depth += 1
            case ")": depth -= 1
            case "<" where depth == 0 && isName(part): depth += 100
            case ">" where depth >= 100: depth -= 100
            case "." where depth == 0: finish()
            case " " where depth == 0: isDone = true
            default: break
            }
            if !isDone, depth < 100, character != "." || depth > 0, character != ">" || !isName(part) {
                part.append(character)
            }
        }
        finish()
        return parts
    }

    private static func isName(_ part: String) -> Bool {
        part.last.map { $0.isLetter || $0.isNumber || $0 == "_" || RawIdentifiers.isPlace($0) } ?? false
    }
}

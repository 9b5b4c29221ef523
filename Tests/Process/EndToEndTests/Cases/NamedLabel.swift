// SPDX-License-Identifier: MIT
// What a comment in a program's source says has to be named, and whether what was found is that.

/// A comment `names: WHAT -> NAME` in a source file of Tests/Fixtures/Named.
///
/// It stands in the line that is the place: that of the call for changes and hangs, and else the first one of the function. A comment
/// `names: too -> NAME` is in a further line that may be the place.
struct NamedLabel {
    /// What has a name.
    enum Subject: Hashable {
        /// What a widget was drawn for: `writer GtkLabel#clock property label`.
        case writer(key: String, reason: String)
        /// `source timer 40 ms`.
        case timer(milliseconds: UInt64)
        /// `source idle function`.
        case idle
        /// `handler GtkButton#save: clicked`.
        case handler(String)
        /// `hang`.
        case hang
    }

    /// How a name that was found compares with the label.
    enum Naming: String {
        case right, unnamed, wrong
    }

    let subject: Subject
    /// The function: `tick()`, or `lambda` for one without a name. Nil where no name but the place can be known.
    let name: String?
    let file: String
    /// Those of a function, or that of a call.
    private(set) var lines: Set<Int>

    /// The labels of a source file, in its order.
    static func all(in source: String, file: String) -> [NamedLabel] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        var labels: [NamedLabel] = []
        var others: [(name: String?, line: Int)] = []
        for (index, line) in lines.enumerated() {
            guard let comment = line.firstRange(of: "names: ").map({ line[$0.upperBound...] }) else { continue }
            let parts = comment.split(separator: " -> ")
            let name = parts.count > 1 ? String(parts[1]) : nil
            guard let subject = parts.first.flatMap(subject) else {
                if parts.first == "too" { others.append((name, index + 1)) }
                continue
            }
            let isCall =
                switch subject {
                case .writer: true
                case .hang: name != nil
                case .timer, .idle, .handler: false
                }
            let last = isCall ? index : end(ofFunctionAt: index, in: lines)
            labels.append(NamedLabel(subject: subject, name: name, file: file, lines: Set((index + 1)...(last + 1))))
        }
        return labels.map { label in
            var label = label
            label.lines.formUnion(others.filter { $0.name == label.name }.map(\.line))
            return label
        }
    }

    /// Nil for anything else, such as `too`.
    private static func subject(_ text: Substring) -> Subject? {
        let words = text.split(separator: " ")
        guard let kind = words.first else { return nil }
        let rest = words.dropFirst().joined(separator: " ")
        switch kind {
        case "writer" where words.count > 2:
            return .writer(key: String(words[1]), reason: words[2...].joined(separator: " "))
        case "source" where words.count == 4 && words[1] == "timer":
            return UInt64(words[2]).map { .timer(milliseconds: $0) }
        case "source" where rest == "idle function": return .idle
        case "handler": return .handler(rest)
        case "hang": return .hang
        default: return nil
        }
    }

    /// The last line of a function that begins in a line: what belongs to it is indented.
    private static func end(ofFunctionAt first: Int, in lines: [Substring]) -> Int {
        func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        var next = first + 1
        while next < lines.count, lines[next].isEmpty || indentation(lines[next]) > indentation(lines[first]) {
            next += 1
        }
        let closes = next < lines.count && lines[next].drop { $0 == " " }.hasPrefix("}")
        return closes ? next : next - 1
    }

    // MARK: What was found

    /// Compares a name that was found, such as `tick() clock.c:31`, with the label.
    ///
    /// - Parameter sources: The names of the program's files.
    func naming(_ text: String, sources: Set<String>) -> Naming {
        let found = FoundName(text)
        guard found.function != nil || found.file != nil, !found.isMangled else { return .unnamed }
        if found.file == file, lines.contains(found.line) { return agrees(found.function) ? .right : .wrong }
        // The right function without a place in a source of the program is no wrong name, and is not enough.
        let isElsewhere = found.file.map { !sources.contains($0) } ?? true
        return isElsewhere && name != nil && found.function != nil && agrees(found.function) ? .unnamed : .wrong
    }

    private func agrees(_ function: String?) -> Bool {
        guard let name, let function, function != name else { return true }
        if name == "lambda" { return function.contains(name) }
        // What a source of GLib calls is made by the compiler of Vala, with a longer name: `_clock_tick_gsource_func()`.
        return file.hasSuffix(".vala") && function.hasPrefix("_\(name.dropLast(2))_")
    }
}

/// A text with a function, its place, or both, in its parts.
struct FoundName {
    let function: String?
    let file: String?
    let line: Int

    /// From `tick() clock.c:31`, `clock.js:6`, or `tick() in clock`. Both are nil for what says that no name is known.
    init(_ text: String) {
        // Behind it may be the handler in which that ran.
        let text = text.firstRange(of: ", in ").map { text[..<$0.lowerBound] } ?? text[...]
        let last = text.split(separator: " ").last ?? ""
        let parts = last.split(separator: ":")
        if parts.count == 2, let line = Int(parts[1]) {
            let before = text.dropLast(last.count + 1)
            (function, file, self.line) = (before.isEmpty ? nil : String(before), String(parts[0]), line)
        } else {
            let name = text.firstRange(of: " in ").map { text[..<$0.lowerBound] } ?? text
            (function, file, line) = (name.hasSuffix("()") ? String(name) : nil, nil, 0)
        }
    }

    /// Whether it is a name as a linker knows it: no person reads that.
    var isMangled: Bool { function.map { $0.hasPrefix("_Z") || $0.hasPrefix("_R") } ?? false }

    /// Whether it is the function around the main loop.
    var isMain: Bool { function.map { $0 == "main" || $0.hasSuffix("main()") || $0 == "<module>()" } ?? false }
}

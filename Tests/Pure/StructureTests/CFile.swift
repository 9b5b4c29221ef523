// SPDX-License-Identifier: MIT
// What one C file or header includes, defines for others, and names.

/// The facts about a C file that the rules of this package's structure need.
struct CFile {
    /// Relative to its target's folder.
    let path: String
    let codeLines: Int
    /// Of each `#include "…"`.
    let includes: [String]
    /// The functions and variables that it defines and other files can name; a header has none.
    let definitions: Set<String>
    /// The words of its code that may name one of another file: no members, no tags, and nothing that it defines itself.
    let names: Set<String>
    /// Of a header, what its inline functions and macros name: a file that names one of them names that, too.
    let inlined: [String: Set<String>]
    /// The lines of a header that declare a function which is not hidden: a library that an app loads could call the app's.
    let exposedLines: [Int]

    init(path: String, source: String) {
        let tokens = CTokens(source)
        let declarations = CDeclaration.all(in: tokens.code)
        self.path = path
        codeLines = CodeLines.count(in: source)
        includes = Self.includes(in: source)
        exposedLines = path.hasSuffix(".h") ? Self.exposedLines(in: source) : []
        if path.hasSuffix(".h") {
            (definitions, names) = ([], [])
            let bodies = declarations.map { ($0.name, Self.names(in: tokens.code[$0.body])) }
            let macros = tokens.directives.compactMap { directive -> (String, Set<String>)? in
                guard directive.count > 2, directive[0] == .word("define"), let name = directive[1].word else {
                    return nil
                }
                return (name, Self.names(in: directive[2...]))
            }
            inlined = Dictionary(bodies + macros) { $0.union($1) }
        } else {
            definitions = Set(declarations.filter { !$0.isStatic }.map(\.name))
            names = tokens.directives.reduce(Self.names(in: tokens.code[...])) { $0.union(Self.names(in: $1[...])) }
                .subtracting(declarations.map(\.name))
            inlined = [:]
        }
    }

    /// What it names, itself and by what headers define inline.
    func names(with inlined: [String: Set<String>]) -> Set<String> {
        var found = names
        var pending = Array(names)
        while let name = pending.popLast() {
            for further in inlined[name] ?? [] where found.insert(further).inserted { pending.append(further) }
        }
        return found
    }

    private static func exposedLines(in text: String) -> [Int] {
        var isHidden = false
        var lines: [Int] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#pragma GCC visibility ") { isHidden = line.hasSuffix("push(hidden)") }
            let isDeclaration = line.first?.isLowercase ?? false && line.contains("(")
            let isOurs = ["static ", "typedef "].contains(where: line.hasPrefix)
            if isDeclaration, !isOurs, !isHidden { lines.append(number + 1) }
        }
        return lines
    }

    private static func includes(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.count > 1 && parts[0].filter { $0 != " " } == "#include" ? String(parts[1]) : nil
        }
    }

    private static let arrow: [Token] = [.symbol(UInt8(ascii: "-")), .symbol(UInt8(ascii: ">"))]

    private static func names(in tokens: ArraySlice<Token>) -> Set<String> {
        var names: Set<String> = []
        for index in tokens.indices {
            guard let word = tokens[index].word, !(word.first?.isNumber ?? true) else { continue }
            let before = tokens[..<index].suffix(2)
            let isMember = before.last.map { $0 == "." } ?? false || before.elementsEqual(arrow)
            let isTag = before.last?.word.map(CDeclaration.tags.contains) ?? false
            if !isMember, !isTag { names.insert(word) }
        }
        return names
    }
}

/// A function or a variable that a file defines.
struct CDeclaration {
    static let tags: Set<String> = ["struct", "union", "enum"]

    let name: String
    let isStatic: Bool
    /// The tokens of a function's body; empty for a variable.
    let body: Range<Int>

    /// A token, or a bracket with all up to the one that closes it.
    private struct Piece {
        let first: Token
        let range: Range<Int>

        var word: String? { first.word }
    }

    static func all(in tokens: [Token]) -> [CDeclaration] {
        var found: [CDeclaration] = []
        var statement: [Piece] = []
        var place = 0
        while place < tokens.count {
            let piece = piece(tokens, at: place)
            place = piece.range.upperBound
            if piece.first == ";" {
                found += variables(statement, tokens)
                statement = []
            } else if piece.first == "{", let last = statement.last, last.first == "(",
                !statement.contains(where: { $0.first == "=" })
            {
                found += function(statement, piece.range)
                statement = []
            } else {
                statement.append(piece)
            }
        }
        return found
    }

    private static func piece(_ tokens: [Token], at start: Int) -> Piece {
        var depth = 0
        for place in start..<tokens.count {
            if ["(", "[", "{"].contains(where: { tokens[place] == $0 }) { depth += 1 }
            if [")", "]", "}"].contains(where: { tokens[place] == $0 }) { depth -= 1 }
            if depth <= 0 { return Piece(first: tokens[start], range: start..<place + 1) }
        }
        return Piece(first: tokens[start], range: start..<tokens.count)
    }

    /// The word in front of the parameters, which attributes may follow.
    private static func function(_ statement: [Piece], _ body: Range<Int>) -> [CDeclaration] {
        let names = zip(statement, statement.dropFirst()).compactMap { $1.first == "(" ? $0.word : nil }
        guard let name = names.last(where: { $0 != "__attribute__" }) else { return [] }
        return [CDeclaration(name: name, isStatic: statement.contains { $0.word == "static" }, body: body)]
    }

    /// Types and what other files define are left out.
    private static func variables(_ statement: [Piece], _ tokens: [Token]) -> [CDeclaration] {
        guard !statement.contains(where: { ["extern", "typedef"].contains($0.word) }) else { return [] }
        let isStatic = statement.contains { $0.word == "static" }
        return statement.split { $0.first == "," }.enumerated().compactMap { number, part in
            var declarator = part.prefix { !($0.first == "=") }
            while let last = declarator.last, last.first == "[" { declarator.removeLast() }
            guard let last = declarator.last, declarator.count > 1 || number > 0 else { return nil }
            if let name = last.word {
                let isTag = declarator.count == 2 && declarator.first?.word.map(tags.contains) ?? false
                return isTag ? nil : CDeclaration(name: name, isStatic: isStatic, body: 0..<0)
            }
            // A pointer to a function: its name is in brackets in front of the parameters.
            let inner = declarator.dropLast().last?.range ?? 0..<0
            guard last.first == "(", inner.count > 2, tokens[inner.lowerBound] == "(",
                tokens[inner.lowerBound + 1] == "*"
            else { return nil }
            return tokens[inner.lowerBound + 2].word.map { CDeclaration(name: $0, isStatic: isStatic, body: 0..<0) }
        }
    }
}

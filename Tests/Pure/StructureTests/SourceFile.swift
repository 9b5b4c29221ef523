// SPDX-License-Identifier: MIT
// What one Swift file declares, names and imports.

/// A type that a file declares.
struct TypeDeclaration: Equatable {
    /// With the types around it: `Outer.Inner`.
    let path: String
    /// Whether only this file can name it: it is private, or declared inside a function.
    let isPrivate: Bool

    /// As other files name it: with the type around it, if there is one.
    var name: String { path.split(separator: ".").suffix(2).joined(separator: ".") }
    var isNested: Bool { path.contains(".") }
}

/// The facts about a Swift file that the rules of this package's structure need.
struct SourceFile {
    /// Relative to its target's folder.
    let path: String
    let types: [TypeDeclaration]
    let imports: Set<String>
    /// All words that begin with a capital letter, and all pairs `Outer.Inner`: the types that it names, and others.
    let namedTypes: Set<String>
    /// Declarations that say `public`.
    let publicCount: Int
    let codeLines: Int
    /// The lines that look for a slash by `Character`.
    let characterSlashes: [Int]
    /// The lines with a command to be copied, in which something stands that is no word of a shell.
    let openCommands: [Int]

    /// The folder that it lies in; empty for the target's root.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    init(path: String, source: String) {
        let tokens = SourceTokens.of(source)
        self.path = path
        codeLines = CodeLines.count(in: source)
        types = Self.types(in: tokens)
        imports = Self.imports(in: tokens)
        namedTypes = Self.namedTypes(in: tokens)
        publicCount = Self.publicCount(in: tokens)
        characterSlashes = source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(Self.characterSlash) }.map { $0.offset + 1 }
        openCommands = Self.openCommands(in: source)
    }

    /// A line or a function that names the type has it escape what is interpolated. The number of a process needs none.
    private static func openCommands(in source: String) -> [Int] {
        let command =
            #/
            (?: :\ | " | ` | &&\ )
            (?: rerenderctl\ [a-z] | (?: sudo | kill | chmod | chown | cp | systemctl | journalctl | lttng | export )\ )
            [^"]* \\\( (?! (?:\w+\.)? pid\) )
            /#
        var (isOfCommand, lines): (Bool, [Int]) = (false, [])
        for (place, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.contains(#/func |-> /#) { isOfCommand = line.contains("-> ShellCommand") }
            if line.contains(command), !isOfCommand, !line.contains("ShellCommand") { lines.append(place + 1) }
        }
        return lines
    }

    /// A slash and an accent behind it are one `Character`, which is no slash.
    private static var characterSlash: Regex<Substring> {
        /(?:contains\(|[iI]ndex\(of: |separator: |has(?:Pre|Suf)fix\()"[^"<]*\/[^"]*"/
    }

    private static func imports(in tokens: [Token]) -> Set<String> {
        let words = zip(tokens, tokens.dropFirst())
        return Set(words.compactMap { keyword, module in keyword == .word("import") ? module.word : nil })
    }

    private static func namedTypes(in tokens: [Token]) -> Set<String> {
        var names: Set<String> = []
        var outer: String?
        for token in tokens {
            if let word = token.word {
                let isType = word.first?.isUppercase ?? false
                if isType { names.insert(word) }
                if isType, let outer { names.insert("\(outer).\(word)") }
                outer = isType ? word : nil
            } else if token != .symbol(UInt8(ascii: ".")) {
                outer = nil
            }
        }
        return names
    }

    private static func publicCount(in tokens: [Token]) -> Int {
        let others: [Token] = [.word("import"), .word("extension"), .symbol(UInt8(ascii: "("))]
        return zip(tokens, tokens.dropFirst()).count { $0 == .word("public") && !others.contains($1) }
    }

    private static func types(in tokens: [Token]) -> [TypeDeclaration] {
        var scopes = Scopes()
        for index in tokens.indices { scopes.read(tokens, at: index) }
        return scopes.types
    }
}

/// Follows braces to know which types enclose a declaration.
private struct Scopes {
    private enum Scope {
        case type(path: String, isPrivate: Bool)
        case other
    }

    private static let keywords: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let modifiers: Set<String> = [
        "public", "package", "internal", "private", "fileprivate", "open", "final", "indirect", "nonisolated", "safe",
        "unsafe", "MainActor", "usableFromInline", "frozen",
    ]

    private(set) var types: [TypeDeclaration] = []
    private var open: [Scope] = []
    /// The type whose brace opens next.
    private var next: Scope?

    mutating func read(_ tokens: [Token], at index: Int) {
        switch tokens[index] {
        case .symbol(UInt8(ascii: "{")):
            open.append(next ?? .other)
            next = nil
        case .symbol(UInt8(ascii: "}")): _ = open.popLast()
        case .word("extension"): next = .type(path: extended(tokens, after: index), isPrivate: false)
        case .word(let word) where Self.keywords.contains(word):
            declare(tokens, at: index, isAlias: word == "typealias")
        default: break
        }
    }

    private mutating func declare(_ tokens: [Token], at index: Int, isAlias: Bool) {
        guard index + 1 < tokens.count, let name = tokens[index + 1].word, name.first?.isUppercase ?? false,
            index == 0 || tokens[index - 1] != .symbol(UInt8(ascii: "."))
        else { return }
        let isPrivate =
            isPrivate || modifiers(tokens, before: index).contains { $0 == "private" || $0 == "fileprivate" }
        let path = (enclosing + [name]).joined(separator: ".")
        types.append(TypeDeclaration(path: path, isPrivate: isPrivate))
        if !isAlias { next = .type(path: name, isPrivate: isPrivate) }
    }

    private var enclosing: [String] {
        open.compactMap { if case .type(let path, _) = $0 { path } else { nil } }
    }

    /// Whether what is declared here cannot be named outside of the file.
    private var isPrivate: Bool {
        open.contains { if case .type(_, let isPrivate) = $0 { isPrivate } else { true } }
    }

    private func modifiers(_ tokens: [Token], before index: Int) -> [String] {
        var words: [String] = []
        for token in tokens[..<index].reversed() {
            if token == .symbol(UInt8(ascii: "@")) { continue }
            guard let word = token.word, Self.modifiers.contains(word) else { break }
            words.append(word)
        }
        return words
    }

    /// `A.B` of `extension A.B: C {`.
    private func extended(_ tokens: [Token], after index: Int) -> String {
        tokens[(index + 1)...].prefix { $0.word != nil || $0 == .symbol(UInt8(ascii: ".")) }
            .compactMap(\.word).prefix { $0 != "where" }.joined(separator: ".")
    }
}

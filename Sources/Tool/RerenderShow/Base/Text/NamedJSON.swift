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

// The names of functions in what a command shows: all of them, and the files some of whose functions have none.

/// The texts that name functions, as apps wrote them.
package enum NameTexts {
    /// Those of stores and hangs, in no order.
    package static func all(_ stores: [ProcessStats], _ hangs: [Hang]) -> [String] {
        stores.flatMap(of) + hangs.flatMap(of)
    }

    private static func of(_ store: ProcessStats) -> [String] {
        let written = store.views.flatMap(\.reasons).flatMap { $0.writers.map(\.writer) + $0.chains.map(\.chain) }
        let idle = (store.idleWork ?? []).flatMap { [$0.writer, $0.callback?.function].compactMap(\.self) }
        let steps = (store.cycles ?? []).flatMap(\.steps).compactMap(\.writer)
        let facts = (store.loop?.facts ?? []).compactMap(\.writer)
        let hung = (store.hangsOfSources ?? []).flatMap { [$0.name, $0.call].compactMap(\.self) }
        return written + idle + steps + facts + hung + (store.loop?.rows ?? []).map(\.name)
    }

    private static func of(_ hang: Hang) -> [String] {
        [hang.source, hang.call].compactMap(\.self) + hang.stacks.flatMap { $0.frames + ($0.holder ?? []) }
    }
}

/// A file of a program's, some of whose functions have no names there.
package struct NamelessFile: Hashable, Sendable {
    /// The process that had it.
    package let pid: Int32
    /// The file's name, without its directory.
    package let name: String
    /// Whether other functions of the process have lines of their source, so that the program itself may have been built with symbols.
    package let hasLines: Bool

    package init(pid: Int32, name: String, hasLines: Bool = false) {
        (self.pid, self.name, self.hasLines) = (pid, name, hasLines)
    }

    /// How many are looked for: the program's own, and its libraries'.
    package static let most = 3

    /// Those that stores and hangs name, each once.
    package static func all(_ stores: [ProcessStats], _ hangs: [Hang]) -> [NamelessFile] {
        var found: [NamelessFile] = []
        let named: [(Int32, [String])] =
            stores.map { ($0.pid, NameTexts.all([$0], []) + ($0.loop?.rows ?? []).map(\.function)) }
            + hangs.map { ($0.pid, NameTexts.all([], [$0])) }
        let known = Set(named.filter { $0.1.contains(where: hasLine) }.map(\.0))
        func add(_ pid: Int32, _ texts: [String], _ rows: [LoopRow] = []) {
            let names = rows.compactMap(\.namelessFile) + texts.compactMap { StackFrameText(text: $0).namelessFile }
            for name in names where found.count < most && !found.contains(where: { $0.name == name }) {
                found.append(NamelessFile(pid: pid, name: name, hasLines: known.contains(pid)))
            }
        }
        for store in stores { add(store.pid, NameTexts.all([store], []), store.loop?.rows ?? []) }
        for hang in hangs { add(hang.pid, NameTexts.all([], [hang])) }
        return found
    }

    /// Whether a text has a line of a source that was compiled: `on_clicked() cases.c:44`.
    private static func hasLine(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), text[colon...].dropFirst().allSatisfy(\.isWholeNumber) else {
            return false
        }
        return !text.hasSuffix(":") && ![".py", ".js"].contains(where: text[..<colon].hasSuffix)
    }

    /// Those that are named where one view is explained: other functions of the program may be without names, too.
    package static func all(of view: Stats, in store: ProcessStats, _ hangs: [Hang]) -> [NamelessFile] {
        let key = view.key.rawValue
        var own = store
        own.views = [view]
        own.idleWork?.removeAll { $0.view != key }
        own.cycles?.removeAll { cycle in !cycle.steps.contains { $0.name == key } }
        own.hangsOfSources = nil
        own.loop?.rows = []
        own.loop?.facts.removeAll { $0.view != key }
        return all([own], hangs)
    }
}

// Finds similar names for a mistyped one.

/// Finds names that are like a mistyped one.
package enum NearName {
    /// At most `limit` of the names, the nearest first: the same but for case, then containing it, then few edits away.
    ///
    /// Linear in the number of names, and in the product of both lengths (of which at most 64 characters count).
    package static func find(_ wanted: String, among names: some Sequence<String>, limit: Int = 5) -> [String] {
        let wantedFolded = Array(wanted.lowercased().prefix(64))
        var ranked: [(distance: Int, name: String)] = []
        for name in Set(names) {
            let folded = Array(name.lowercased().prefix(64))
            if let distance = distance(wantedFolded, folded) { ranked.append((distance, name)) }
        }
        ranked.sort { $0.distance != $1.distance ? $0.distance < $1.distance : $0.name < $1.name }
        return ranked.prefix(limit).map(\.name)
    }

    private static func distance(_ wanted: [Character], _ name: [Character]) -> Int? {
        if !wanted.isEmpty, !name.isEmpty, contains(name, wanted) || contains(wanted, name) { return 0 }
        let edits = edits(wanted, name)
        return edits <= max(2, wanted.count / 3) ? edits : nil
    }

    private static func contains(_ text: [Character], _ part: [Character]) -> Bool {
        String(text).contains(String(part))
    }

    /// Levenshtein's distance.
    private static func edits(_ from: [Character], _ to: [Character]) -> Int {
        var previous = Array(0...to.count)
        for (row, left) in from.enumerated() {
            var current = [row + 1]
            for (column, right) in to.enumerated() {
                let replaced = previous[column] + (left == right ? 0 : 1)
                current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[to.count]
    }
}

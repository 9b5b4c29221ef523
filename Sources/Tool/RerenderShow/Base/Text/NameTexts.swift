// SPDX-License-Identifier: MIT
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

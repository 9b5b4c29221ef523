// SPDX-License-Identifier: MIT
// What the injected libraries told of their processes.

import RerenderShow

/// The lines that the libraries of each process wrote: `PID KIND TEXT`.
///
/// Every process of the command may write to the file: nothing of it is trusted.
struct InjectionReport: Sendable {
    /// What a number is told of: the largest one of a process counts.
    enum Number: String {
        /// Kinds of views that are counted.
        case views
        /// Views without room, with a body of their protocol's, and with tables that could not be changed.
        case full, resilient, locked
    }

    /// What names are told of, by process.
    enum Names: String {
        /// Views that the process instruments itself.
        case own
        /// Frameworks whose protocol is not the one that their adapter knows.
        case unknown
        /// Frameworks of whose protocol no symbols tell whether their adapter knows it.
        case stripped
        /// Protocols of several getters of which the first was taken for the body, and those whose bodies' outputs cannot be looked at.
        case guessed, outputs
        /// Protocols of views that were found, where the user named some.
        case `protocol`
        /// Protocols of views whose types are not counted, each with words that say why.
        case shape
    }

    /// What is told of a process, once.
    enum Mark: String {
        /// Some calls were not counted, for want of stack.
        case stack
        /// A forked child that evaluated something.
        case forked
        /// Some outputs were not searched for views.
        case searched
        /// Widgets are counted, and the HUD is shown. Told as a text of `widgets`.
        case widgets, hud
        /// A main loop is looked at in a process without views and widgets.
        case loop
    }

    /// Why something is not there.
    struct Refusal: Hashable {
        let text: String
        var processes: [Int32]
    }

    private(set) var numbers: [Number: [Int32: Int]] = [:]
    private(set) var names: [Names: [Int32: Set<String>]] = [:]
    private(set) var marks: [Mark: Set<Int32>] = [:]
    /// Why processes were refused, in the order of the file.
    private(set) var refusals: [Refusal] = []
    /// Why widgets of processes are not counted, and what is wrong with the HUD of others.
    private(set) var noWidgets: [Int32: String] = [:]
    private(set) var hudFaults: [Int32: String] = [:]
    /// Which processes handed over to a running instance, and to which process; 0 where that is not known.
    private(set) var handedOver: [Int32: Int32] = [:]

    /// The most that is read.
    static let longest = 1 << 20

    /// - Parameter isMeant: Whether a process counts.
    init(_ bytes: [UInt8], of isMeant: (Int32) -> Bool = { _ in true }) {
        for line in String(decoding: bytes.prefix(Self.longest), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3, let process = Int32(parts[0]), isMeant(process) else { continue }
            note(parts[1], parts[2], of: process)
        }
    }

    /// Whether any view is counted.
    var hasViews: Bool { numbers[.views, default: [:]].values.contains { $0 > 0 } }

    /// What was told of any process, in order.
    func names(_ kind: Names) -> [String] {
        names[kind, default: [:]].values.reduce(into: Set()) { $0.formUnion($1) }.sorted()
    }

    private mutating func note(_ kind: String, _ text: String, of process: Int32) {
        if let kind = Number(rawValue: kind) {
            numbers[kind, default: [:]][process] = max(numbers[kind]?[process] ?? 0, Int(text) ?? 0)
        } else if let kind = Names(rawValue: kind) {
            names[kind, default: [:]][process, default: []].insert(Printable.text(text))
        } else if kind == "refused" {
            refuse(process, Printable.text(text))
        } else if kind == "widgets" {
            noteWidgets(process, text)
        } else if let kind = Mark(rawValue: kind), [.stack, .forked, .searched, .loop].contains(kind) {
            marks[kind, default: []].insert(process)
        }
    }

    /// `begun`, `hud` where the HUD is shown, `hud TEXT` with what is wrong with it, `handed PROCESS` where the windows are in another
    /// one, and else why none are counted.
    private mutating func noteWidgets(_ process: Int32, _ text: String) {
        switch text {
        case "begun": marks[.widgets, default: []].insert(process)
        case "hud": marks[.hud, default: []].insert(process)
        case _ where text.hasPrefix("handed "): handedOver[process] = Int32(text.dropFirst(7)) ?? 0
        case _ where text.hasPrefix("hud "): hudFaults[process] = Printable.text(String(text.dropFirst(4)))
        default: noWidgets[process] = Printable.text(text)
        }
    }

    private mutating func refuse(_ process: Int32, _ text: String) {
        guard let index = refusals.firstIndex(where: { $0.text == text }) else {
            return refusals.append(Refusal(text: text, processes: [process]))
        }
        if !refusals[index].processes.contains(process) { refusals[index].processes.append(process) }
    }
}

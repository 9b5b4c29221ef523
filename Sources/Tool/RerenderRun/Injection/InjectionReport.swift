// SPDX-License-Identifier: MIT
// What the injected libraries told of their processes.

import RerenderToolBase

/// The lines that the libraries of each process wrote: `PID views N`, `PID refused TEXT`, `PID own KEY`,
/// `PID unknown MODULE`, `PID stripped MODULE`, `PID protocol MODULE.NAME`, `PID guessed MODULE.NAME`, `PID full N`,
/// `PID resilient N`, `PID locked N`, `PID forked some`, `PID stack some`, and of GTK's widgets `PID widgets begun`,
/// `PID widgets full` where some are not counted, `PID widgets hud` where the HUD is shown, `PID widgets hud TEXT` with what is
/// wrong with it, and else `PID widgets TEXT` with why none are.
///
/// Every process of the command may write to the file: nothing of it is trusted.
struct InjectionReport: Hashable, Sendable {
    /// Kinds of views by process.
    private(set) var views: [Int32: Int] = [:]
    /// Why processes were refused, in the order of the file, with the processes.
    private(set) var refusals: [(text: String, processes: [Int32])] = []

    /// Views that processes instrument themselves, by process.
    private(set) var own: [Int32: Set<String>] = [:]
    /// The frameworks whose protocol is not the one that their adapter knows.
    private(set) var unknown: Set<String> = []
    /// The frameworks of whose protocol no symbols tell whether their adapter knows it.
    private(set) var stripped: Set<String> = []
    /// How many views had no room, by process.
    private(set) var missed: [Int32: Int] = [:]
    /// How many views have a body of their protocol's, by process.
    private(set) var resilient: [Int32: Int] = [:]
    /// How many views have tables that could not be changed, by process.
    private(set) var locked: [Int32: Int] = [:]
    /// Processes in which some calls were not counted, for want of stack.
    private(set) var short: Set<Int32> = []
    /// Forked children that evaluated something.
    private(set) var forked: Set<Int32> = []
    /// Protocols of several getters of which the first was taken for the body.
    private(set) var guessed: Set<String> = []
    /// Protocols of views that were found, where the user named some.
    private(set) var protocols: Set<String> = []
    /// Processes whose widgets are counted, and those of which some kinds are not.
    private(set) var widgets: Set<Int32> = []
    private(set) var fullWidgets: Set<Int32> = []
    /// Why widgets of processes are not counted.
    private(set) var noWidgets: [Int32: String] = [:]
    /// Processes with the HUD in a window, and what was wrong with that of others.
    private(set) var huds: Set<Int32> = []
    private(set) var hudFaults: [Int32: String] = [:]

    /// The most that is read.
    static let longest = 1 << 20

    init(_ bytes: [UInt8]) {
        for line in String(decoding: bytes.prefix(Self.longest), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let process = Int32(parts[0]) else { continue }
            switch parts[1] {
            case "views": views[process] = max(views[process] ?? 0, Int(parts[2]) ?? 0)
            case "refused": refuse(process, Printable.text(String(parts[2])))
            case "own": own[process, default: []].insert(Printable.text(String(parts[2])))
            case "unknown": unknown.insert(Printable.text(String(parts[2])))
            case "stripped": stripped.insert(Printable.text(String(parts[2])))
            case "full": missed[process] = max(missed[process] ?? 0, Int(parts[2]) ?? 0)
            case "resilient": resilient[process] = max(resilient[process] ?? 0, Int(parts[2]) ?? 0)
            case "locked": locked[process] = max(locked[process] ?? 0, Int(parts[2]) ?? 0)
            case "stack": short.insert(process)
            case "guessed": guessed.insert(Printable.text(String(parts[2])))
            case "forked": forked.insert(process)
            case "protocol": protocols.insert(Printable.text(String(parts[2])))
            case "widgets": noteWidgets(process, String(parts[2]))
            default: break
            }
        }
    }

    private mutating func noteWidgets(_ process: Int32, _ text: String) {
        switch text {
        case "begun": widgets.insert(process)
        case "full": fullWidgets.insert(process)
        case "hud": huds.insert(process)
        case _ where text.hasPrefix("hud "): hudFaults[process] = Printable.text(String(text.dropFirst(4)))
        default: noWidgets[process] = Printable.text(text)
        }
    }

    private mutating func refuse(_ process: Int32, _ text: String) {
        if let index = refusals.firstIndex(where: { $0.text == text }) {
            if !refusals[index].processes.contains(process) { refusals[index].processes.append(process) }
        } else {
            refusals.append((text, [process]))
        }
    }

    static func == (one: InjectionReport, other: InjectionReport) -> Bool {
        one.views == other.views && one.own == other.own && one.unknown == other.unknown
            && one.stripped == other.stripped && one.missed == other.missed && one.resilient == other.resilient
            && one.short == other.short && one.forked == other.forked && one.protocols == other.protocols
            && one.locked == other.locked && one.guessed == other.guessed
            && one.widgets == other.widgets && one.fullWidgets == other.fullWidgets && one.noWidgets == other.noWidgets
            && one.huds == other.huds && one.hudFaults == other.hudFaults
            && one.refusals.elementsEqual(other.refusals) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(views) }
}

// SPDX-License-Identifier: MIT
// What Trace Compass's engine does with one state provider or pattern: as much of it as our analyses use.

import TestSupport
@testable import ToolSupport

/// A value in the state system.
enum StateValue: Hashable {
    case none
    case number(Int64)
    case text(String)
    /// A value of an enumeration, by its label: neither the state system nor a table takes it.
    case choice(String)

    /// As the engine spells it: in paths, and where it compares values of different kinds.
    var spelled: String {
        switch self {
        case .none: "null"
        case .number(let number): "\(number)"
        case .text(let text), .choice(let text): text
        }
    }
}

/// A segment that a pattern found.
struct FoundSegment: Hashable {
    var name: String
    var start: Int
    var end: Int
    var fields: [String: StateValue]
}

/// Runs one analysis over events; the time of an event is its number, unless it is given.
///
/// As read in the sources of Trace Compass 11.3, and seen in a run of it:
///
/// - Comparisons fall back to text, and a value that was never set is "null" in them.
/// - An update changes the state that lasts, a pop takes what is on top, and two states of one time are one.
/// - A value of an enumeration is compared by its label, and ends the analysis as a state or in a row.
/// - An event goes to one scenario of a machine, those that have begun first.
/// - Texts of fields are read byte by byte, and those of contexts as UTF-8. A state with a control character (below U+0020, or
///   U+007F to U+009F) is not written, and the analysis stops at that event; so it does at a row with any character that is not ASCII.
struct AnalysesEngine {
    private(set) var states: [[String]: StateValue] = [:]
    /// Every state that a path had, with the time when it began.
    private(set) var history: [[String]: [(start: Int, value: StateValue)]] = [:]
    private(set) var segments: [FoundSegment] = []
    /// Why the analysis stopped before the end of the trace.
    private(set) var failure: String?

    private let scope: AnalysisScope
    private let values: [String: String]
    private let parts: [String: XMLNode]
    private var scenarios: [Scenario] = []
    private var scenarioCount = 0

    private struct Scenario {
        let id: Int
        let machine: XMLNode
        var state: String
        var start: Int?
    }

    private struct Now {
        var event: LTTngEvent
        var time: Int
        var scenario: Scenario?
    }

    init(_ provider: XMLNode) {
        scope = AnalysisScope(provider)
        let defined = provider.all("definedValue").map { ($0["name"], $0["value"]) }
        values = Dictionary(defined) { first, _ in first }
        let handlers = provider.all("patternHandler").flatMap(\.children)
        parts = Dictionary(handlers.map { ("\($0.name) \($0["id"])", $0) }) { first, _ in first }
    }

    /// - Parameter times: When the events were, in their order; their numbers unless it is given.
    mutating func run(_ events: [LTTngEvent], at times: [Int]? = nil) {
        for (number, event) in events.enumerated() where failure == nil {
            let now = Now(event: event, time: times?[number] ?? number)
            for handler in scope.node.all("eventHandler") where handler["eventName"] == event.name {
                for change in handler.all("stateChange") { apply(change, now) }
            }
            for part in parts.values where part.name == "fsm" { run(part, now) }
        }
    }

    // MARK: Machines

    private mutating func run(_ machine: XMLNode, _ now: Now) {
        for index in scenarios.indices where scenarios[index].machine === machine && scenarios[index].start != nil {
            if advance(index, now) { return }
        }
        let hasPending = scenarios.contains { $0.machine === machine && $0.start == nil }
        let hasAny = scenarios.contains { $0.machine === machine }
        if !hasPending, !hasAny || machine["multiple"] != "false" {
            scenarios.append(Scenario(id: scenarioCount, machine: machine, state: machine["initial"]))
            scenarioCount += 1
        }
        if let index = scenarios.firstIndex(where: { $0.machine === machine && $0.start == nil }) {
            _ = advance(index, now)
        }
    }

    /// Takes the first transition that fits; false where none does.
    private mutating func advance(_ index: Int, _ now: Now) -> Bool {
        var now = now
        now.scenario = scenarios[index]
        let machine = scenarios[index].machine
        guard let state = machine.all("state").first(where: { $0["id"] == scenarios[index].state }) else {
            return false
        }
        let fitting = state.all("transition").first { transition in
            transition["event"] == now.event.name
                && transition["cond"].split(separator: ":").allSatisfy { id in
                    parts["test \(id)"].map { holds($0.all("if")[0].children[0], now) } ?? false
                }
        }
        guard let fitting else { return false }
        if now.scenario?.start == nil { now.scenario?.start = now.time }
        for id in fitting["action"].split(separator: ":") {
            for step in parts["action \(id)"]?.children ?? [] {
                if step.name == "segment" { found(step, now) } else { apply(step, now) }
            }
        }
        if machine.all("final").contains(where: { $0["id"] == fitting["target"] }) {
            scenarios.remove(at: index)
        } else {
            scenarios[index].state = fitting["target"]
            scenarios[index].start = now.scenario?.start
        }
        return true
    }

    private mutating func found(_ segment: XMLNode, _ now: Now) {
        let times = segment.all("segTime").first
        func time(_ name: String) -> Int? {
            guard let node = times?.all(name).first, case .number(let time) = value(node, now) else { return nil }
            return Int(time)
        }
        let name = segment.all("segType")[0].all("segName")[0].all("stateValue")[0]
        let fields = segment.all("segContent").flatMap { $0.all("segField") }
        let start = time("begin") ?? now.scenario?.start ?? now.time
        let found = FoundSegment(
            name: value(name, now).spelled, start: start,
            end: time("end") ?? time("duration").map { start + $0 } ?? now.time,
            fields: Dictionary(fields.map { ($0["name"], value($0.all("stateValue")[0], now)) }) { $1 })
        for case .choice(let label) in found.fields.values {
            failure = "a row has no value for \(label)"
            return
        }
        for text in [found.name] + found.fields.values.map(\.spelled) where !text.utf8.allSatisfy({ $0 < 0x80 }) {
            failure = "the row's text \(text) takes more bytes than there is room for"
            return
        }
        segments.append(found)
    }

    // MARK: States

    private mutating func apply(_ change: XMLNode, _ now: Now) {
        if let condition = change.all("if").first {
            if holds(condition.children[0], now) {
                apply(change.all("then")[0], now)
            } else if let other = change.all("else").first {
                apply(other, now)
            }
            return
        }
        guard let path = path(change.all("stateAttribute"), now), let node = change.all("stateValue").first else {
            return
        }
        var new = value(node, now)
        let old = states[path] ?? .none
        let depth = if case .number(let number) = old { number } else { Int64(0) }
        switch node["stack"] {
        case "push":
            set(path + ["\(depth + 1)"], new, now.time)
            set(path, .number(depth + 1), now.time)
        case "pop", "popAll":
            guard depth > 0 else { return }
            let left = node["stack"] == "pop" ? depth - 1 : 0
            for level in left + 1...depth { set(path + ["\(level)"], .none, now.time) }
            set(path, left == 0 ? .none : .number(left), now.time)
        default:
            if node["increment"] == "true", case .number(let number) = new { new = .number(depth + number) }
            if node["update"] == "true", let last = history[path]?.indices.last {
                states[path] = new
                history[path]?[last].value = new
            } else {
                set(path, new, now.time)
            }
        }
    }

    private mutating func set(_ path: [String], _ value: StateValue, _ time: Int) {
        if case .text(let text) = value, text.unicodeScalars.contains(where: { Self.isControl($0) }) {
            failure = "the state \(text) cannot be written"
            return
        }
        if case .choice(let label) = value {
            failure = "the state system has no value for \(label)"
            return
        }
        guard states[path] ?? .none != value else { return }
        states[path] = value
        if let last = history[path]?.indices.last, history[path]?[last].start == time {
            history[path]?[last].value = value
        } else {
            history[path, default: []].append((time, value))
        }
    }

    private static func isControl(_ character: UnicodeScalar) -> Bool {
        character.value < 0x20 || (0x7F...0x9F).contains(character.value)
    }

    /// Nil where a part of it has no value.
    private func path(_ attributes: [XMLNode], _ now: Now) -> [String]? {
        var path: [String] = []
        for node in attributes {
            switch node["type"] {
            case "constant":
                path +=
                    node["value"] == "#CurrentScenario" ? ["scenarios", "\(now.scenario?.id ?? -1)"] : [node["value"]]
            case "location":
                guard let more = self.path(scope.locations[node["value"]]?.all("stateAttribute") ?? [], now) else {
                    return nil
                }
                path += more
            case "query":
                guard let place = self.path(node.all("stateAttribute"), now), let value = states[place],
                    value != .none
                else { return nil }
                path.append(value.spelled)
            default:
                let value = value(node, now)
                guard value != .none else { return nil }
                path.append(value.spelled)
            }
        }
        return path
    }

    private func value(_ node: XMLNode, _ now: Now) -> StateValue {
        if node["stack"] == "peek" {
            guard let path = path(node.all("stateAttribute"), now), let depth = states[path] else { return .none }
            return states[path + [depth.spelled]] ?? .none
        }
        let text = node["value"].hasPrefix("$") ? values[String(node["value"].dropFirst())] ?? "" : node["value"]
        switch node["type"] {
        case "int", "long": return Int64(text).map { .number($0) } ?? .none
        case "string": return .text(text)
        case "eventField": return field(text, now)
        case "query": return path(node.all("stateAttribute"), now).flatMap { states[$0] } ?? .none
        case "script":
            let inputs = node.all("stateValue").map { ($0["id"], value($0, now)) }
            return AnalysisScriptRunner.shared.run(node["value"], inputs, isNumber: node["forcedType"] == "long")
        default: return .none
        }
    }

    private func field(_ name: String, _ now: Now) -> StateValue {
        if name == "timestamp" { return .number(Int64(now.time)) }
        let isContext = name.hasPrefix("context._")
        let name = isContext ? String(name.dropFirst("context._".count)) : name
        switch now.event[name] {
        case .integer(let number): return .number(Int64(truncatingIfNeeded: number))
        case .choice(_, let label): return .choice(label)
        case .text(let bytes) where isContext: return .text(String(decoding: bytes, as: UTF8.self))
        case .text(let bytes): return .text(bytes.reduce(into: "") { $0.unicodeScalars.append(UnicodeScalar($1)) })
        case nil: return .none
        }
    }

    private func holds(_ node: XMLNode, _ now: Now) -> Bool {
        switch node.name {
        case "and": return node.children.allSatisfy { holds($0, now) }
        case "or": return node.children.contains { holds($0, now) }
        case "not": return !holds(node.children[0], now)
        default: break
        }
        var sides = node.all("stateValue").map { value($0, now) }
        if let field = node.all("field").first { sides.insert(self.field(field["name"], now), at: 0) }
        if sides.count == 1 {
            sides.insert(path(node.all("stateAttribute"), now).flatMap { states[$0] } ?? .none, at: 0)
        }
        let order = compare(sides[0], sides[1])
        switch node["operator"] {
        case "ne": return order != 0
        case "gt": return order > 0
        case "ge": return order >= 0
        case "lt": return order < 0
        case "le": return order <= 0
        default: return order == 0
        }
    }

    private func compare(_ first: StateValue, _ second: StateValue) -> Int {
        if case .number(let first) = first, case .number(let second) = second {
            return first == second ? 0 : first < second ? -1 : 1
        }
        let (first, second) = (first.spelled, second.spelled)
        return first == second ? 0 : first < second ? -1 : 1
    }
}

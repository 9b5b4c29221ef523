// SPDX-License-Identifier: MIT
// What one state provider or pattern defines, and what its attributes and values refer to.
@testable import ToolSupport

/// What a trace has, so that an analysis may name it.
struct TraceVocabulary {
    /// The fields of each event.
    var events: [String: Set<String>]
    /// Contexts that every event has, by LTTng's names.
    var contexts: Set<String>

    /// The texts that are the app's; the others are words of ours.
    static let texts: Set<String> = [
        "name", "reason", "parent", "file", "last_rendered", "store", "writers", "chain", "message",
        "context._procname",
    ]

    /// Enumerations, for which the engine has a pair of label and number.
    static let enumerations: Set<String> = ["wasted", "kind", "attribution", "verdict"]

    /// The events that an expression of the engine means: whole names, `*` for anything, `|` between several.
    func events(matching expression: String) -> [String] {
        let pieces = expression.split(separator: "|").map { $0.split(separator: "*", omittingEmptySubsequences: false) }
        return events.keys.filter { name in pieces.contains { Self.fits(name[...], $0[...]) } }.sorted()
    }

    private static func fits(_ name: Substring, _ parts: ArraySlice<Substring>) -> Bool {
        guard let first = parts.first, name.hasPrefix(first) else { return false }
        let rest = name.dropFirst(first.count)
        guard let next = parts.dropFirst().first else { return rest.isEmpty }
        let tail = parts.dropFirst()
        if next.isEmpty, tail.count == 1 { return true }
        return rest.indices.contains { fits(rest[$0...], tail) }
    }

    /// Whether an event has what an `eventField` names.
    func has(_ field: String, in event: String) -> Bool {
        if ["timestamp", "cpu", "hostId"].contains(field) || field == "context.cpu_id" { return true }
        if field.hasPrefix("context._") { return contexts.contains(String(field.dropFirst("context._".count))) }
        return events[event]?.contains(field) ?? false
    }
}

/// One step of a path in the state system.
enum PathStep: Hashable {
    case named(String)
    /// What the trace names.
    case any
}

/// The definitions of a state provider or a pattern.
struct AnalysisScope {
    let node: XMLNode
    let locations: [String: XMLNode]
    let values: Set<String>
    let mappings: Set<String>

    init(_ node: XMLNode) {
        self.node = node
        locations = Dictionary(node.all("location").map { ($0["id"], $0) }) { first, _ in first }
        values = Set(node.all("definedValue").map { $0["name"] })
        mappings = Set(node.all("mappingGroup").map { $0["id"] })
    }

    /// The event fields that a part of the file reads, through locations too.
    func fields(_ part: XMLNode) -> Set<String> {
        part.tree.reduce(into: []) { fields, node in
            switch (node.name, node["type"]) {
            case ("field", _): fields.insert(node["name"])
            case (_, "eventField"): fields.insert(node["value"])
            case ("stateAttribute", "location"):
                if let location = locations[node["value"]], location !== part {
                    fields.formUnion(self.fields(location))
                }
            default: break
            }
        }
    }

    /// The path that attributes spell.
    func path(_ attributes: [XMLNode]) -> [PathStep] {
        attributes.flatMap { node -> [PathStep] in
            switch node["type"] {
            case "constant": return [.named(node["value"])]
            case "location": return locations[node["value"]].map { path($0.all("stateAttribute")) } ?? []
            default: return [.any]
            }
        }
    }

    /// Every path that a state change writes; a stack has its entries below it.
    var written: [[PathStep]] {
        changes.flatMap { path, value in value["stack"] == "push" ? [path, path + [.any]] : [path] }
    }

    /// The paths to which a state change writes texts, by what it is given or by what it copies from such a path.
    var writtenTexts: [[PathStep]] {
        var texts: [[PathStep]] = []
        // Those that are copied come from those that are made.
        for kinds in [["script", "eventField", "string"], ["query"]] {
            for (path, value) in changes where kinds.contains(value["type"]) {
                let isText =
                    switch value["type"] {
                    case "script": value["forcedType"] == "string"
                    case "eventField": TraceVocabulary.texts.contains(value["value"])
                    case "query": texts.contains(self.path(value.all("stateAttribute")))
                    default: true
                    }
                if isText { texts.append(value["stack"] == "push" ? path + [.any] : path) }
            }
        }
        return texts
    }

    private var changes: [(path: [PathStep], value: XMLNode)] {
        node.tree.compactMap { change in
            guard ["stateChange", "then", "else"].contains(change.name) else { return nil }
            return change.all("stateValue").first.map { (path(change.all("stateAttribute")), $0) }
        }
    }
}

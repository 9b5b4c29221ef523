// SPDX-License-Identifier: MIT
// What Trace Compass demands of a file of analyses beyond its schemas: it drops what breaks these rules, mostly in silence.

@testable import RerenderTool
@testable import ToolSupport

/// Checks a file and collects what is wrong.
struct AnalysesCheck {
    private let vocabulary: TraceVocabulary
    private var faults: [String] = []

    static let traceType = "org.eclipse.linuxtools.lttng2.ust.tracetype"
    private static let views = ["timeGraphView", "xyView"]

    /// Everything that is wrong; empty for a file that is right.
    static func faults(in bytes: [UInt8], for vocabulary: TraceVocabulary) throws -> [String] {
        var check = AnalysesCheck(vocabulary: vocabulary)
        check.file(try XMLNode.parse(bytes))
        return check.faults
    }

    private init(vocabulary: TraceVocabulary) {
        self.vocabulary = vocabulary
    }

    private mutating func demand(_ condition: Bool, _ node: XMLNode, _ fault: @autoclosure () -> String) {
        if !condition { faults.append("\(node.place): \(fault())") }
    }

    private mutating func file(_ root: XMLNode) {
        demand(root.name == "tmfxml", root, "is not the root of analyses")
        var ids: Set<String> = []
        for node in root.tree
        where ["stateProvider", "pattern", "callstack"].contains(node.name) || Self.views.contains(node.name) {
            demand(!node["id"].isEmpty && ids.insert(node["id"]).inserted, node, "the id is used twice, or empty")
        }
        for node in root.tree where node.name == "stateProvider" { stateProvider(node) }
        for node in root.tree where node.name == "pattern" { pattern(node) }
        for node in root.children {
            if node.name == "callstack" { callstack(node) }
            if Self.views.contains(node.name) { view(node, root) }
        }
    }

    // MARK: Providers

    private mutating func provider(_ scope: AnalysisScope) {
        let node = scope.node
        demand(isName(node["id"]), node, "the id is no XML name")
        demand(Int(node["version"]) != nil, node, "the version is no integer")
        let types = node.all("head").flatMap { $0.all("traceType") }.map { $0["id"] }
        demand(types == [Self.traceType], node, "the trace type is \(types) and not LTTng-UST's")
        demand(node.all("head").flatMap { $0.all("label") }.count == 1, node, "has no label")
        demand(node.all("storedField").isEmpty, node, "storedField does nothing")
        for part in node.tree { value(part, scope) }
        comparisons(scope)
        texts(node)
    }

    /// Texts of the trace come byte by byte: as a state or in a row they stop the analysis where they are not ASCII.
    private mutating func texts(_ provider: XMLNode) {
        for parent in provider.tree where ["stateChange", "then", "else", "segName", "segField"].contains(parent.name) {
            for value in parent.all("stateValue") where value["type"] == "eventField" {
                demand(
                    !TraceVocabulary.texts.contains(value["value"]), value,
                    "the text \(value["value"]) becomes a state or a row as it is")
                demand(
                    !TraceVocabulary.enumerations.contains(value["value"]), value,
                    "the enumeration \(value["value"]) becomes a state or a row as it is")
            }
        }
    }

    private mutating func value(_ node: XMLNode, _ scope: AnalysisScope) {
        let text = node["value"]
        if node["type"] == "location", node.name == "stateAttribute" {
            demand(scope.locations[text] != nil, node, "there is no location \(text)")
        }
        if text.hasPrefix("$") {
            demand(scope.values.contains(String(text.dropFirst())), node, "\(text) is not defined")
        } else if ["int", "long"].contains(node["type"]), node.name == "stateValue", node["stack"].isEmpty {
            demand(Int64(text) != nil, node, "\"\(text)\" is no integer")
        }
        demand(node["forcedType"] != "double" && node["type"] != "double", node, "doubles come out wrong")
        demand(
            node["mappingGroup"].isEmpty || scope.mappings.contains(node["mappingGroup"]), node,
            "there is no mapping group \(node["mappingGroup"])")
        demand(
            node["stack"].isEmpty || (node["update"] != "true" && node["increment"] != "true"), node,
            "a stack takes neither update nor increment")
        if node.name == "stateAttribute", ["constant", "eventField", "location"].contains(node["type"]) {
            demand(!text.isEmpty, node, "the value is empty")
        }
    }

    /// A value that was never set compares as the text "null", which is greater than any digit.
    private mutating func comparisons(_ scope: AnalysisScope) {
        for parent in scope.node.tree {
            for condition in parent.all("condition") where ["gt", "ge", "lt", "le"].contains(condition["operator"]) {
                let path = scope.path(condition.all("stateAttribute"))
                guard !path.isEmpty else { continue }
                let isGuarded =
                    parent.name == "and"
                    && parent.all("condition").contains {
                        $0["operator"] == "ne" && scope.path($0.all("stateAttribute")) == path
                            && $0.all("stateValue").first?["type"] == "null"
                    }
                demand(isGuarded, condition, "is true for a value that was never set")
            }
        }
    }

    private mutating func events(_ expression: String, _ node: XMLNode, _ fields: Set<String>) {
        let events = vocabulary.events(matching: expression)
        demand(!events.isEmpty, node, "no event of a recording is named \(expression)")
        for event in events {
            for field in fields.sorted() {
                demand(vocabulary.has(field, in: event), node, "\(event) has no field \(field)")
            }
        }
    }

    private mutating func stateProvider(_ node: XMLNode) {
        let scope = AnalysisScope(node)
        provider(scope)
        for handler in node.all("eventHandler") { events(handler["eventName"], handler, scope.fields(handler)) }
    }

    private mutating func pattern(_ node: XMLNode) {
        let scope = AnalysisScope(node)
        provider(scope)
        order(node, ["head", "storedField", "definedValue", "location", "mappingGroup", "patternHandler"])
        demand(node.all("patternHandler").count == 1, node, "has not one handler")
        for segment in node.tree where segment.name == "segContent" {
            let names = segment.all("segField").map { $0["name"] }
            demand(Set(names).count == names.count, segment, "has a field twice")
        }
        for handler in node.all("patternHandler") {
            var known: [String: XMLNode] = [:]
            for part in handler.children {
                if part.name == "fsm" {
                    machine(part, known, scope)
                } else {
                    known[part.name + " " + part["id"]] = part
                }
            }
        }
    }

    private mutating func order(_ node: XMLNode, _ names: [String]) {
        let places = node.children.map { names.firstIndex(of: $0.name) ?? -1 }
        demand(places == places.sorted() && !places.contains(-1), node, "its parts are not in the order \(names)")
    }

    // MARK: Machines

    /// - Parameter known: The tests and actions that come before the machine, as "test ID" and "action ID".
    private mutating func machine(_ fsm: XMLNode, _ known: [String: XMLNode], _ scope: AnalysisScope) {
        let states = fsm.all("state", "final").map { $0["id"] }
        demand(Set(states).count == states.count && !states.contains(""), fsm, "has a state twice, or one without id")
        demand(fsm["initial"].isEmpty || states.contains(fsm["initial"]), fsm, "there is no state \(fsm["initial"])")
        for state in fsm.all("state") {
            let names = state.children.map(\.name)
            demand(
                !names.contains("transition") || names.drop { $0 != "transition" }.allSatisfy { $0 == "transition" },
                state, "its transitions are not last")
            demand(names.contains("transition"), state, "nothing leads out of it")
            for transition in state.all("transition") {
                demand(states.contains(transition["target"]), transition, "there is no state \(transition["target"])")
                var fields: Set<String> = []
                for (kind, attribute) in [("test", "cond"), ("action", "action")] {
                    for id in transition[attribute].split(separator: ":") {
                        let part = known["\(kind) \(id)"]
                        demand(part != nil, transition, "there is no \(kind) \(id) before it")
                        if let part { fields.formUnion(scope.fields(part)) }
                    }
                }
                events(transition["event"], transition, fields)
            }
        }
    }

    // MARK: Views

    private mutating func callstack(_ node: XMLNode) {
        demand(node.all("callstackGroup").count == 1, node, "only the first callstackGroup is used")
        guard let provider = node.all("stateProvider").first, let group = node.all("callstackGroup").first else {
            return demand(false, node, "has no states of its own")
        }
        let levels = group.all("level").flatMap { Self.steps($0["path"]) }
        let written = AnalysisScope(provider).written
        demand(
            written.contains { Self.fits(levels + [.named("CallStack")], $0) }, node,
            "no stack CallStack below its levels")
        for thread in group.all("thread") {
            demand(group.all("level").indices.contains(Int(thread["level"]) ?? -1), thread, "there is no such level")
        }
    }

    private mutating func view(_ node: XMLNode, _ root: XMLNode) {
        demand(node.all("head").count == 1 && node.children.first?.name == "head", node, "has no head")
        let heads = node.all("head")
        demand(heads.flatMap { $0.all("label") }.count == 1, node, "has no label")
        demand(!node.all("entry").isEmpty, node, "has no entry")
        if node.name == "xyView" { demand(node.all("entry").count == 1, node, "must have one entry") }
        for entry in node.all("entry") where node.name == "xyView" {
            demand(entry["displayType"] != "delta", entry, "the last difference is minus the whole value")
        }
        let analyses = heads.flatMap { $0.all("analysis") }.map { $0["id"] }
        let providers = root.all("stateProvider", "pattern").filter { analyses.contains($0["id"]) }
        demand(!analyses.isEmpty && providers.count == analyses.count, node, "there is no analysis \(analyses)")
        guard !providers.isEmpty else { return }
        let written = providers.flatMap { AnalysisScope($0).written }
        let texts = providers.flatMap { AnalysisScope($0).writtenTexts }
        for entry in node.all("entry") { self.entry(entry, [], written, texts) }
        for value in node.all("definedValue") {
            demand(Int(value["value"]) != nil, value, "a value that is shown in a colour is an integer")
        }
    }

    private mutating func entry(
        _ node: XMLNode, _ above: [PathStep], _ written: [[PathStep]], _ texts: [[PathStep]]
    ) {
        let base = above + Self.steps(node["path"])
        demand(
            written.contains { Self.fits(base, Array($0.prefix(base.count))) }, node,
            "no state change writes \(node["path"])")
        demand(!node.all("display", "entry").isEmpty, node, "shows nothing")
        for part in node.all("display", "name", "id") {
            let path = part["type"] == "self" ? base : base + [.named(part["value"])]
            demand(
                written.contains { Self.fits(path, $0) }, part,
                "no state change writes \(part["value"]) in \(node["path"])")
        }
        for part in node.all("display") where node["displayText"] == "true" {
            let path = part["type"] == "self" ? base : base + [.named(part["value"])]
            demand(!texts.contains { Self.fits(path, $0) }, part, "a bar shows no text of a state that is a text")
        }
        for child in node.all("entry") { entry(child, base, written, texts) }
    }

    private static func steps(_ path: String) -> [PathStep] {
        path.split(separator: "/").map { $0 == "*" ? .any : .named(String($0)) }
    }

    /// Whether a path of a view, in which anything may stand for a name, is one that is written.
    private static func fits(_ path: [PathStep], _ written: [PathStep]) -> Bool {
        path.count == written.count && zip(path, written).allSatisfy { $0 == .any || $0 == $1 }
    }

    private func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        let isStart = first.properties.isAlphabetic || first == "_"
        return isStart
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789_-.".unicodeScalars.contains($0)
            }
    }
}

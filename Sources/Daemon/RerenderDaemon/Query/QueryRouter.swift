// SPDX-License-Identifier: MIT
// Chooses the answer to a request. Knows HTTP methods and statuses, and no sockets.

import FoundationEssentials
internal import NIOHTTP1
import RerenderModel
import RerenderWire

/// A request as far as the answer depends on it.
struct ReceivedRequest {
    var method: HTTPMethod
    var uri: String
    var body: [UInt8] = []
    /// Whether the client takes JSON lines where there are some.
    var takesLines = false
}

/// What a request is answered with.
enum QueryAnswer {
    /// A whole document.
    case document(HTTPResponseStatus, [UInt8], headers: [(String, String)] = [])
    /// A document or lines, made while they are read.
    case text(AnswerText)
    /// Lines until the client disconnects.
    case events
    /// The report of a command.
    case command(CommandPlan)
}

/// Answers requests from what the registry knows.
struct QueryRouter {
    let registry: Registry
    let limits: DaemonLimits
    /// Reads threads of processes; nil in tests.
    var threads: ThreadTimes?
    /// The daemon's own state, made only when it is asked for.
    let health: () -> HealthReport

    func answer(_ request: ReceivedRequest) -> QueryAnswer {
        do {
            return try route(request)
        } catch {
            return .json(error, .badRequest)
        }
    }

    private func route(_ request: ReceivedRequest) throws(QueryError) -> QueryAnswer {
        let target = RequestTarget(request.uri)
        guard let path = QueryPath(rawValue: target.path) else {
            let paths = QueryPath.allCases.map(\.rawValue)
            return .json(
                QueryError("there is no \(target.path.shortened): see paths for what there is", paths: paths), .notFound
            )
        }
        guard path.methods.contains(request.method) else {
            let allowed = path.methods.map(\.rawValue).joined(separator: ", ")
            return .json(
                QueryError("\(path.rawValue) takes \(allowed) and not \(request.method.rawValue)"), .methodNotAllowed,
                headers: [("Allow", allowed)])
        }
        switch path {
        case .stats: return try stats(target, isLines: request.takesLines)
        case .processes: return processes()
        case .health: return .json(health())
        case .events: return .events
        case .reset: return try reset(request.body)
        case .config: return try configure(request.body)
        case .pulse: return try pulse(request.body)
        case .overlay: return try overlay(request.body)
        case .hangs: return try hangs(target)
        case .mark where request.method == .POST: return try mark(request.body)
        case .mark: return try marked(target)
        }
    }

    private func stats(_ target: RequestTarget, isLines: Bool) throws(QueryError) -> QueryAnswer {
        let query = try StatsQuery(parameters: target.parameters, limits: limits.limitParameter)
        if let process = query.process, !registry.processes.contains(where: { $0.matches(process) }) {
            return unknownProcess(process)
        }
        threads?.read(for: query.process, in: registry)
        return .text(
            AnswerText(elements: registry.mostElements(of: query), isLines: isLines, of: registry) { [registry] in
                registry.plan(query)
            })
    }

    /// The same as a value.
    func export(_ query: StatsQuery) -> StatsExport {
        threads?.read(for: query.process, in: registry)
        return registry.export(query)
    }

    private func processes() -> QueryAnswer {
        let stores = registry.stores(of: nil)
        let list = ProcessList(processes: [])
        return .text(AnswerText(list, list: "processes", count: stores.count, registry.stats(of: stores)))
    }

    private func hangs(_ target: RequestTarget) throws(QueryError) -> QueryAnswer {
        let query = try HangsQuery(parameters: target.parameters, limits: limits.limitParameter)
        let hangs = registry.hangs.list(limit: query.limit, where: query.matches)
        // A process that is forgotten may have hangs that are not.
        if hangs.isEmpty, let process = query.process, !registry.processes.contains(where: { $0.matches(process) }),
            !registry.hangs.entries.contains(where: { "\($0.hang.pid)" == process || $0.hang.process == process })
        {
            return unknownProcess(process)
        }
        let list = HangList(generatedAt: .now, hangs: [])
        let current = hangs.map(\.id).lazy.compactMap { [registry] in registry.hangs.hang($0) }
        return .text(AnswerText(list, list: "hangs", count: hangs.count, current))
    }

    // MARK: Commands

    private func reset(_ body: [UInt8]) throws(QueryError) -> QueryAnswer {
        let selection = try Self.decode(
            ProcessSelection.self, from: body.isEmpty ? Array("{}".utf8) : body,
            example: #"{"process": "shop", "store": "main"}"#)
        return command(selection) { .reset(request: $0, storeID: $1) }
    }

    private func configure(_ body: [UInt8]) throws(QueryError) -> QueryAnswer {
        let change = try Self.decode(
            ConfigurationChange.self, from: body, example: #"{"enabled": true, "hangThresholdMilliseconds": 250}"#)
        for threshold in [change.hangThresholdMilliseconds, change.microHangThresholdMilliseconds] {
            guard let threshold, !HangThreshold.allowedMilliseconds.contains(threshold) else { continue }
            throw QueryError(
                "a threshold cannot be \(threshold) ms: use \(HangThreshold.allowedMilliseconds.lowerBound) "
                    + "to \(HangThreshold.allowedMilliseconds.upperBound)")
        }
        let settings = DaemonMessage.Settings(
            isEnabled: change.enabled, hangThresholdMilliseconds: change.hangThresholdMilliseconds,
            microHangThresholdMilliseconds: change.microHangThresholdMilliseconds,
            hangStacks: change.hangStacks)
        guard settings != DaemonMessage.Settings() else {
            throw QueryError(
                "nothing to change: give enabled, hangThresholdMilliseconds, microHangThresholdMilliseconds or hangStacks"
            )
        }
        return command(ProcessSelection(process: change.process, store: change.store)) {
            .configure(request: $0, storeID: $1, settings)
        }
    }

    private func pulse(_ body: [UInt8]) throws(QueryError) -> QueryAnswer {
        let pulse = try Self.decode(
            PulseRequest.self, from: body, example: #"{"key": "CartTotal"}"#)
        guard pulse.key.utf8.count <= WireLimits.keyBytes else {
            throw QueryError("a key has at most \(WireLimits.keyBytes) bytes")
        }
        return command(ProcessSelection(process: pulse.process, store: pulse.store)) {
            .pulse(request: $0, storeID: $1, key: pulse.key)
        }
    }

    private func overlay(_ body: [UInt8]) throws(QueryError) -> QueryAnswer {
        let wanted = try Self.decode(OverlayRequest.self, from: body, example: #"{"overlay": "hud", "on": true}"#)
        return command(ProcessSelection(process: wanted.process, store: wanted.store)) {
            .overlay(request: $0, storeID: $1, wanted.overlay, isOn: wanted.on)
        }
    }

    private func command(
        _ selection: ProcessSelection, _ message: @escaping (UInt32, UInt32?) -> DaemonMessage
    ) -> QueryAnswer {
        let processes = registry.processes.filter { $0.matches(selection.process) }
        if processes.isEmpty, let name = selection.process { return unknownProcess(name) }
        var targets: [CommandPlan.Target] = []
        var knowsStore = false
        for process in processes {
            let stores = process.stores.filter {
                selection.fits(storeName: $0.state.name, number: $0.state.storeID)
            }
            knowsStore = knowsStore || !stores.isEmpty
            guard let connection = process.connection?.serial else { continue }
            if selection.store == nil {
                targets.append(.init(connection: connection, storeID: nil))
            } else {
                let live = stores.filter { !$0.hasEnded }
                targets += live.map { .init(connection: connection, storeID: $0.state.storeID) }
            }
        }
        if let name = selection.store, !knowsStore {
            return unknown("store", name, Self.firstNames(of: processes.lazy.flatMap(\.stores)))
        }
        return .command(CommandPlan(targets: targets, message: message))
    }

    // MARK: Marks

    private func mark(_ body: [UInt8]) throws(QueryError) -> QueryAnswer {
        let request = try Self.decode(MarkRequest.self, from: body, example: #"{"name": "tap Add"}"#)
        guard (1...MarkRequest.longestName).contains(request.name.utf8.count) else {
            throw QueryError("a mark's name has 1 to \(MarkRequest.longestName) bytes")
        }
        let fitting = registry.processes.filter { $0.matches(request.process) }
        if fitting.isEmpty, let name = request.process { return unknownProcess(name) }
        threads?.read(for: request.process, in: registry)
        var report = MarkReport(name: request.name, at: .now)
        // Copies of the library in one process are one process.
        let names = Dictionary(fitting.filter { $0.connection != nil }.map { ($0.identity.pid, $0.name) }) { first, _ in
            first
        }
        for (pid, name) in names.sorted(by: { $0.key < $1.key }).prefix(limits.markedProcesses) {
            guard let kept = registry.keep(request.name, of: pid, at: report.at) else { continue }
            report.processes.append(MarkReport.Process(pid: pid, name: name, views: kept.views, left: kept.left))
        }
        report.left = names.count - report.processes.count
        if !report.processes.isEmpty { registry.onMark(report.name) }
        return .json(report)
    }

    private func marked(_ target: RequestTarget) throws(QueryError) -> QueryAnswer {
        let known = ["name", "process"]
        if let other = target.parameters.first(where: { !known.contains($0.name) }) {
            throw QueryError.unknownParameter(other.name, of: known)
        }
        let values = Dictionary(target.parameters.map { ($0.name, $0.value) }) { _, last in last }
        guard let name = values["name"] else { throw QueryError("name is missing: say which mark is wanted") }
        let fitting = registry.processes.filter { $0.matches(values["process"]) }
        if fitting.isEmpty, let process = values["process"] { return unknownProcess(process) }
        let pids = Set(fitting.map(\.identity.pid))
        guard let snapshot = registry.marks.latest(name, of: pids) else {
            return unknown("mark", name, registry.marks.names(of: pids).prefix(Self.namesInErrors).map { "\"\($0)\"" })
        }
        let head = MarkedCounts(name: snapshot.name, at: snapshot.at, pid: snapshot.pid, left: snapshot.left)
        // It needs a place among the long answers, however short it is: the mark may go before all of it is read.
        return .text(AnswerText(head, list: "lines", count: limits.shortElements + 1, snapshot.lines))
    }

    // MARK: Errors

    private func unknownProcess(_ name: String) -> QueryAnswer {
        unknown(
            "process", name, registry.processes.prefix(Self.namesInErrors).map { "\($0.name) (\($0.identity.pid))" })
    }

    private func unknown(_ what: String, _ name: String, _ known: [String]) -> QueryAnswer {
        let list = known.isEmpty ? "none is known yet" : "known are " + known.joined(separator: ", ")
        return .json(QueryError("there is no \(what) \"\(name.shortened)\": \(list)"), .notFound)
    }

    /// As many names as people would read.
    private static let namesInErrors = 20

    /// The first names of stores, each once, without sorting the rest: hostile apps make some 100,000.
    private static func firstNames(of stores: some Sequence<StoreEntry>) -> [String] {
        var names: [String] = []
        for store in stores {
            let name = store.state.name
            if names.count == namesInErrors, let last = names.last, !name.precedes(last) { continue }
            let place = names.firstIndex { !$0.precedes(name) } ?? names.count
            if place < names.count, names[place].isSame(as: name) { continue }
            names.insert(name, at: place)
            if names.count > namesInErrors { names.removeLast() }
        }
        return names
    }

    private static func decode<T: Decodable>(
        _ type: T.Type, from body: [UInt8], example: String
    ) throws(QueryError) -> T {
        let (value, names): (T, [String: AnyValue])
        do {
            value = try JSONDecoder().decode(type, from: Data(body))
            names = try JSONDecoder().decode([String: AnyValue].self, from: Data(body))
        } catch {
            throw QueryError("the body is not the JSON that this path takes, such as \(example)")
        }
        // A misspelt selection would be a command to all apps. The types have no coding keys but their properties.
        let fields = Mirror(reflecting: value).children.compactMap(\.label)
        if let unknown = names.keys.sorted().first(where: { !fields.contains($0) }) {
            throw QueryError(
                "there is no field \"\(unknown.shortened)\" in the body: use \(fields.joined(separator: ", "))")
        }
        return value
    }
}

extension Registry {
    /// A program marks a moment itself.
    func mark(_ name: String, by process: ProcessEntry) {
        let (pid, now) = (process.identity.pid, Timestamp.now)
        if !marks.repeatLatest(of: pid, as: name, at: now) { _ = keep(name, of: pid, at: now) }
        onMark(name)
    }

    /// Keeps what a process has counted, under a name: of its views those of most evaluations for which there is room. Returns of how many,
    /// and how many are left out; nil where there is no room for its stores.
    fileprivate func keep(_ name: String, of pid: Int32, at time: Timestamp) -> (views: Int, left: Int)? {
        let chosen = stores(of: nil) { $1.identity.pid == pid }.compactMap { storesBySerial[$0] }
        let (wanted, matching) = ViewRanking(StatsQuery(.count, limit: limits.markedViews), chosen, nil).views()
        let room = limits.markedBytes / limits.marks
        var bytes = chosen.reduce(512) { $0 + $1.store.shownBytes }
        guard bytes <= room else { return nil }
        var views = wanted.indices.flatMap { place in wanted[place].map { (place: place, index: Int($0)) } }
        func view(_ view: (place: Int, index: Int)) -> ViewEntry { chosen[view.place].store.views[view.index] }
        views.sort { view($0).totals.count > view($1).totals.count }
        // Each store's views were in this order before, so that the first ones of each are kept.
        var kept = [Int](repeating: 0, count: chosen.count)
        for next in views {
            bytes += view(next).bytes
            guard bytes <= room else { break }
            kept[next.place] += 1
        }
        let left = matching - kept.reduce(0, +)
        let parts = zip(chosen, zip(wanted, kept)).map { (entry, best) -> (stats: ProcessStats, views: [ViewEntry]) in
            let views = best.0.prefix(best.1).map { entry.store.views[Int($0)] }
            var stats = entry.store.stats(of: entry.process)
            // What threads had run when somebody asked last says nothing of this moment.
            if !entry.process.areThreadsRead { stats.loop?.threads = [] }
            return (stats: stats, views: views)
        }
        marks.add(.init(name: name, at: time, pid: pid, stores: parts, left: left, bytes: min(bytes, room)))
        return (matching - left, left)
    }
}

/// A JSON value that is not read.
private struct AnyValue: Decodable {
    init(from decoder: any Decoder) {}
}

extension QueryAnswer {
    static func json(
        _ document: some Encodable, _ status: HTTPResponseStatus = .ok, headers: [(String, String)] = []
    ) -> QueryAnswer {
        guard let data = try? StatsExport.encoder().encode(document) else {
            return .document(.internalServerError, Array(#"{"error": "the answer could not be written"}"#.utf8))
        }
        return .document(status, Array(data) + [UInt8(ascii: "\n")], headers: headers)
    }
}

extension QueryPath {
    var methods: [HTTPMethod] {
        switch self {
        case .stats, .processes, .health, .events, .hangs: [.GET, .HEAD]
        case .mark: [.GET, .HEAD, .POST]
        case .config, .reset, .pulse, .overlay: [.POST]
        }
    }
}

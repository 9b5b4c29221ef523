// SPDX-License-Identifier: MIT
// The graph of one loop: which bodies are evaluated, in which order, and which handlers follow.

/// The nodes of one loop, and the evaluations that wait.
///
/// The loop decides when a turn's phases come; the graph does the work of the evaluation and of the handlers.
@MainActor
final class ViewGraph: LayerOwner {
    /// Wakes the loop's driver.
    private let wakeDriver: @MainActor () -> Void
    /// The loop, for the folders above this one. Proof: the loop takes all nodes away before it goes.
    unowned(unsafe) var host: AnyObject?
    private(set) lazy var layers = LayerTree(owner: self, size: size) { [unowned self] in wake() }
    private let size: CellSize
    private let mount: @MainActor (NodeContext) -> Node
    private(set) var root: Node?
    private let environment = EnvironmentScope(outer: nil)

    /// The number of the present turn, or of the last one.
    private(set) var turn: UInt64 = 0
    /// The present turn and round, as nodes keep them.
    private(set) var turnMark = NodeMark(0)
    private var roundMark = NodeMark(0)
    /// The commit that will show what is evaluated now, as nodes keep it.
    private(set) var nextCommit = NodeMark(1)
    /// Counts the rounds in which the queue is emptied.
    private var round: UInt64 = 0
    /// The phase that the loop is in; nil between two turns.
    var phase: LoopPhase?
    /// How many bodies were evaluated so far.
    private(set) var evaluations: UInt64 = 0
    private var serial: UInt64 = 0
    /// Tells the graphs of a process apart.
    private let number = ViewGraph.count()
    private static var graphs: UInt64 = 0

    private static func count() -> UInt64 {
        graphs += 1
        return graphs
    }

    /// What tells a node from those of all graphs of the process.
    func instanceNumber(of node: Node) -> UInt64 { number << 48 | node.serial }

    private var queue = EvaluationQueue()
    private var isEvaluating = false
    /// Nodes that a body invalidated after their own evaluation in this round; they wait for the next pass.
    private var deferred: [Node] = []
    private var checks: [@MainActor () -> Void] = []
    private var scheduled: [(handler: Handler, causes: [Node], action: @MainActor () -> Void)] = []

    let observers = Listeners<LoopEvent>()
    var onWarning: @MainActor (LoopWarning) -> Void = { _ in }
    private var hasWarnedOfPublishing = false
    private var warnedOfObjects: Set<ObjectIdentifier> = []

    /// The handler that runs.
    private(set) var runningHandler: HandlerReference?
    /// The handler that ran last in this turn.
    private(set) var lastHandler: HandlerReference?
    /// The handler that caused the evaluation that runs, also where that comes down from a parent.
    private var causingHandler: HandlerReference?

    /// How many nodes offer probes; nodes look for one only while there are any.
    var probeOffers = 0 { didSet { layers.recordsOwners = probeOffers > 0 } }
    /// Nodes with probes that were evaluated since the last commit, and whether for the first time.
    private var evaluatedProbes: [(node: Node, isFirst: Bool)] = []
    var drawingCauses = DrawingCauses()

    /// Makes a graph; `mount` makes the node at the top in the first evaluation.
    init(
        size: CellSize, wake: @escaping @MainActor () -> Void, mount: @escaping @MainActor (NodeContext) -> Node
    ) {
        self.size = size
        wakeDriver = wake
        self.mount = mount
    }

    /// Unmounts all nodes without events: observers may be gone already.
    func end() {
        observers.removeAll()
        root?.unmount()
        layers.root.detach()
    }

    /// Asks for a turn; within one, its end is still to come.
    func wake() {
        if phase == nil { wakeDriver() }
    }

    func beginTurn() {
        turn += 1
        turnMark = NodeMark(turn)
    }

    func endTurn() { lastHandler = nil }

    var hasInvalid: Bool { root == nil || !queue.isEmpty || layers.layout.isNeeded }
    var hasHandlers: Bool { !scheduled.isEmpty }

    // MARK: Layers

    func collectSublayers(into list: inout [Layer]) -> Range<Int> {
        root?.collectLayers(into: &list)
        return 0..<list.count
    }

    func drawingChanged(in commit: UInt64) {}

    // MARK: Evaluation

    /// Evaluates and lays out until nothing is left; what the layout invalidates is evaluated in the same phase.
    func evaluateAll(roundLimit: Int) {
        layers.transactions.openImplicit()
        if root == nil { makeRoot() }
        var rounds = 0
        repeat {
            rounds += 1
            evaluateRound()
            layers.layout.run()
        } while (!queue.isEmpty || layers.layout.isNeeded) && rounds < roundLimit
        for node in deferred where node.isQueued { queue.insert(node) }
        deferred.removeAll(keepingCapacity: true)
        let due = checks
        checks.removeAll(keepingCapacity: true)
        for check in due { check() }
    }

    private func evaluateRound() {
        beginRound()
        isEvaluating = true
        queue.begin()
        // An observer may write, which puts further nodes into the queue.
        if isObserved {
            for node in queue.nodes { emit(.invalidated(node.reference, node.record?.reasons ?? [])) }
        }
        while let node = queue.pop() {
            // An ancestor's evaluation may have brought it up to date, or taken it away.
            guard node.isQueued, node.isMounted else { continue }
            causingHandler = node.record?.reasons.lazy.compactMap(\.handler).first
            node.evaluate()
        }
        causingHandler = nil
        isEvaluating = false
    }

    /// Calls `check` at the end of this evaluation phase, when everything is laid out; to schedule handlers.
    func afterEvaluation(_ check: @escaping @MainActor () -> Void) { checks.append(check) }

    private func beginRound() {
        round += 1
        roundMark = NodeMark(round)
    }

    private func makeRoot() {
        beginRound()
        isEvaluating = true
        defer { isEvaluating = false }
        root = mount(NodeContext(graph: self, parent: nil, environment: environment))
        layers.layout.sublayersChanged(of: layers.root)
    }

    func enqueue(_ node: Node) {
        if isEvaluating, node.evaluatedRound == roundMark { return deferred.append(node) }
        let isFirst = queue.isEmpty
        queue.insert(node)
        if isFirst { wake() }
    }

    func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    /// Evaluates a node's body and reports it.
    @inline(__always)
    func evaluate<Output>(_ node: Node, _ body: () -> Output) -> Output {
        evaluations += 1
        let last = node.evaluatedTurn
        node.evaluatedTurn = turnMark
        node.evaluatedRound = roundMark
        if !isObserved, node.record == nil { return body() }
        report(node, last: last)
        return body()
    }

    @inline(never)
    private func report(_ node: Node, last: NodeMark) {
        let isAgain = last == turnMark
        let reasons = node.record?.takeReasons() ?? []
        emit(.evaluated(node.reference, reasons))
        let handler = reasons.lazy.compactMap(\.handler).first ?? causingHandler
        if isAgain { emit(.evaluatedAgain(node.reference, handler: handler)) }
        guard let probe = node.record?.probe else { return }
        for reason in reasons { probe.willEvaluate(node, reason: reason) }
        if isAgain { probe.evaluatedAgain(node) }
        evaluatedProbes.append((node, last == .none))
    }

    /// A reason that comes down from a parent's evaluation.
    func inherited(_ kind: EvaluationReason.Kind, _ name: String = "") -> EvaluationReason {
        var reason = EvaluationReason(kind, name)
        reason.handler = causingHandler
        return reason
    }

    /// Tells the probes of evaluated nodes what a commit made of that.
    ///
    /// What a view draws first is new, even where that is nothing: there was no output before it.
    func tellProbes(commit: UInt64) {
        nextCommit = NodeMark(commit + 1)
        drawingCauses.removeAll()
        guard !evaluatedProbes.isEmpty else { return }
        let nodes = evaluatedProbes
        evaluatedProbes.removeAll()
        var told = Set<UInt64>()
        for (node, isFirst) in nodes where node.isMounted && told.insert(node.serial).inserted {
            node.record?.probe?.committed(node, changed: isFirst || node.changedCommit == NodeMark(commit))
        }
    }

    // MARK: Handlers

    func schedule(_ handler: Handler, causes: [Node], _ action: @escaping @MainActor () -> Void) {
        scheduled.append((handler, causes, action))
        wake()
    }

    /// Runs the scheduled handlers; those that they schedule run in the next handlers phase.
    func runHandlers() {
        let due = scheduled
        scheduled.removeAll(keepingCapacity: true)
        for (handler, causes, action) in due where handler.admit(in: turn) {
            runningHandler = handler.reference
            lastHandler = handler.reference
            emit(.handlerRan(handler.reference))
            DrawingCauses.runHandler(of: causes, action)
            runningHandler = nil
        }
    }

    // MARK: Events

    /// Whether events have to be made.
    var isObserved: Bool { !observers.isEmpty }

    func emit(_ event: @autoclosure () -> LoopEvent) {
        if !observers.isEmpty { observers.call(event()) }
    }

    func warn(_ warning: LoopWarning) {
        emit(.warning(warning))
        onWarning(warning)
    }

    /// Warns, once for each loop, that another thread changes an object.
    func warnOfPublishing(_ type: Any.Type, for node: Node) {
        guard !hasWarnedOfPublishing else { return }
        hasWarnedOfPublishing = true
        warn(.publishedFromBackgroundThread("\(type)", (node.author ?? node).reference))
    }

    /// Warns, once for each type, that what an object sends is received by nobody.
    func warnOfLostPublisher(_ type: Any.Type, for node: Node) {
        guard warnedOfObjects.insert(ObjectIdentifier(type)).inserted else { return }
        warn(.objectWillChangeIsNotKept("\(type)", (node.author ?? node).reference))
    }
}

// SPDX-License-Identifier: MIT
// The loop: turns, their phases, and what they work on. See RenderLoop.docc/RenderLoop.md for the design.

/// A view graph on a run loop: evaluates, lays out and commits as SwiftUI is documented to.
///
/// The driver says when turns begin and end: the real main run loop, or a virtual clock. All of it belongs to the main
/// actor. When the loop is released, all views disappear.
@MainActor
public final class RenderLoop {
    /// What drives the loop.
    public let driver: any LoopDriver
    /// The number of the present turn, or of the last; the first is 1.
    public private(set) var turn: UInt64 = 0
    /// How many bodies were evaluated so far.
    public internal(set) var evaluations: UInt64 = 0
    /// Called with each warning, also with one that was told before.
    ///
    /// At first they go to stderr, where each text is printed once, and no more than 128.
    public var onWarning: @MainActor (LoopWarning) -> Void = WarningPrinter().print
    /// While true, each evaluation and its causes are printed to ``changesOutput``.
    public var printChanges = false

    private(set) lazy var rootLayer = Layer(of: self)
    private(set) lazy var layout = LayoutPass(root: rootLayer, size: size)
    private let size: CellSize
    let commits = CommitQueue()
    var transactions = TransactionMachine()
    var inputs = InputQueue()
    var frames = FrameLinks()
    var observers: [(id: UInt64, body: @MainActor (LoopEvent) -> Void)] = []
    var observerSerial: UInt64 = 0
    var cancelledObservers: UInt64 = 0
    var renderers: [any LayerRenderer] = []

    private let mount: @MainActor (NodeContext) -> Node
    private(set) var root: Node?
    private let environment = EnvironmentScope(outer: nil)
    private var queue = EvaluationQueue()
    /// Counts the rounds in which the queue is emptied.
    private var round: UInt64 = 0
    /// The present turn and round, as nodes keep them.
    private(set) var turnMark = NodeMark(0)
    private var roundMark = NodeMark(0)
    private var isEvaluating = false
    /// What a body invalidated that had its turn in the round already: it waits for the next pass.
    private var deferred: [Node] = []
    private var checks: [@MainActor () -> Void] = []
    private var scheduled: [(handler: Handler, action: @MainActor () -> Void)] = []
    private var serial: UInt64 = 0
    private(set) var phase: LoopPhase?
    private var pass = 0
    private let signpost = PhaseSignpost()
    /// A turn was to end while this one's work was done.
    private var isWantedAgain = false
    private var hasWarnedOfPublishing = false
    /// The handler that runs.
    private(set) var runningHandler: HandlerReference?
    /// The input that is given to its view.
    var runningInput: RunningInput?
    /// The handler that caused the evaluation that runs, also where that comes down from a parent.
    private var causingHandler: HandlerReference?
    private var lastHandler: HandlerReference?
    /// How many nodes offer probes; while none does, nobody looks for one.
    var probeOffers = 0
    /// What debugging tools keep and show.
    let tools = LoopTools()
    /// The turn that the stores were told of.
    var toldTurn: UInt64 = 0
    /// Nodes with probes that were evaluated since the last commit.
    private var evaluatedProbes: [Node] = []

    /// Makes a loop for a view, which appears in the first turn.
    ///
    /// - Parameters:
    ///   - root: The view at the top.
    ///   - driver: What drives the loop; it keeps the loop alive no longer than you do.
    ///   - size: The size of the screen, in character cells.
    public init<Root: View>(_ root: Root, driver: any LoopDriver, size: CellSize = CellSize(width: 80, height: 24)) {
        PhaseSignpost.prepare()
        self.driver = driver
        self.size = size
        mount = { $0.make(root) }
        rootLayer.layout = .joined(.topLeading)
        driver.connect(self)
        driver.wake()
    }

    isolated deinit {
        // Nobody is told: those who observe may be gone.
        observers = []
        printChanges = false
        root?.unmount()
        tools.end()
        rootLayer.detach()
    }

    // MARK: Turns, called by drivers

    /// A turn begins: what follows until ``finishTurn()`` are its callouts. Nothing happens if one has begun.
    public func beginTurn() {
        guard phase == nil else { return }
        turn += 1
        turnMark = NodeMark(turn)
        pass = 0
        emit(.turnBegan(turn))
        enter(.callouts)
    }

    /// Calls the program, inside of a turn.
    public func callOut(_ kind: CalloutKind, _ label: String, _ body: () -> Void) {
        beginTurn()
        emit(.callout(kind, label))
        body()
    }

    /// The callouts are over and the loop is about to wait: evaluates, runs handlers, commits.
    ///
    /// Inside of a body, a handler or a commit, where somebody runs the run loop on, nothing happens: the turn goes on
    /// when that is over, and another follows.
    public func finishTurn() {
        beginTurn()
        guard phase == .callouts else {
            isWantedAgain = true
            return
        }
        var machine = TurnMachine()
        while true {
            let step = machine.next(hasInvalid: hasInvalid, hasHandlers: !scheduled.isEmpty)
            switch step {
            case .evaluate(let pass):
                self.pass = pass
                enter(.evaluation)
                evaluateAll()
            case .runHandlers:
                enter(.handlers)
                runHandlers()
            case .cutOff:
                warn(.cutOff(lastHandler))
            case .commit:
                enter(.commit)
                commitTurn()
            case .end:
                leavePhase()
                emit(.waiting(turn))
                lastHandler = nil
                // A renderer or an observer of the commit may have changed layers.
                if hasInvalid || !scheduled.isEmpty || transactions.isImplicit || isWantedAgain { driver.wake() }
                isWantedAgain = false
                return
            }
        }
    }

    private var hasInvalid: Bool { root == nil || !queue.isEmpty || layout.isNeeded }

    // MARK: Evaluation

    /// Evaluates and lays out until nothing is left; what the layout invalidates is evaluated in the same phase.
    private func evaluateAll() {
        transactions.openImplicit()
        if root == nil { makeRoot() }
        var rounds = 0
        repeat {
            rounds += 1
            beginRound()
            isEvaluating = true
            queue.begin()
            // An observer may write, which puts further nodes into the queue.
            if isObserved {
                for node in queue.nodes { emit(.invalidated(node.reference, node.record?.causes ?? [])) }
            }
            while let node = queue.pop() {
                // An ancestor's evaluation may have brought it up to date, or taken it away.
                guard node.isQueued, node.isMounted else { continue }
                causingHandler = node.record?.causes.lazy.compactMap(\.handler).first
                node.evaluate()
            }
            causingHandler = nil
            isEvaluating = false
            layout.run()
        } while (!queue.isEmpty || layout.isNeeded) && rounds < TurnMachine.passLimit
        for node in deferred where node.isQueued { queue.insert(node) }
        deferred.removeAll(keepingCapacity: true)
        let due = checks
        checks.removeAll(keepingCapacity: true)
        for check in due { check() }
    }

    /// Calls at the end of the evaluation phase that runs, when everything is laid out; to schedule handlers.
    func afterEvaluation(_ check: @escaping @MainActor () -> Void) { checks.append(check) }

    private func beginRound() {
        round += 1
        roundMark = NodeMark(round)
    }

    private func makeRoot() {
        beginRound()
        isEvaluating = true
        defer { isEvaluating = false }
        let context = NodeContext(loop: self, parent: nil, environment: environment)
        let made = mount(context)
        root = made
        layout.sublayersChanged(of: rootLayer)
    }

    /// The layers at the top, for the root layer.
    func collectRootLayers(into list: inout [Layer]) { root?.collectLayers(into: &list) }

    func enqueue(_ node: Node) {
        if isEvaluating, node.evaluatedRound == roundMark { return deferred.append(node) }
        let isFirst = queue.isEmpty
        queue.insert(node)
        // In a turn the end is still to come.
        if isFirst, phase == nil { driver.wake() }
    }

    func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    /// Evaluates a node's body and tells of it.
    @inline(__always)
    func evaluate<Output>(_ node: Node, _ body: () -> Output) -> Output {
        evaluations += 1
        let isAgain = node.evaluatedTurn == turnMark
        node.evaluatedTurn = turnMark
        node.evaluatedRound = roundMark
        if !isObserved, node.record == nil { return body() }
        tell(of: node, isAgain: isAgain)
        return body()
    }

    @inline(never)
    private func tell(of node: Node, isAgain: Bool) {
        let causes = node.record?.takeCauses() ?? []
        emit(.evaluated(node.reference, causes))
        if printChanges {
            tools.changesOutput(ChangesText.line(node, causes))
        }
        let handler = causes.lazy.compactMap(\.handler).first ?? causingHandler
        if isAgain { emit(.evaluatedAgain(node.reference, handler: handler)) }
        guard let probe = node.record?.probe else { return }
        for cause in causes { probe.willEvaluate(node, cause: cause) }
        if isAgain { probe.evaluatedAgain(node, handler: handler) }
        evaluatedProbes.append(node)
    }

    /// A cause that comes down from a parent's evaluation.
    func inherited(_ kind: EvaluationCause.Kind, _ name: String = "") -> EvaluationCause {
        var cause = EvaluationCause(kind, name)
        cause.handler = causingHandler
        return cause
    }

    // MARK: Probes

    private func tellProbes(commit: NodeMark) {
        guard !evaluatedProbes.isEmpty else { return }
        let nodes = evaluatedProbes
        evaluatedProbes.removeAll()
        var told = Set<UInt64>()
        for node in nodes where node.isMounted && told.insert(node.serial).inserted {
            node.record?.probe?.committed(node, changed: node.changedCommit == commit)
        }
    }

    // MARK: Handlers

    func schedule(_ handler: Handler, _ action: @escaping @MainActor () -> Void) {
        scheduled.append((handler, action))
        if phase == nil { driver.wake() }
    }

    /// Runs what is scheduled; what they schedule comes in the next handlers phase.
    private func runHandlers() {
        let due = scheduled
        scheduled.removeAll(keepingCapacity: true)
        for (handler, action) in due where handler.admit(in: turn) {
            runningHandler = handler.reference
            lastHandler = handler.reference
            emit(.handlerRan(handler.reference))
            action()
            runningHandler = nil
        }
    }

    /// Another thread changes an object; once in the life of the loop.
    func warnOfPublishing(_ type: Any.Type, for node: Node) {
        guard !hasWarnedOfPublishing else { return }
        hasWarnedOfPublishing = true
        warn(.publishedFromBackgroundThread("\(type)", (node.evaluatedNode ?? node).reference))
    }

    func warn(_ warning: LoopWarning) {
        emit(.warning(warning))
        onWarning(warning)
    }

    // MARK: Commits

    private func commitTurn() {
        tools.overlays.place(in: rootLayer)
        if transactions.endTurn() { commit(isExplicit: false) }
    }

    func commit(isExplicit: Bool) {
        let commit = commits.take(turn: turn, root: rootLayer)
        // Before observers, whose own transactions would commit in between. Those that an explicit commit finds are of
        // turns whose changes it kept back: the implicit one of this turn would have kept it from committing.
        tellProbes(commit: NodeMark(commit.serial))
        emit(.committed(commit.serial, changes: commit.changes.count, isExplicit: isExplicit))
        guard !commit.changes.isEmpty else { return }
        for renderer in renderers { renderer.render(commit) }
    }

    // MARK: Phases

    private func enter(_ new: LoopPhase) {
        leavePhase()
        phase = new
        signpost.begin(new, turn: turn)
        emit(.phaseBegan(new, pass: pass))
    }

    private func leavePhase() {
        guard let phase else { return }
        signpost.end(turn: turn)
        emit(.phaseEnded(phase))
        self.phase = nil
    }
}

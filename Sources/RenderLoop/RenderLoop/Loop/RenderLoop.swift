// SPDX-License-Identifier: MIT
// The loop: turns, their phases, and commits. See RenderLoop.docc/RenderLoop.md for the design.

@_spi(Bridge) import Rerender

/// A view graph on a run loop: evaluates, lays out and commits as SwiftUI is documented to.
///
/// The driver says when turns begin and end: the real main run loop, or a virtual clock. All of it belongs to the main
/// actor. When the loop is released, all views disappear.
@MainActor
public final class RenderLoop {
    /// What drives the loop.
    public let driver: any LoopDriver
    let graph: ViewGraph
    var inputs = InputQueue()
    let displayLinks = Listeners<Frame>()
    var areFramesWanted = false
    private var renderers: [any LayerRenderer] = []
    /// What the tools add to the loop.
    var extensions: [any LoopExtension] = []
    /// Counts the evaluations of the turn.
    private var pass = 0
    private let signpost = PhaseSignpost()
    /// A turn should have ended during this one's work.
    private var isWantedAgain = false

    /// Makes a loop for a view, which appears in the first turn.
    ///
    /// - Parameters:
    ///   - root: The view at the top.
    ///   - driver: What drives the loop; it does not keep the loop alive.
    ///   - size: The size of the screen, in character cells.
    public init<Root: View>(_ root: Root, driver: any LoopDriver, size: CellSize = CellSize(width: 80, height: 24)) {
        PhaseSignpost.prepare()
        self.driver = driver
        graph = ViewGraph(size: size, wake: { driver.wake() }, mount: { $0.make(root) })
        unsafe graph.host = self
        graph.onWarning = WarningPrinter().print
        layers.root.layout = .joined(.topLeading)
        driver.connect(self)
        driver.wake()
    }

    isolated deinit {
        graph.end()
        for part in extensions { part.end() }
    }

    /// Has a renderer say how large texts and controls are, which it then draws itself. To be called before the first turn.
    package func setMetrics(_ metrics: any LayerMetrics) { layers.metrics = metrics }

    /// Gives the screen another size, which the next turn lays out. Nothing happens where it is as before.
    public func resize(to size: CellSize) { layers.layout.resize(to: size) }

    /// The number of the present turn, or of the last; the first is 1.
    public var turn: UInt64 { graph.turn }

    /// How many bodies were evaluated so far.
    public var evaluations: UInt64 { graph.evaluations }

    /// Called with each warning, also with one that was given before.
    ///
    /// By default, warnings go to stderr, where each text is printed once, and no more than 128.
    public var onWarning: @MainActor (LoopWarning) -> Void {
        get { graph.onWarning }
        set { graph.onWarning = newValue }
    }

    private var layers: LayerTree { graph.layers }

    // MARK: Turns, called by drivers

    /// Begins a turn: what follows until ``finishTurn()`` are its callouts. Nothing happens if one has begun.
    public func beginTurn() {
        guard graph.phase == nil else { return }
        graph.beginTurn()
        pass = 0
        graph.emit(.turnBegan(turn))
        enter(.callouts)
    }

    /// Calls the program, inside of a turn.
    public func callOut(_ kind: CalloutKind, _ label: String, _ body: () -> Void) {
        beginTurn()
        graph.emit(.callout(kind, label))
        body()
    }

    /// Ends the callouts when the loop is about to wait: evaluates, runs handlers, commits.
    ///
    /// Inside of a body, a handler or a commit that runs the run loop itself, nothing happens: the turn continues after
    /// that, and another one follows.
    public func finishTurn() {
        beginTurn()
        guard graph.phase == .callouts else {
            isWantedAgain = true
            return
        }
        evaluate()
        enter(.commit)
        for part in extensions { part.willCommit(layers.root) }
        if layers.transactions.endTurn() { commit(isExplicit: false) }
        endTurn()
    }

    /// Enough for a chain of handlers that each cause the next; more is an endless loop. SwiftUI's limit is of this size.
    private static let passLimit = 8

    /// Evaluates and runs handlers until nothing is left, or too often: what is left then waits for the next turn.
    private func evaluate() {
        var handlerRounds = 0
        while graph.hasInvalid || graph.hasHandlers {
            if graph.hasInvalid, pass < Self.passLimit {
                pass += 1
                enter(.evaluation)
                graph.evaluateAll(roundLimit: Self.passLimit)
            } else if !graph.hasInvalid, handlerRounds < Self.passLimit {
                // Handlers that schedule others may invalidate nothing.
                handlerRounds += 1
                enter(.handlers)
                graph.runHandlers()
            } else {
                return graph.warn(.cutOff(graph.lastHandler))
            }
        }
    }

    private func endTurn() {
        leavePhase()
        graph.emit(.waiting(turn))
        graph.endTurn()
        // A renderer or an observer of the commit may have changed layers.
        if graph.hasInvalid || graph.hasHandlers || layers.transactions.isImplicit || isWantedAgain { driver.wake() }
        isWantedAgain = false
    }

    private func enter(_ new: LoopPhase) {
        leavePhase()
        graph.phase = new
        signpost.begin(new.rawValue, turn: turn)
        graph.emit(.phaseBegan(new, pass: pass))
    }

    private func leavePhase() {
        guard let phase = graph.phase else { return }
        signpost.end(phase.rawValue, turn: turn)
        graph.emit(.phaseEnded(phase))
        graph.phase = nil
    }

    // MARK: Commits

    private func commit(isExplicit: Bool) {
        let commit = layers.commits.take(turn: turn, root: layers.root)
        // Before the observers, whose own transactions would commit in between. Nodes that an explicit commit finds are of
        // turns whose changes it kept back: the implicit transaction of this turn would have kept it from committing.
        graph.tellProbes(commit: commit.serial)
        graph.emit(.committed(commit.serial, changes: commit.changes.count, isExplicit: isExplicit))
        guard !commit.changes.isEmpty else { return }
        for renderer in renderers { renderer.render(commit) }
    }

    /// Adds a renderer, which gets every commit that changes anything.
    public func add(_ renderer: any LayerRenderer) { renderers.append(renderer) }

    /// The tree of layers as the renderers know it: the state of the last commit.
    public var committedRoot: Layer { layers.root }

    /// Changes layers in an explicit transaction: it commits at its end, unless it is inside of another one, the
    /// implicit one of the turn included.
    public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
        beginTransaction()
        defer { endTransaction() }
        return try body()
    }

    /// Opens a level of an explicit transaction.
    public func beginTransaction() { layers.transactions.begin() }

    /// Ends a level of an explicit transaction. Without an open one nothing happens.
    public func endTransaction() {
        if layers.transactions.end() { commit(isExplicit: true) }
    }
}

/// What a tool adds to a loop.
@MainActor
protocol LoopExtension: AnyObject {
    /// The turn's layers are about to be committed.
    func willCommit(_ root: Layer)
    /// Input was given to its views, or is about to be.
    func tookInput()
    /// The loop is about to go.
    func end()
}

extension LoopExtension {
    /// Nothing by default.
    func tookInput() {}
}

extension Node {
    /// The loop of the node's graph.
    ///
    /// Proof: a loop is the host of its graph from its initializer on, and unmounts all nodes before it goes.
    package final var loop: RenderLoop {
        guard let host = unsafe graph.host else { fatalError("a graph without a loop") }
        return unsafe unsafeDowncast(host, to: RenderLoop.self)
    }
}

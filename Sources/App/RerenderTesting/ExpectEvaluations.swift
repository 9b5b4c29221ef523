// SPDX-License-Identifier: MIT
// How often a view may be evaluated inside a block, and inside one that waits.

public import Rerender

/// Expects a view to be evaluated exactly so many times inside a block.
///
///     expectEvaluations(of: "Cart", in: store, exactly: 1) { cart.add(item); loop.settle() }
///
/// Works in Swift Testing and in XCTest. A failure names the view, what was counted and wasted, the reasons, and who wrote what
/// caused them. Counted is what the store counts between the block's beginning and its end, on every thread: give each test a
/// store of its own, and let the block return when the app has rendered. It fails as well where the store can count nothing
/// (release builds without `AlwaysOn`, `RERENDER=0`, `rerenderctl off`) and where it was reset inside the block.
///
/// - Parameters:
///   - key: The view's key. One that is never evaluated counts 0.
///   - store: The store that counts it.
///   - count: How many evaluations are expected.
///   - fileID: The file of the call, where a failure is reported.
///   - filePath: Its path.
///   - line: The line of the call.
///   - column: The column of the call.
///   - body: The block; run exactly once.
/// - Returns: What the block returns.
/// - Throws: What the block throws, and then nothing is expected of it.
@discardableResult
public func expectEvaluations<Output, Failure>(
    of key: ViewKey, in store: RerenderStore, exactly count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () throws(Failure) -> Output
) throws(Failure) -> Output {
    try Measured.around(.exactly(count, key), in: store, at: (fileID, filePath, line, column), body)
}

/// Expects a view to be evaluated at most so many times inside a block.
///
/// As ``expectEvaluations(of:in:exactly:fileID:filePath:line:column:_:)`` otherwise.
@discardableResult
public func expectEvaluations<Output, Failure>(
    of key: ViewKey, in store: RerenderStore, atMost count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () throws(Failure) -> Output
) throws(Failure) -> Output {
    try Measured.around(.atMost(count, key), in: store, at: (fileID, filePath, line, column), body)
}

/// Expects a view to be evaluated at least so many times inside a block.
///
/// As ``expectEvaluations(of:in:exactly:fileID:filePath:line:column:_:)`` otherwise.
@discardableResult
public func expectEvaluations<Output, Failure>(
    of key: ViewKey, in store: RerenderStore, atLeast count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () throws(Failure) -> Output
) throws(Failure) -> Output {
    try Measured.around(.atLeast(count, key), in: store, at: (fileID, filePath, line, column), body)
}

/// Expects no wasted evaluation inside a block.
///
/// Of every view of the store, or of one. What is wasted is what the store can tell: outputs that are compared, commits that
/// changed nothing, inputs that are known to be as they were. It fails as well where none of a view's evaluations could be
/// judged: then pass `comparing:` to `evaluate`. Let the app settle before the block: a commit inside of it that
/// shows an earlier evaluation to have been needed takes one from the count. As
/// ``expectEvaluations(of:in:exactly:fileID:filePath:line:column:_:)`` otherwise.
@discardableResult
public func expectNoWaste<Output, Failure>(
    of key: ViewKey? = nil, in store: RerenderStore,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () throws(Failure) -> Output
) throws(Failure) -> Output {
    try Measured.around(.noWaste(key), in: store, at: (fileID, filePath, line, column), body)
}

/// Expects a view to be evaluated exactly so many times inside a block that waits, on the caller's actor.
///
/// As ``expectEvaluations(of:in:exactly:fileID:filePath:line:column:_:)`` otherwise.
@discardableResult
public func expectEvaluations<Output, Failure>(
    of key: ViewKey, in store: RerenderStore, exactly count: Int,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () async throws(Failure) -> Output
) async throws(Failure) -> Output {
    try await Measured.around(
        .exactly(count, key), in: store, at: (fileID, filePath, line, column), isolation: isolation, body)
}

/// Expects a view to be evaluated at most so many times inside a block that waits, on the caller's actor.
///
/// As ``expectEvaluations(of:in:exactly:fileID:filePath:line:column:_:)`` otherwise.
@discardableResult
public func expectEvaluations<Output, Failure>(
    of key: ViewKey, in store: RerenderStore, atMost count: Int,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () async throws(Failure) -> Output
) async throws(Failure) -> Output {
    try await Measured.around(
        .atMost(count, key), in: store, at: (fileID, filePath, line, column), isolation: isolation, body)
}

/// Expects a view to be evaluated at least so many times inside a block that waits, on the caller's actor.
///
/// As ``expectEvaluations(of:in:exactly:fileID:filePath:line:column:_:)`` otherwise.
@discardableResult
public func expectEvaluations<Output, Failure>(
    of key: ViewKey, in store: RerenderStore, atLeast count: Int,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () async throws(Failure) -> Output
) async throws(Failure) -> Output {
    try await Measured.around(
        .atLeast(count, key), in: store, at: (fileID, filePath, line, column), isolation: isolation, body)
}

/// Expects no wasted evaluation inside a block that waits, on the caller's actor.
///
/// Of every view of the store, or of one. What is wasted is what the store can tell: outputs that are compared, commits that
/// changed nothing, inputs that are known to be as they were. It fails as well where none of a view's evaluations could be
/// judged: then pass `comparing:` to `evaluate`. Let the app settle before the block: a commit inside of it that
/// shows an earlier evaluation to have been needed takes one from the count. As
/// ``expectEvaluations(of:in:exactly:fileID:filePath:line:column:_:)`` otherwise.
@discardableResult
public func expectNoWaste<Output, Failure>(
    of key: ViewKey? = nil, in store: RerenderStore,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () async throws(Failure) -> Output
) async throws(Failure) -> Output {
    try await Measured.around(
        .noWaste(key), in: store, at: (fileID, filePath, line, column), isolation: isolation, body)
}

// Runs a block, and compares the store's counts before and after it.

/// An expectation on a block: looks at the store when it is made, and again when the block is over.
struct Measured: Sendable {
    private let expectation: Expectation
    private let store: RerenderStore
    private let site: CallSite
    private let before: StoreSnapshot?

    /// Runs a block once with an expectation on it; what it throws is thrown, and then nothing is expected.
    static func around<Output, Failure>(
        _ expectation: Expectation, in store: RerenderStore, at site: CallSite, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let measured = Measured(expectation, in: store, at: site)
        let output = try body()
        measured.end()
        return output
    }

    /// The same for a block that waits.
    static func around<Output, Failure>(
        _ expectation: Expectation, in store: RerenderStore, at site: CallSite,
        isolation: isolated (any Actor)?, _ body: () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        let measured = Measured(expectation, in: store, at: site)
        let output = try await body()
        measured.end()
        return output
    }

    private init(_ expectation: Expectation, in store: RerenderStore, at site: CallSite) {
        (self.expectation, self.store, self.site) = (expectation, store, site)
        before = store.silence == nil ? store.snapshot : nil
        // Said before the block, whose own failures may follow from it.
        if let silence = store.silence { TestIssue.record(silence.text, at: site) }
    }

    /// The block has returned. (Where it throws that is the failure, and what it would have evaluated is not known.)
    private func end() {
        guard let before else { return }
        if let silence = store.silence { return TestIssue.record(silence.text, at: site) }
        guard let after = store.snapshot else { return }
        let counts = BlockCounts(from: before, to: after)
        for failure in expectation.failures(counts, store: after.stats.store) { TestIssue.record(failure, at: site) }
    }
}

/// The evaluations inside a block: the difference of two censuses.
struct BlockCounts: Sendable {
    /// What one view has more than before.
    struct View: Sendable {
        let key: ViewKey
        /// Where its probe is.
        let place: String
        let instances: UInt64
        var evaluations: UInt64 = 0
        var wasted: UInt64 = 0
        /// Those of them that are inferred from inputs, and not measured.
        var inferred: UInt64 = 0
        /// Evaluations whose output and inputs do not tell whether they were needed.
        var unjudged: UInt64 = 0
        var kinds: [(kind: WasteKind, count: UInt64)] = []
        /// Most frequent first.
        var reasons: [ReasonCount] = []
    }

    /// Views that were evaluated, most evaluations first.
    let views: [View]
    /// Evaluations that no view had room for.
    let dropped: UInt64
    /// Whether the store was reset in between: what it had counted before that is gone.
    let wasReset: Bool

    init(from before: StoreSnapshot, to after: StoreSnapshot) {
        wasReset = before.epoch != after.epoch
        dropped = wasReset ? after.stats.dropped : after.stats.dropped - min(before.stats.dropped, after.stats.dropped)
        let old = Dictionary(
            wasReset ? [] : before.stats.views.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        views = after.stats.views.map { Self.view($0, since: old[$0.key]) }
            .filter { $0.evaluations > 0 }
            .sorted { $0.evaluations != $1.evaluations ? $0.evaluations > $1.evaluations : $0.key < $1.key }
    }

    /// One view; nil where it was not evaluated.
    func view(_ key: ViewKey) -> View? { views.first { $0.key == key } }

    private static func view(_ new: Stats, since old: Stats?) -> View {
        var view = View(key: new.key, place: "\(new.file):\(new.line)", instances: new.instances)
        view.evaluations = new.count - min(old?.count ?? 0, new.count)
        view.wasted = new.wasted.count - min(old?.wasted.count ?? 0, new.wasted.count)
        view.inferred = new.wasted.inferred - min(old?.wasted.inferred ?? 0, new.wasted.inferred)
        view.unjudged = (new.wasted.unjudged ?? 0) - min(old?.wasted.unjudged ?? 0, new.wasted.unjudged ?? 0)
        view.kinds = WasteKind.allCases.compactMap { kind in
            let (count, before) = (new.wasted.kinds[kind] ?? 0, old?.wasted.kinds[kind] ?? 0)
            return count > before ? (kind, count - before) : nil
        }
        view.reasons = new.reasons.compactMap { reason in
            reason.since(old?.reasons.first { $0.reason == reason.reason })
        }.sorted(by: ReasonCount.byCount)
        return view
    }

    /// Who wrote most of what caused a reason: for a parent's evaluation, the writer of what the chain began with.
    func writer(of reason: ReasonCount) -> String? {
        if let writer = reason.writers.first { return writer.writer }
        guard let origin = reason.chains.first?.origin else { return nil }
        return view(origin.view)?.reasons.first { $0.reason == origin.reason }?.writers.first?.writer
    }
}

extension ReasonCount {
    /// What has come since; nil where nothing has.
    fileprivate func since(_ old: ReasonCount?) -> ReasonCount? {
        guard let old else { return self }
        guard count > old.count else { return nil }
        var new = self
        new.count = count - old.count
        new.writers = writers.compactMap { writer in
            let before = old.writers.first { $0.writer == writer.writer }?.count ?? 0
            return writer.count > before ? WriterCount(writer: writer.writer, count: writer.count - before) : nil
        }.sorted { $0.count > $1.count }
        new.chains = chains.compactMap { chain in
            let before = old.chains.first { $0.chain == chain.chain }?.count ?? 0
            return chain.count > before ? ChainCount(chain: chain.chain, count: chain.count - before) : nil
        }.sorted { $0.count > $1.count }
        return new
    }
}

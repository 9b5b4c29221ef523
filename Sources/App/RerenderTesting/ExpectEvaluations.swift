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

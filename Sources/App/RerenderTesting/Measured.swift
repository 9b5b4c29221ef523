// SPDX-License-Identifier: MIT
// Runs a block, and compares the store's counts before and after it.

import Rerender

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

// SPDX-License-Identifier: MIT
// A bridge in a module of its own: it announces what the functions of other modules write.

package import Rerender

/// A framework's state of one view.
package struct Bridge: Sendable {
    private let store: RerenderStore
    private let view: String

    package init(_ store: RerenderStore, view: String) {
        (self.store, self.view) = (store, view)
    }

    /// Announces at once, from some functions down.
    package func write(_ cause: String, writer: String? = nil) {
        announce { store.invalidate(view, cause: cause, writer: writer) }
    }

    /// Notes who writes, and returns what announces it.
    package func collect(_ cause: String) -> () -> Void {
        let writer = store.causeWriter()
        return { store.invalidate(view, cause: cause, by: writer) }
    }

    /// The same in a handler of its own.
    package func tickInHandler(_ cause: String) { store.handling("timer") { write(cause) } }

    /// Writes by itself, as a framework does in its own loop.
    package func tick(_ cause: String) { write(cause) }

    @inline(never)
    private func announce(_ body: () -> Void) {
        body()
        blackHole()
    }

    @inline(never)
    private func blackHole() {}
}

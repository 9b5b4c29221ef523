// SPDX-License-Identifier: MIT
// A store as a value of the environment, by its type.

public import Rerender

extension View {
    /// Has the views below that ask for it count in a store, as ``View/rerenderStore(_:)`` does. They find the store by
    /// `@Environment(RerenderStore.self)`.
    public func environment(_ store: RerenderStore?) -> some View { rerenderStore(store) }
}

extension Environment where Value == RerenderStore {
    /// The store of a view above, which must be there.
    public init(_ type: RerenderStore.Type) {
        self.init(finding: type) { $0.rerenderStore }
    }
}

extension Environment where Value == RerenderStore? {
    /// The store of a view above, if there is one.
    public init(_ type: RerenderStore.Type) { self.init(\.rerenderStore) }
}

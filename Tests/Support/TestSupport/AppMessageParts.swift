// SPDX-License-Identifier: MIT
// What a message of an app says, where it is of one kind.

package import RerenderWire

extension AppMessage {
    /// The state of a store; nil for another message.
    package var storeState: StoreState? { if case .store(let state) = self { state } else { nil } }

    /// The name of a view; nil for another message.
    package var viewDeclaration: ViewDeclaration? { if case .view(let view) = self { view } else { nil } }

    /// Whether it names that view.
    package func isView(named key: String) -> Bool { viewDeclaration?.key == key }
}

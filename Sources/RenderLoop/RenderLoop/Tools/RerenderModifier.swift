// SPDX-License-Identifier: MIT
// `.rerender()`: has a view's evaluations counted in the store of its environment.

public import Rerender

extension View {
    /// Has the evaluations of the view counted, timed and explained by the `RerenderStore` of its environment.
    ///
    ///     EpisodesView(model: model).rerender()
    ///     Row(item: item).rerender("Row")
    ///
    /// Without a store nothing is done. The store is the one that is there when the view appears. A modified primitive,
    /// such as a stack, has no evaluations: then the nearest views in it that have a body are meant, each as an instance.
    /// The body of a ``ViewModifier`` is none of a view: the modified view is meant, and not what else is in that body.
    /// Each view counts under the nearest `rerender` around it alone. In a release build it is the view itself.
    ///
    /// - Parameters:
    ///   - label: The view's key, as it is when the view appears; without one `fileID:line`, as in the store.
    ///   - fileID: The file that the store names for the view.
    ///   - line: The line in it.
    public func rerender(
        _ label: @autoclosure () -> String? = nil, fileID: StaticString = #fileID, line: UInt32 = #line
    ) -> some View {
        #if RERENDER_PROBES
            let label = label() ?? "\(fileID):\(line)"
            return modifier(
                ProbeModifier { node in
                    guard let store = node.environment.values.rerenderStore else { return nil }
                    return StoreProbe(store, label: label, node: node, fileID: fileID, line: line)
                })
        #else
            return self
        #endif
    }

    /// Has the views below that ask for it count in a store: `.environment(\.rerenderStore, store)`.
    public func rerenderStore(_ store: RerenderStore?) -> some View {
        environment(\.rerenderStore, store)
    }
}

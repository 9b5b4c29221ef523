// SPDX-License-Identifier: MIT
// A small view tree: a body runs again when something that it read, or one of its inputs, has changed.

import Foundation
import Observation
import Rerender

/// Views as they stand, brought up to date once per turn of the main loop, from the top down.
@MainActor
final class ViewTree {
    /// What really ran, counted here and not by Rerender.
    private(set) var counts = Counts()
    private let store: RerenderStore
    private let root: Node
    private var waiting: [Node] = []

    init(root: any View, store: RerenderStore) {
        self.store = store
        self.root = Node(root, parent: nil)
        self.root.isWaiting = true
        waiting = [self.root]
        counts.instances[self.root.label] = 1
    }

    /// Evaluates all that waits for it.
    func update() {
        let nodes = waiting.sorted { $0.depth < $1.depth }
        waiting.removeAll(keepingCapacity: true)
        // The evaluation of one further up may have brought up to date, or taken away, one further down.
        for node in nodes where node.isWaiting { evaluate(node) }
    }

    private func evaluate(_ node: Node) {
        node.isWaiting = false
        let content = node.reads.track {
            store.evaluate(
                node.label, of: node.view, instance: node.view.instance, parent: node.parentKey,
                fileID: node.place.fileID, line: node.place.line
            ) {
                counts.evaluations[node.label, default: 0] += 1
                return node.view.body
            }
        } onChange: { [weak self, weak node] in
            if let self, let node { enqueue(node) }
        }
        let hasNewText = node.text != content.text
        node.text = content.text
        let hasNewChildren = replaceChildren(of: node, with: content.children)
        store.committed(node.label, changed: hasNewText || hasNewChildren, instance: node.view.instance)
        counts.commits[node.label, default: 0] += 1
    }

    private func enqueue(_ node: Node) {
        guard !node.isWaiting else { return }
        node.isWaiting = true
        waiting.append(node)
        guard waiting.count == 1 else { return }
        // The change has not happened yet, and others may follow it in this turn of the loop.
        RunLoop.main.perform { [weak self] in
            MainActor.assumeIsolated { self?.update() }
        }
    }

    /// Keeps the nodes of views that are still there; evaluates those that are new or whose inputs changed. False if all
    /// are as they were.
    private func replaceChildren(of node: Node, with views: [any View]) -> Bool {
        var isChanged = false
        var old = node.children
        node.children = [:]
        for view in views {
            let identity = Node.Identity(type: ObjectIdentifier(type(of: view)), instance: view.instance)
            let known = old.removeValue(forKey: identity)
            let child = known ?? Node(view, parent: node)
            node.children[identity] = child
            if known == nil { counts.instances[child.label, default: 0] += 1 }
            if known != nil, child.view.isSame(as: view) { continue }
            child.view = view
            evaluate(child)
            isChanged = true
        }
        for child in old.values { remove(child) }
        return isChanged || !old.isEmpty
    }

    private func remove(_ node: Node) {
        node.isWaiting = false
        node.reads.end()
        store.ended(node.label, instance: node.view.instance)
        counts.instances[node.label, default: 0] -= 1
        for child in node.children.values { remove(child) }
    }
}

/// One view as it stands.
@MainActor
final class Node {
    /// Which view this is among those in the same view.
    struct Identity: Hashable {
        let type: ObjectIdentifier
        let instance: InstanceID?
    }

    var view: any View
    var text = ""
    var children: [Identity: Node] = [:]
    /// Whether something that it reads has changed since it was evaluated.
    var isWaiting = false
    let label: String
    let parentKey: ViewKey?
    let place: Place
    let depth: Int
    let reads = Reads()

    init(_ view: any View, parent: Node?) {
        self.view = view
        label = "\(type(of: view))"
        place = type(of: view).place
        parentKey = parent.map { ViewKey(rawValue: $0.label) }
        depth = parent.map { $0.depth + 1 } ?? 0
    }
}

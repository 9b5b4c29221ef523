// SPDX-License-Identifier: MIT
// What is known of a framework: which of its requirements are replaced, and what a call of them tells.

import CInject
import Rerender
import Synchronization

/// Knows one framework, by its protocol's module and requirements. It is never linked with it.
protocol Adapter: Sendable {
    /// The requirements that it replaces, each with what handles its calls; nil for a protocol that is not the one it knows.
    static func hooks(of view: FoundView) -> [WitnessHook]?

    /// The requirements that it replaces in the framework's own views, which are not counted.
    static func hooks(ofBuildingBlock view: FoundView) -> [WitnessHook]

    /// Whether a view's protocol could be the one it knows, and only symbols would tell, of which there are none.
    static func lacksSymbols(_ view: FoundView) -> Bool

    /// The module of its framework; nil for the generic one.
    static var module: String? { get }

    /// Whether its framework evaluates a view because a model was written, as those with Observation do. Where not, a write is no reason.
    static var observesModels: Bool { get }

    /// Called in front of the first hook of a view of its framework's, and wherever there are new views: describes the
    /// framework's types. Each time those that were not there before.
    static func prepare(in memory: OpaquePointer)
}

extension Adapter {
    static func hooks(ofBuildingBlock view: FoundView) -> [WitnessHook] { [] }
    static func lacksSymbols(_ view: FoundView) -> Bool { false }
    static var module: String? { nil }
    static var observesModels: Bool { true }
    static func prepare(in memory: OpaquePointer) {}
}

/// Chooses the adapter of a view.
enum Adapters {
    /// The generic one comes last: it takes every view.
    private static let all: [any Adapter.Type] = [
        RenderLoopAdapter.self, SwiftCrossUIAdapter.self, GenericAdapter.self,
    ]

    /// A framework whose adapter knows nothing of it in this process.
    struct Stranger: Hashable {
        let module: String
        /// Whether only symbols would tell, and there are none.
        let isStripped: Bool

        /// What is unknown for that reason, without a full stop.
        var gap: String {
            let unknown = "instances, waste and most reasons are unknown"
            return isStripped
                ? "the program has no symbols that tell what the views of \(module) are: \(unknown)"
                : "the protocol View of \(module) is not the one that rerender knows: \(unknown)"
        }
    }

    /// Has the adapters look at the types of the frameworks that there are.
    ///
    /// - Returns: The frameworks, each once, whose requirements are not those that their adapters know, or cannot be told from others.
    static func prepare(for views: [FoundView], in memory: OpaquePointer) -> [Stranger] {
        let modules = Set(views.map(\.protocolModule))
        return all.compactMap { adapter in
            guard let module = adapter.module, modules.contains(module) else { return nil }
            let its = views.filter { $0.protocolModule == module }
            if its.contains(where: { adapter.hooks(of: $0) != nil }) {
                unsafe adapter.prepare(in: memory)
                return nil
            }
            guard strangers.withLock({ $0.insert(module).inserted }) else { return nil }
            return Stranger(module: module, isStripped: its.allSatisfy(adapter.lacksSymbols))
        }
    }

    /// The frameworks of which that was said.
    private static let strangers = Mutex<Set<String>>([])

    /// The requirements of a view that are replaced, and whether its framework evaluates it because a model was written.
    static func hooks(of view: FoundView) -> (hooks: [WitnessHook], observesModels: Bool) {
        for adapter in all {
            if let hooks = adapter.hooks(of: view) { return (hooks, adapter.observesModels) }
        }
        return ([], true)
    }

    /// Whether a view is of a known framework's own, which may be shown without anybody asking for its body.
    static func showsItself(_ view: FoundView) -> Bool {
        view.bodyModule == view.protocolModule && !hooks(ofBuildingBlock: view).isEmpty
    }

    static func hooks(ofBuildingBlock view: FoundView) -> [WitnessHook] {
        all.lazy.map { $0.hooks(ofBuildingBlock: view) }.first { !$0.isEmpty } ?? []
    }
}

/// Replaces the body's getter, of any framework. Which instance is evaluated is not known.
enum GenericAdapter: Adapter {
    static func hooks(of view: FoundView) -> [WitnessHook]? {
        [
            WitnessHook(requirement: view.getter, onlyCounts: true) { hooked, call in
                guard hooked.isCounted else { return call.goOn() }
                hooked.count(call.argument(0), call) { isOwn in hooked.evaluate(call, unless: isOwn) }
                hooked.look(atOutputOf: call, type: call.argument(0), table: call.argument(1))
            }
        ]
    }
}

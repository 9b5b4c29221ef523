// SPDX-License-Identifier: MIT
// What is known of a framework: which of its requirements are replaced, and what a call of them tells.

import Rerender

/// Knows one framework, by its protocol's module and requirements. It is never linked with it.
protocol Adapter: Sendable {
    /// The requirements that it replaces, each with what handles its calls; nil for a protocol that is not the one it knows.
    static func hooks(of view: FoundView) -> [WitnessHook]?

    /// The requirements that it replaces in the framework's own views, which are not counted.
    static func hooks(ofBuildingBlock view: FoundView) -> [WitnessHook]
}

extension Adapter {
    /// None by default.
    static func hooks(ofBuildingBlock view: FoundView) -> [WitnessHook] { [] }
}

/// Chooses the adapter of a view.
enum Adapters {
    /// The generic one comes last: it takes every view.
    private static let all: [any Adapter.Type] = [
        RenderLoopAdapter.self, SwiftCrossUIAdapter.self, GenericAdapter.self,
    ]

    static func hooks(of view: FoundView) -> [WitnessHook] {
        for adapter in all {
            if let hooks = adapter.hooks(of: view) { return hooks }
        }
        return []
    }

    static func hooks(ofBuildingBlock view: FoundView) -> [WitnessHook] {
        all.lazy.map { $0.hooks(ofBuildingBlock: view) }.first { !$0.isEmpty } ?? []
    }
}

/// Replaces the body's getter, of any framework. Which instance is evaluated is not known.
enum GenericAdapter: Adapter {
    static func hooks(of view: FoundView) -> [WitnessHook]? {
        [
            WitnessHook(requirement: view.getter) { hooked, call in
                hooked.view?.evaluate { call.goOn() }
                hooked.look(at: call.result, type: call.argument(0), table: call.argument(1))
            }
        ]
    }
}

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

// RenderLoop: its protocol asks for a body with the numbers of the instance and of the one that gave it other inputs.

/// Replaces `static func body(of view: Self, instance: UInt64, givenBy parent: UInt64) -> Body`, through which the graph asks for each
/// body.
enum RenderLoopAdapter: Adapter {
    static let module: String? = "RenderLoop"

    private static let getter = UInt8(CRERENDER_GETTER.rawValue)
    private static let method = UInt8(CRERENDER_METHOD.rawValue)
    private static let ofInstance = UInt8(CRERENDER_OF_INSTANCE.rawValue)

    /// `Body`, that it is a view, `body`, `body(of:instance:givenBy:)`, `isOneView` and `makeNode(_:in:)`.
    private static let requirements = [
        UInt8(CRERENDER_ASSOCIATED_TYPE.rawValue), UInt8(CRERENDER_ASSOCIATED_CONFORMANCE.rawValue),
        getter | ofInstance, method, getter, method,
    ]

    static func hooks(of view: FoundView) -> [WitnessHook]? {
        // Two kinds of requirements lie in front of those that the source declares, in an order that the compiler chooses.
        guard view.protocolModule == module, view.requirements.count == requirements.count,
            view.requirements.dropFirst(2) == requirements.dropFirst(2),
            view.requirements.prefix(2).sorted() == requirements.prefix(2).sorted()
        else { return nil }
        // A probe of the program's own asks for `body`, and not through the graph.
        let own = ProgramEngines.exist ? [WitnessHook(requirement: 2, handler: lookForOwn)] : []
        return [WitnessHook(requirement: 3, handler: evaluate)] + own
    }

    /// By the convention of witnesses, the arguments are the view's address, the numbers, the type, and the table. All live as long
    /// as the call.
    private static func evaluate(_ hooked: HookedView, _ call: borrowing WitnessCall) {
        let (number, metadata) = (UInt64(call.argument(1)), call.argument(3))
        guard let view = hooked.view, let value = unsafe UnsafeRawPointer(bitPattern: call.argument(0)),
            let type = unsafe UnsafeRawPointer(bitPattern: metadata)
        else { return call.goOn() }
        let around = RenderLoopInstances.note(view, number, givenBy: UInt64(call.argument(2)))
        hooked.count(metadata, call) { isOwn in
            unsafe view.evaluate(value, type: type, instance: number, in: around, unless: isOwn) { call.goOn() }
        }
        hooked.look(atOutputOf: call, type: metadata, table: call.argument(4))
    }

    private static func lookForOwn(_ hooked: HookedView, _ call: borrowing WitnessCall) {
        _ = hooked.isAround(call.argument(0))
        call.goOn()
    }

    // MARK: Property wrappers

    /// The state's value is written by the main actor alone, which evaluates; `readers` are the nodes that read it, the instance's number
    /// without the loop's above it.
    private static let state = WrapperDescription(
        .path(["box", "shared", "stored"]), isOfOneThread: true,
        readers: .init(list: ["box", "readers"], number: "serial", mask: 1 << 48 - 1))

    /// By module and name: the stored properties that the wrapper must have, and what it is then.
    private static let wrappers: [String: [String: (properties: [String], is: WrapperDescription)]] = [
        "RenderLoop": [
            "State": (["first", "box"], state),
            "StateObject": (["make", "object"], WrapperDescription(.object(["object"]))),
            "ObservedObject": (["wrappedValue"], WrapperDescription(.object(["wrappedValue"]))),
            "EnvironmentObject": (["object", "reader"], WrapperDescription(.object(["object"]))),
            "Environment": (["find", "identity", "value", "reader"], WrapperDescription(.path(["value"]))),
            // What it refers to is another view's, or behind closures.
            "Binding": (["location", "part"], WrapperDescription(.closed)),
        ],
        "OpenCombine": [
            "Published": (
                ["_storage"],
                WrapperDescription(
                    .cases(["_storage", "wrappedValue"], ["value": [], "publisher": ["subject", "currentValue"]]))
            )
        ],
    ]

    static func prepare(in memory: OpaquePointer) {
        for module in wrappers.keys {
            unsafe FoundType.each(of: module, in: memory) { name, declaration in
                guard let known = wrappers[module]?[name],
                    WrapperAdapters.storedProperties(of: declaration) == known.properties
                else { return }
                WrapperAdapters.describe(declaration, as: known.is)
            }
        }
    }
}

/// The views of the instances that were evaluated.
enum RenderLoopInstances {
    private static let views = Mutex<[UInt64: InjectedView]>([:])
    /// More are forgotten, all at once: instances do not say when they end.
    private static let limit = 1 << 16

    /// Notes an instance; returns the one that gave it other inputs, with its view, where that is known.
    static func note(
        _ view: InjectedView, _ instance: UInt64, givenBy parent: UInt64
    ) -> (view: InjectedView, instance: UInt64)? {
        views.withLock { views in
            if views[instance] == nil {
                if views.count >= limit { views.removeAll(keepingCapacity: true) }
                views[instance] = view
            }
            return views[parent].map { ($0, parent) }
        }
    }
}

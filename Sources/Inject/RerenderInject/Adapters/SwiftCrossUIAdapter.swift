// SPDX-License-Identifier: MIT
// SwiftCrossUI: a node asks a view for its children, then for its widget, and from then on for layouts and commits of that widget.

import CInject
import Glibc
import Rerender
import Synchronization

/// Replaces the body's getter and the requirements that tell which node is at work.
///
/// The framework's own views are followed, too, and not counted: a part of the program's views may be shown by one of theirs.
enum SwiftCrossUIAdapter: Adapter {
    static let module: String? = "SwiftCrossUI"
    /// It has publishers of its own, to which `@State` and `@Published` properties alone belong.
    static let observesModels = false

    static func hooks(of view: FoundView) -> [WitnessHook]? {
        shape(of: view).map { [WitnessHook(requirement: $0.body, handler: evaluate)] + nodeHooks($0) }
    }

    static func hooks(ofBuildingBlock view: FoundView) -> [WitnessHook] { shape(of: view).map(nodeHooks) ?? [] }

    /// By their protocol: where the arguments are that are read here.
    private static let known = Mutex<[UInt: CrossUIShape]>([:])
    private static let looked = Atomic<Int>(0)
    /// Views whose symbols are looked for, at most: each takes milliseconds.
    private static let looks = 32

    /// Whether a view may be one of the framework's, which is handed over by its address.
    private static func isMeant(_ view: FoundView) -> Bool { view.protocolModule == module && !view.mayBeObject }

    static func lacksSymbols(_ view: FoundView) -> Bool {
        let methods = view.requirements.indices.filter { CrossUIShape.isMethod(view.requirements[$0]) }
        return isMeant(view) && !methods.contains { view.function($0).map(RequirementSymbols.hasSymbol) == true }
    }

    /// Metadata has no types of arguments; without symbols, as in a stripped program, nothing is read.
    private static func shape(of view: FoundView) -> CrossUIShape? {
        guard isMeant(view) else { return nil }
        if let known = known.withLock({ $0[view.protocolAddress] }) { return known }
        // What is replaced has no symbol of the program's any more: the first view with symbols decides for all.
        guard looked.wrappingAdd(1, ordering: .relaxed).oldValue < looks else { return nil }
        let functions = view.requirements.indices.map {
            CrossUIShape.isRead(view.requirements[$0]) ? view.function($0) : nil
        }
        let described = RequirementSymbols.requirements(of: functions.compactMap(\.self), in: "SwiftCrossUI.View")
        guard
            let shape = CrossUIShape(
                requirements: view.requirements, described: { functions[$0].flatMap { described[$0] } ?? [] })
        else { return nil }
        known.withLock { $0[view.protocolAddress] = shape }
        return shape
    }

    private static func nodeHooks(_ shape: CrossUIShape) -> [WitnessHook] {
        let (children, widget, layout, commit) = (shape.children, shape.widget, shape.layout, shape.commit)
        return [
            WitnessHook(requirement: children.requirement) { hooked, call in
                makeChildren(hooked, call, backend: children.word)
            },
            WitnessHook(requirement: widget.requirement) { hooked, call in
                makeWidget(hooked, call, backend: widget.word)
            },
            WitnessHook(requirement: layout.requirement) { hooked, call in
                show(.layout, hooked, call, widgetAt: layout.word)
            },
            WitnessHook(requirement: commit.requirement) { hooked, call in
                show(.commit, hooked, call, widgetAt: commit.word)
            },
        ]
    }

    // MARK: Property wrappers

    /// By name: the stored properties that the wrapper has in a version, and what it is then. State is its value and nothing else, which
    /// may be an object with published properties. The node alone writes what a view reads of the environment, on the thread that evaluates.
    private static let wrappers: [(name: String, properties: [String], is: WrapperDescription)] = [
        ("State", ["storage"], state(at: ["storage", "box"])),
        ("State", ["implementation"], state(at: ["implementation", "box", "value"])),
        ("Environment", ["keyPath", "value"], WrapperDescription(.path(["value", "value"]), isOfOneThread: true)),
        ("Environment", ["mode", "value"], WrapperDescription(.path(["value", "value"]), isOfOneThread: true)),
        (
            "Published", ["upstreamLinkCancellable", "wrappedValue", "didChange"],
            WrapperDescription(.bits(["wrappedValue"]))
        ),
    ]

    /// Beside its value, state has a publisher. That one tells views of each write, and they are updated by a queue.
    private static func state(at path: [String]) -> WrapperDescription {
        WrapperDescription(
            .object(path + ["value"]), isWhole: true,
            observers: .init(path: path + ["didChange"], name: "observations", later: "serialUpdateHandlingQueue"))
    }

    /// Modules that write on behalf of others.
    private static let writers: Set = ["SwiftCrossUI", "GtkBackend", "Gtk", "Gtk3Backend", "Gtk3"]

    static func prepare(in memory: OpaquePointer) {
        unsafe FoundType.each(of: "SwiftCrossUI", in: memory) { name, declaration in
            let properties = WrapperAdapters.storedProperties(of: declaration)
            for wrapper in wrappers where wrapper.name == name && wrapper.properties == properties {
                WrapperAdapters.describe(declaration, as: wrapper.is)
            }
        }
    }

    @Sendable
    private static func evaluate(_ hooked: HookedView, _ call: borrowing WitnessCall) {
        let type = call.argument(0)
        defer { hooked.look(atOutputOf: call, type: type, table: call.argument(1)) }
        guard let view = hooked.view else { return call.goOn() }
        hooked.count(type, call) { isOwn in
            guard let metadata = unsafe UnsafeRawPointer(bitPattern: type),
                let value = unsafe UnsafeRawPointer(bitPattern: call.value),
                let state = SwiftCrossUIState.ofThisThread,
                let evaluation = state.evaluation(of: view, type: type, at: call.place)
            else { return view.evaluate(unless: isOwn) { call.goOn() } }
            if let asker = evaluation.asker.flatMap(state.shown) {
                view.announce("layout for \(asker.view.label)", of: evaluation.instance)
            }
            if !evaluation.isPass {
                unsafe view.observeState(
                    of: value, type: metadata, instance: evaluation.instance, outside: "SwiftCrossUI", writers,
                    if: { SwiftCrossUIState.ofThisThread != nil })
            }
            state.timed {
                unsafe view.evaluate(
                    value, type: metadata, instance: evaluation.instance, in: evaluation.parent.flatMap(state.shown),
                    isPass: evaluation.isPass, unless: isOwn
                ) { call.goOn() }
            }
        }
    }

    /// Of this thread; nil with a backend whose widgets are no objects.
    ///
    /// - Parameter backend: Which word of the arguments is its type. Its tables are behind it.
    private static func state(_ call: borrowing WitnessCall, backend: Int) -> SwiftCrossUIState? {
        guard let state = SwiftCrossUIState.ofThisThread,
            state.hasObjectsForWidgets(backend: call.word(backend), table: call.word(backend + 1))
        else { return nil }
        return state
    }

    private static func makeChildren(_ hooked: HookedView, _ call: borrowing WitnessCall, backend: Int) {
        guard let state = state(call, backend: backend) else { return call.goOnWithStack() }
        state.beginChildren(of: hooked.view, at: call.place)
        call.goOnWithStack()
        state.end(at: call.place)
    }

    private static func makeWidget(_ hooked: HookedView, _ call: borrowing WitnessCall, backend: Int) {
        guard let state = state(call, backend: backend) else { return call.goOnWithStack() }
        state.beginWidget(of: hooked.view, at: call.place)
        call.goOnWithStack()
        state.end(at: call.place, widget: unsafe UnsafePointer<UInt>(bitPattern: call.result)?.pointee)
    }

    /// A layout or a commit.
    private static func show(
        _ phase: ViewNodes.Phase, _ hooked: HookedView, _ call: borrowing WitnessCall, widgetAt word: Int
    ) {
        // Only where other requirements had a backend whose widgets are objects: this one's arguments tell no type.
        guard let state = SwiftCrossUIState.ofThisThread, state.knowsWidgets,
            let widget = unsafe UnsafePointer<UInt>(bitPattern: call.word(word))?.pointee
        else { return call.goOnWithStack() }
        state.begin(phase, of: widget, hooked.view, at: call.place)
        guard let view = hooked.view else {
            call.goOnWithStack()
            return state.end(at: call.place)
        }
        let layouts = phase == .layout && !hooked.isLeft ? hooked.layouts : nil
        let own = state.timed { if let layouts { layouts.run { call.goOnWithStack() } } else { call.goOnWithStack() } }
        let instance = state.instance(of: view, at: call.place)
        state.end(at: call.place)
        if hooked.isLeft { return }
        switch phase {
        case .commit: view.committed(instance: instance, nanoseconds: own)
        case .layout: view.addLayouts(nanoseconds: own)
        case .children, .widget: break
        }
    }
}

/// The nodes of the thread that the framework runs on. Its views are of the main actor: all others are not followed.
///
/// Proof of the unsafe parts: each member is used on one thread alone, the first that asked for it.
final class SwiftCrossUIState: @unchecked Sendable {
    private static let shared = SwiftCrossUIState()
    private let thread = Atomic<UInt>(0)

    private var nodes = ViewNodes()
    private var widgets = LiveWidgets()
    private var views: [ObjectIdentifier: InjectedView] = [:]
    /// Whether each type of backends has objects for widgets.
    private var backends: [UInt: Bool] = [:]
    /// The time of bodies, layouts and commits inside of the one that is measured.
    private var inner: UInt64 = 0
    private(set) var knowsWidgets = false

    private init() {}

    /// nil on any thread but the framework's.
    static var ofThisThread: SwiftCrossUIState? {
        let thread = UInt(pthread_self()), known = shared.thread.load(ordering: .relaxed)
        if known == thread { return shared }
        guard known == 0, shared.thread.compareExchange(expected: 0, desired: thread, ordering: .relaxed).exchanged
        else { return nil }
        return shared
    }

    // MARK: Nodes

    // `place` is where the call is on the stack.

    func beginChildren(of view: InjectedView?, at place: UInt) {
        nodes.place = place
        nodes.beginChildren(of: view.map(ObjectIdentifier.init))
    }

    func beginWidget(of view: InjectedView?, at place: UInt) {
        nodes.place = place
        nodes.beginWidget(of: view.map(ObjectIdentifier.init))
    }

    func begin(_ phase: ViewNodes.Phase, of widget: UInt, _ view: InjectedView?, at place: UInt) {
        nodes.place = place
        nodes.begin(phase, of: widget, view.map(ObjectIdentifier.init))
    }

    /// What began last has ended; `widget` was made.
    func end(at place: UInt, widget: UInt? = nil) {
        nodes.place = place
        for ended in nodes.end(widget: widget) { views[ended.record]?.ended(instance: ended.instance) }
        if let widget { widgets.add(widget) }
        guard let dead = widgets.deadAfterCall(isLast: nodes.isIdle) else { return }
        for ended in nodes.forget(dead) { views[ended.record]?.ended(instance: ended.instance) }
    }

    /// Which instance of a view is evaluated now; nil outside of any node.
    func evaluation(of view: InjectedView, type: UInt, at place: UInt) -> ViewNodes.Evaluation? {
        nodes.place = place
        let record = ObjectIdentifier(view)
        guard let evaluation = nodes.evaluation(of: .init(record: record, type: type), turn: view.turn) else {
            return nil
        }
        if views[record] == nil { views[record] = view }
        return evaluation
    }

    /// A view that was evaluated, and its instance.
    func shown(_ shown: ViewNodes.Shown) -> (view: InjectedView, instance: UInt64)? {
        views[shown.record].map { ($0, shown.instance) }
    }

    func instance(of view: InjectedView, at place: UInt) -> UInt64? {
        nodes.place = place
        return nodes.instance(of: ObjectIdentifier(view))
    }

    // MARK: Times

    /// Runs `body` and returns its nanoseconds, without those of other calls of this inside of it.
    @discardableResult
    func timed(_ body: () -> Void) -> UInt64 {
        let outer = inner, start = InjectedView.now
        inner = 0
        body()
        let elapsed = InjectedView.now - start
        let own = elapsed - min(inner, elapsed)
        inner = outer + elapsed
        return own
    }

    // MARK: Widgets

    /// Whether a backend is one of the framework's, and has objects for widgets: their addresses are what tells them apart.
    ///
    /// - Parameters:
    ///   - backend: What should be the metadata of the backend's type.
    ///   - table: What should be its first witness table. Any number may be given.
    func hasObjectsForWidgets(backend: UInt, table: UInt) -> Bool {
        if let known = backends[backend] { return known }
        let hasObjects = Self.widget(of: backend, table).map { $0 is AnyClass } ?? false
        backends[backend] = hasObjects
        if hasObjects { knowsWidgets = true }
        return hasObjects
    }

    private static func widget(of backend: UInt, _ table: UInt) -> Any.Type? {
        guard let memory = unsafe crerender_memory_of_process() else { return nil }
        defer { unsafe free(UnsafeMutableRawPointer(memory)) }
        var found = unsafe crerender_associated()
        // The table is of the backend's first protocol. Which one that is, and which of those around it has `Widget`, is the framework's.
        guard let table = unsafe UnsafeRawPointer(bitPattern: table),
            unsafe crerender_find_associated_type(memory, table, "SwiftCrossUI", "Widget", &found),
            let owner = unsafe found.owner, let backend = unsafe UnsafeRawPointer(bitPattern: backend),
            let widget = unsafe crerender_associated_type(owner, found.place, backend, found.table)
        else { return nil }
        return unsafe unsafeBitCast(widget, to: Any.Type.self)
    }
}

/// The widgets that were made, each followed until it is gone.
///
/// Proof of the unsafe parts: a widget is added when it was just made, and its maker still has it.
private struct LiveWidgets {
    private struct Reference {
        weak var object: AnyObject?
    }

    private var references: [UInt: Reference] = [:]
    /// Since all were looked at.
    private var calls = 0

    mutating func add(_ widget: UInt) {
        guard let object = unsafe UnsafeRawPointer(bitPattern: widget) else { return }
        references[widget] = Reference(object: unsafe Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue())
    }

    /// Those that are gone; nil if nobody looked. All are looked at once for as many calls as there are widgets.
    ///
    /// - Parameter isLast: Whether no other call is under way: a framework's work is done.
    mutating func deadAfterCall(isLast: Bool) -> [UInt]? {
        calls += 1
        guard isLast, calls >= references.count else { return nil }
        calls = 0
        let dead = references.filter { $0.value.object == nil }.map(\.key)
        for widget in dead { references[widget] = nil }
        return dead
    }
}

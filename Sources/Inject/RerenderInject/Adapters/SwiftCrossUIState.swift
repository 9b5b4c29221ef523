// SPDX-License-Identifier: MIT
// What the adapter of SwiftCrossUI keeps between calls: nodes, widgets, and times.

import CInject
import Glibc
import Rerender
import Synchronization

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

    func beginChildren(of view: InjectedView?) { nodes.beginChildren(of: view.map(ObjectIdentifier.init)) }

    func beginWidget(of view: InjectedView?) { nodes.beginWidget(of: view.map(ObjectIdentifier.init)) }

    func begin(_ phase: ViewNodes.Phase, of widget: UInt, _ view: InjectedView?) {
        nodes.begin(phase, of: widget, view.map(ObjectIdentifier.init))
    }

    /// What began last has ended; `widget` was made.
    func end(widget: UInt? = nil) {
        for ended in nodes.end(widget: widget) { views[ended.record]?.ended(instance: ended.instance) }
        if let widget { widgets.add(widget) }
        guard let dead = widgets.deadAfterCall(isLast: nodes.isIdle) else { return }
        for ended in nodes.forget(dead) { views[ended.record]?.ended(instance: ended.instance) }
    }

    /// Which instance of a view is evaluated now; nil outside of any node.
    func evaluation(of view: InjectedView, type: UInt) -> ViewNodes.Evaluation? {
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

    func instance(of view: InjectedView) -> UInt64? { nodes.instance(of: ObjectIdentifier(view)) }

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
    ///   - table: What should be its witness table. Any number may be given.
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
        guard let table = unsafe UnsafeRawPointer(bitPattern: table),
            let backendProtocol = unsafe crerender_protocol_of_table(memory, table),
            let name = unsafe crerender_name_of(memory, backendProtocol),
            let module = unsafe crerender_module_of(memory, backendProtocol),
            unsafe String(cString: name) == "AppBackend", unsafe String(cString: module) == "SwiftCrossUI"
        else { return nil }
        let place = unsafe crerender_place_of_associated_type(memory, backendProtocol, "Widget")
        guard place >= 0, let backend = unsafe UnsafeRawPointer(bitPattern: backend),
            let widget = unsafe crerender_associated_type(backendProtocol, UInt32(place), backend, table)
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

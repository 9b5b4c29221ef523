// SPDX-License-Identifier: MIT
// Taps on any view.

/// Runs an action when the view is tapped so many times.
struct TapModifier: PrimitiveModifier {
    let count: Int
    let action: @MainActor () -> Void

    static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        TapNode(view, in: context) { $0.content }
    }

    private final class TapNode<Content: View>: ModifierNode<TapModifier, Content>, InputTarget {
        private var taps = TapCounter()

        func receive(_ event: InputEvent) -> Bool {
            guard event.kind == .tap else { return false }
            if taps.take(at: event.latest.nanoseconds, of: view.modifier.count) { view.modifier.action() }
            return true
        }
    }
}

/// Counts taps that follow one another.
struct TapCounter {
    /// Within this many nanoseconds a tap belongs to the one before.
    static let interval: UInt64 = 350_000_000

    private var count = 0
    private var last: UInt64 = 0

    /// Takes a tap; whether that makes as many as are wanted.
    mutating func take(at time: UInt64, of wanted: Int) -> Bool {
        count = count > 0 && time - min(last, time) <= Self.interval ? count + 1 : 1
        last = time
        guard count >= max(1, wanted) else { return false }
        count = 0
        return true
    }
}

extension View {
    /// Runs an action when the view is tapped, or tapped so many times with at most 350 ms in between.
    ///
    /// A control or a gesture further in takes a tap first. Scripts find the view by ``View/inputName(_:)`` around it.
    public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor () -> Void) -> some View {
        modifier(TapModifier(count: count, action: action))
    }
}

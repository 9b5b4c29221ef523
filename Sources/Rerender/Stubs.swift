final class ValueLayout: Sendable {
    static func layout(of type: Any.Type, depth: Int) -> ValueLayout { ValueLayout() }
    static func layout(ofObject type: Any.Type, depth: Int) -> ValueLayout { ValueLayout() }
    func names(of change: ValueChange) -> String { "" }
}
struct LeafSet { var isEmpty: Bool { true } }
struct ValueChange { var isFirst = true; var changed = LeafSet(); var unknown = false; var hasNewIdentity = false; var hasNewClosure = false; var equalReplacement = false }
struct ValueSnapshot: ~Copyable {
    var isEmpty: Bool { true }
    mutating func update(_ value: UnsafeRawPointer, _ layout: ValueLayout) -> ValueChange { ValueChange() }
    mutating func forget() {}
}

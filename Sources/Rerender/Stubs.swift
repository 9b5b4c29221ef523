import Observation
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
struct ModelID: Hashable, Sendable {}
struct ObservedModel { let id: ModelID; let properties: Set<AnyKeyPath> }
final class ObservedReads: Sendable {
    static func track<Output, Failure: Error>(_ reads: inout ObservedReads?, onWrite: @escaping @Sendable (ObservedWrite) -> Void, _ body: () throws(Failure) -> Output) throws(Failure) -> Output { try body() }
    func cancel() {}
    var models: [ObservedModel] { [] }
}
struct ObservedWrite: @unchecked Sendable { let keyPath: AnyKeyPath; let model: ModelID?; let isDeinit: Bool }
struct PropertyName { var rootType = "", qualifiedRoot = "", property = "" }
enum KeyPathName { static func property(of path: AnyKeyPath) -> PropertyName? { nil } }
struct ModelPaths {
    mutating func update(view: UnsafeRawPointer, type: Any.Type, reads: ObservedReads) {}
    func path(of model: ModelID) -> String? { nil }
    func object(of model: ModelID) -> UnsafeRawPointer? { nil }
}
enum CauseName { static func name(of k: AnyKeyPath, _ m: ModelID?, _ p: ModelPaths, _ r: ObservedReads?) -> String? { nil } }
enum ObservedField { static func field(of path: AnyKeyPath, in object: UnsafeRawPointer) -> TypeMetadata.Field? { nil } }

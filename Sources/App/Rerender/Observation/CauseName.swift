// SPDX-License-Identifier: MIT
// Names a write as reasons show it.

/// The reason's text for a write: `ticker.engine.rpm` from the view down; `Ticker.tick` for a model that the view does not
/// hold; `Ticker.tick (1 of 2)` where it cannot be told which of two it was; `Ticker ended` for a model that went away.
/// nil if the property has no name: then the writes are known, and not of what.
package func causeName(of write: ObservedWrite, reads: ObservedReads?, paths: ModelPaths) -> String? {
    let path = unsafe write.keyPath
    if write.isDeinit {
        let type = KeyPathName.plain(_typeName(type(of: path).rootType, qualified: false))
        return write.model.flatMap(paths.path(of:)).map { $0.isEmpty ? type : $0 }.map { $0 + " ended" }
            ?? type + " ended"
    }
    guard let name = KeyPathName.property(of: path) else { return nil }
    return causeName(of: write, name, on: write.model.flatMap(paths.path(of:)), reads: reads)
}

/// The same for a write to a property whose name is known.
///
/// - Parameter way: The path to its model; nil where the view does not hold that.
func causeName(of write: ObservedWrite, _ name: PropertyName, on way: String?, reads: ObservedReads?) -> String {
    if let way { return way.isEmpty ? name.property : way + "." + name.property }
    let plain = name.rootType + "." + name.property
    if write.model != nil { return plain }
    let path = unsafe write.keyPath
    let models = unsafe reads?.models ?? []
    let candidates = models.count { $0.properties.contains(path) }
    return candidates > 1 ? plain + " (1 of \(candidates))" : plain
}

/// A write with the name that a reader knows. A class, so that passing it on copies one word.
final class NamedWrite: Sendable {
    private let write: ObservedWrite
    /// nil in a program without symbols.
    let property: PropertyName?
    /// The way to its model; nil where the view does not hold that.
    let path: String?
    /// Empty where it cannot be told.
    let name: String

    init(_ write: ObservedWrite, _ paths: ModelPaths, _ reads: ObservedReads?) {
        self.write = write
        let property = unsafe KeyPathName.property(of: write.keyPath)
        let path = write.model.flatMap { paths.path(of: $0) }
        self.property = property
        self.path = path
        name =
            if write.isDeinit {
                property == nil ? "" : causeName(of: write, reads: reads, paths: paths) ?? ""
            } else {
                property.map { causeName(of: write, $0, on: path, reads: reads) } ?? ""
            }
    }

    /// Whether it is of a write to the same property of the same model.
    func isOf(_ write: ObservedWrite) -> Bool { self.write.isSame(as: write) }
}

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
    let plain = name.rootType + "." + name.property
    if let model = write.model {
        guard let way = paths.path(of: model) else { return plain }
        return way.isEmpty ? name.property : way + "." + name.property
    }
    let models = unsafe reads?.models ?? []
    let candidates = models.count { $0.properties.contains(path) }
    return candidates > 1 ? plain + " (1 of \(candidates))" : plain
}

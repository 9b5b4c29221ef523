// SPDX-License-Identifier: MIT
// A view's waste as it travels: a fixed number of integers.

package import RerenderModel

/// A ``Waste`` without its sum, which is `measured` and `inferred`.
package struct WasteTotals: Hashable, Sendable, BitwiseCopyable {
    package var measured: UInt64 = 0
    package var inferred: UInt64 = 0
    /// Body time spent in both.
    package var nanoseconds: UInt64 = 0
    private var sameOutput: UInt64 = 0
    private var sameValue: UInt64 = 0
    private var newIdentity: UInt64 = 0
    private var closureIdentity: UInt64 = 0
    private var parentOnly: UInt64 = 0
    private var twiceInATurn: UInt64 = 0

    package init() {}

    /// The count of one kind.
    package subscript(kind: WasteKind) -> UInt64 {
        get {
            switch kind {
            case .sameOutput: sameOutput
            case .sameValue: sameValue
            case .newIdentity: newIdentity
            case .closureIdentity: closureIdentity
            case .parentOnly: parentOnly
            case .twiceInATurn: twiceInATurn
            }
        }
        set {
            switch kind {
            case .sameOutput: sameOutput = newValue
            case .sameValue: sameValue = newValue
            case .newIdentity: newIdentity = newValue
            case .closureIdentity: closureIdentity = newValue
            case .parentOnly: parentOnly = newValue
            case .twiceInATurn: twiceInATurn = newValue
            }
        }
    }

    /// Evaluations that were not needed; the largest number if hostile numbers do not add up.
    package var count: UInt64 {
        let (sum, overflow) = measured.addingReportingOverflow(inferred)
        return overflow ? .max : sum
    }

    /// The waste as the export shows it.
    package var waste: Waste {
        var waste = Waste()
        guard self != WasteTotals() else { return waste }
        waste.count = count
        waste.measured = measured
        waste.inferred = inferred
        waste.nanoseconds = nanoseconds
        for kind in WasteKind.allCases where self[kind] > 0 { waste.kinds[kind] = self[kind] }
        return waste
    }

    func write(to writer: inout WireWriter) {
        writer.integer(measured)
        writer.integer(inferred)
        writer.integer(nanoseconds)
        for kind in WasteKind.allCases { writer.integer(self[kind]) }
    }

    @inline(__always)
    init(from reader: inout WireReader) throws(WireError) {
        measured = try reader.integer()
        inferred = try reader.integer()
        nanoseconds = try reader.integer()
        // One by one in the order of `WasteKind.allCases`: a loop over the cases would show in the daemon's profile.
        sameOutput = try reader.integer()
        sameValue = try reader.integer()
        newIdentity = try reader.integer()
        closureIdentity = try reader.integer()
        parentOnly = try reader.integer()
        twiceInATurn = try reader.integer()
    }
}

// SPDX-License-Identifier: MIT
// The flight page: what an app leaves in memory that the daemon holds, so that its death hides nothing. Layout and reader.

/// The layout of a flight page, version 8; all integers in the machine's own byte order, aligned to their size.
///
///     offset  bytes  field
///          0      8  magic "RRFLIGHT"
///          8      4  version
///         12      4  pid, as the app sees it
///         16      8  start of the process in clock ticks since boot (field 22 of /proc/PID/stat)
///         24      4  stores: how many slots are in use; written after the slot is complete
///         28      4  closed: 1 once nothing more is counted here and everything was sent
///         32     32  name of the process in UTF-8, padded with zeros
///         64  64×32  slots, one for each store in the order in which they were made
///       2112  64×31  the stores' names in UTF-8, padded with zeros
///       4096  18752  the main loop's part, see ``LoopLayout``
///      22848   1728  unused
///
/// A slot:
///
///          0      4  store's number
///          4      4  epoch
///          8      8  evaluations of the even epoch that is, or was last, current
///         16      8  evaluations of the odd one
///         24      8  when the store was made, in nanoseconds since 1970
///
/// A reset clears the counter that the new epoch will use before it raises the epoch, so that the two fields never
/// have to change together.
package enum FlightPageLayout {
    package static let magic: UInt64 = 0x5448_4749_4C46_5252  // "RRFLIGHT" in memory
    package static let version: UInt32 = 8
    /// A multiple of what the kernel maps.
    package static let byteCount = 24_576
    package static let slots = 64

    package static let versionOffset = 8
    package static let pidOffset = 12
    package static let startTicksOffset = 16
    package static let storesOffset = 24
    package static let closedOffset = 28
    package static let closed: UInt32 = 1
    package static let processNameOffset = 32
    package static let processNameBytes = 32
    package static let slotsOffset = 64
    package static let slotBytes = 32
    package static let namesOffset = 2_112
    package static let nameBytes = 31
    package static let loopOffset = 4_096

    package static let slotEpochOffset = 4
    package static let slotEvaluationsOffset = 8
    package static let slotStartedAtOffset = 24
}

/// What a flight page says; read from bytes that anyone may have written.
package struct FlightPage: Hashable, Sendable {
    package var pid: Int32
    package var startTicks: UInt64
    package var isClosed: Bool
    package var processName: String
    package var stores: [Store]

    /// One store's part of the page.
    package struct Store: Hashable, Sendable {
        package var storeID: UInt32
        package var name: String
        package var epoch: UInt32
        /// Evaluations of that epoch.
        package var evaluations: UInt64
        package var startedAtNanoseconds: Int64
    }

    /// Reads a page; throws a ``WireError`` if it is too short, of another kind or of another version.
    package init(_ bytes: RawSpan) throws(WireError) {
        guard bytes.byteCount >= FlightPageLayout.pidOffset else { throw .truncated }
        guard bytes.integer(at: 0, as: UInt64.self) == FlightPageLayout.magic else { throw .notRerender }
        let version = UInt16(clamping: bytes.integer(at: FlightPageLayout.versionOffset, as: UInt32.self))
        guard version == FlightPageLayout.version else {
            throw .versionMismatch(ours: UInt16(FlightPageLayout.version), theirs: version)
        }
        // Only now: the pages of other versions have other sizes.
        guard bytes.byteCount >= FlightPageLayout.byteCount else { throw .truncated }
        pid = bytes.integer(at: FlightPageLayout.pidOffset, as: Int32.self)
        startTicks = bytes.integer(at: FlightPageLayout.startTicksOffset, as: UInt64.self)
        let closed = bytes.integer(at: FlightPageLayout.closedOffset, as: UInt32.self)
        isClosed = closed == FlightPageLayout.closed
        processName = bytes.text(
            at: FlightPageLayout.processNameOffset, limit: FlightPageLayout.processNameBytes)
        let count = bytes.integer(at: FlightPageLayout.storesOffset, as: UInt32.self)
        guard count <= FlightPageLayout.slots else { throw .invalid("the number of stores") }
        stores = (0..<Int(count)).map { Store(slot: $0, of: bytes) }
    }
}

extension FlightPage.Store {
    fileprivate init(slot: Int, of bytes: RawSpan) {
        let start = FlightPageLayout.slotsOffset + slot * FlightPageLayout.slotBytes
        storeID = bytes.integer(at: start, as: UInt32.self)
        epoch = bytes.integer(at: start + FlightPageLayout.slotEpochOffset, as: UInt32.self)
        evaluations = bytes.integer(
            at: start + FlightPageLayout.slotEvaluationsOffset + Int(epoch & 1) * 8, as: UInt64.self)
        startedAtNanoseconds = bytes.integer(at: start + FlightPageLayout.slotStartedAtOffset, as: Int64.self)
        name = bytes.text(
            at: FlightPageLayout.namesOffset + slot * FlightPageLayout.nameBytes, limit: FlightPageLayout.nameBytes)
    }
}

extension RawSpan {
    func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as _: T.Type) -> T {
        precondition(offset >= 0 && offset + MemoryLayout<T>.size <= byteCount)
        // Safe: inside the bytes (checked above), and every bit pattern is an integer.
        return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// UTF-8 up to the first zero; bytes that are no UTF-8 become U+FFFD.
    func text(at offset: Int, limit: Int) -> String {
        let bytes = (offset..<offset + limit).map { integer(at: $0, as: UInt8.self) }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

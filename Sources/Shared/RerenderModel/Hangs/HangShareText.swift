// SPDX-License-Identifier: MIT
// The shares of a hang as one text of a trace event, and read from it.

/// Where the time of a hang went, in one text: `REST;`, and for each share `NANOSECONDS/PHASE/STORE/BYTES/BYTES:HANDLERVIEW;`.
///
/// The rest is outside of all shares, or `-` where the shares are not known. A phase is its place in `HangPhase.allCases`, from 1, or 0. A
/// store is its number, or `-`. The bytes are those of the two names, which may have anything in them.
package enum HangShareText {
    /// The longest text: a reader of traces keeps 2,048 bytes.
    package static let mostBytes = 2_000
    /// The most shares that a daemon lists, the other views among them.
    package static let mostShares = 9

    /// The text of a hang's shares; empty where it would be too long.
    package static func text(of hang: Hang) -> String {
        var text = (hang.unattributedNanoseconds.map { String($0) } ?? "-") + ";"
        for share in hang.shares {
            let phase = share.phase.flatMap(HangPhase.allCases.firstIndex).map { $0 + 1 } ?? 0
            let store = share.store.map { String($0.number) } ?? "-"
            let (handler, view) = (share.handler ?? "", share.view.rawValue)
            text += "\(share.nanoseconds)/\(phase)/\(store)/\(handler.utf8.count)/\(view.utf8.count):\(handler)\(view);"
        }
        return text.utf8.count <= mostBytes ? text : ""
    }

    /// The shares of a text, and what is outside of them; nil where the shares are not known, and for any other text.
    ///
    /// - Parameters:
    ///   - duration: That of the hang: the shares cannot be more.
    ///   - store: Finds a store by its number.
    package static func shares(
        in text: String, of duration: UInt64, store: (UInt32) -> Hang.Store?
    ) -> (shares: [Hang.Share], unattributed: UInt64)? {
        var rest = Array(text.utf8)[...]
        guard let unattributed = number(&rest, before: ";") else { return nil }
        var (shares, sum) = ([Hang.Share](), unattributed)
        while !rest.isEmpty {
            guard shares.count < mostShares, let share = share(&rest, store) else { return nil }
            sum = sum.clampedSum(share.nanoseconds)
            shares.append(share)
        }
        return sum <= duration ? (shares, unattributed) : nil
    }

    private static func share(_ rest: inout ArraySlice<UInt8>, _ store: (UInt32) -> Hang.Store?) -> Hang.Share? {
        guard let nanoseconds = number(&rest, before: "/"), let phase = number(&rest, before: "/"),
            let place = word(&rest, before: "/"), let handlerBytes = number(&rest, before: "/"),
            let viewBytes = number(&rest, before: ":"), let handler = name(&rest, handlerBytes),
            let view = name(&rest, viewBytes), word(&rest, before: ";") == "", phase <= HangPhase.allCases.count
        else { return nil }
        return Hang.Share(
            view: ViewKey(rawValue: view), handler: handler.isEmpty ? nil : handler,
            phase: phase == 0 ? nil : HangPhase.allCases[Int(phase) - 1], store: UInt32(place).flatMap(store),
            nanoseconds: nanoseconds)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, before end: Unicode.Scalar) -> UInt64? {
        word(&rest, before: end).flatMap { UInt64($0) }
    }

    /// Takes what is before a sign, and the sign.
    private static func word(_ rest: inout ArraySlice<UInt8>, before end: Unicode.Scalar) -> String? {
        guard let place = rest.firstIndex(of: UInt8(ascii: end)) else { return nil }
        defer { rest = rest[(place + 1)...] }
        return String(decoding: rest[..<place], as: UTF8.self)
    }

    private static func name(_ rest: inout ArraySlice<UInt8>, _ bytes: UInt64) -> String? {
        guard bytes <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(bytes)) }
        return String(decoding: rest.prefix(Int(bytes)), as: UTF8.self)
    }
}

// SPDX-License-Identifier: MIT
// What connects the end of an interval with its begin.

/// Returned by `beginInterval`, wanted by `endInterval`; ends at most once, on any thread.
///
/// Costs nothing while no session records: then it is empty in release builds, and ending it does nothing, also if a
/// recording has started meanwhile. Encoded, it lets another process end the interval, if that process's signposter has
/// the same name and the id is not ``SignpostID/exclusive``.
public struct SignpostIntervalState: Sendable {
    /// nil if no session recorded at the begin. Plain bytes and no reference, for both ways to begin: even the release of
    /// a reference that is nil was 2 ns, and an object for each begin was 39 ns.
    @usableFromInline let interval: OpenInterval?

    @usableFromInline
    init(_ interval: OpenInterval?) { self.interval = interval }

    /// The state of an interval that was begun elsewhere, known by its id alone; its end is not checked.
    public static func beginState(id: SignpostID) -> SignpostIntervalState {
        SignpostIntervalState(OpenInterval(id: id, origin: .unknown))
    }
}

/// An interval that has begun.
@usableFromInline
struct OpenInterval: Sendable {
    /// Where it began.
    enum Origin: BitwiseCopyable, Equatable {
        case here
        /// Known by its id alone.
        case unknown
        /// Decoded: by name, since neither literals nor providers travel.
        case elsewhere(TravelledName, process: UInt64)
    }

    let id: SignpostID
    let name: StaticString
    let provider: Provider.Reference
    let scope: Signposter.Scope
    let origin: Origin
    private let serial: UInt64

    /// Tells this process from every other one.
    static let thisProcess = UInt64.random(in: .min ... .max)

    /// Begun here.
    init(id: SignpostID, name: StaticString, signposter: Signposter) {
        self.id = id
        self.name = name
        provider = signposter.provider.reference
        scope = signposter.scope
        origin = .here
        serial = EndLedger.open()
    }

    init(id: SignpostID, origin: Origin) {
        self.id = id
        self.origin = origin
        name = ""
        provider = Provider.none.reference
        scope = .process
        serial = EndLedger.open()
    }

    /// What another process is told of it; nil if nothing but the id is known.
    var travelling: (name: String, signposter: String, process: UInt64)? {
        switch origin {
        case .here: ("\(name)", provider.provider.name, Self.thisProcess)
        case .unknown: nil
        case .elsewhere(let travelled, let process): (travelled.name, travelled.signposter, process)
        }
    }

    /// Marks the end; true the first time.
    func close() -> Bool { EndLedger.close(serial) }
}

extension SignpostIntervalState: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, signposter, process
    }

    /// Encodes the null id if no session recorded, so that no process records the end alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(interval?.id ?? .null, forKey: .id)
        guard let origin = interval?.travelling else { return }
        try container.encode(origin.name, forKey: .name)
        try container.encode(origin.signposter, forKey: .signposter)
        try container.encode(origin.process, forKey: .process)
    }

    /// Decodes what another process, or this one, encoded. Fails only if the decoder does.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id = try container.decode(SignpostID.self, forKey: .id)
        guard id.isRecordable else {
            self.init(nil)
            return
        }
        guard let name = try container.decodeIfPresent(String.self, forKey: .name) else {
            self.init(OpenInterval(id: id, origin: .unknown))
            return
        }
        let signposter = try container.decode(String.self, forKey: .signposter)
        let process = try container.decode(UInt64.self, forKey: .process)
        let travelled = TravelledName(name: name, signposter: signposter)
        self.init(OpenInterval(id: id, origin: travelled.map { .elsewhere($0, process: process) } ?? .unknown))
    }
}

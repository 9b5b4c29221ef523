// SPDX-License-Identifier: MIT
// What connects the end of an interval with its begin.

internal import Synchronization

/// Returned by `beginInterval`, wanted by `endInterval`; ends at most once, on any thread.
///
/// Costs nothing while nobody records: then it is empty in release builds, and ending it does nothing, also if a
/// recording has started meanwhile. Encoded, it lets another process end the interval, if that process's signposter has
/// the same name and the id is not ``SignpostID/exclusive``.
public struct SignpostIntervalState: Sendable {
    /// nil when nobody recorded at the begin. An optional reference is what makes the disabled pair free: a fresh
    /// object per begin was 39 ns, a shared one 12 ns of reference counting.
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
final class OpenInterval: Sendable {
    /// Who began it.
    enum Origin: Sendable {
        case here(name: StaticString, provider: Provider, scope: Signposter.Scope)
        /// Decoded: by name, since neither literals nor providers travel. `process` tells whether it left this one.
        case decoded(name: String, signposter: String, process: UInt64)
        /// Made from an id.
        case unknown
    }

    let id: SignpostID
    let origin: Origin
    private let isEnded = Atomic<Bool>(false)

    /// Tells this process from every other one.
    static let thisProcess = UInt64.random(in: .min ... .max)

    init(id: SignpostID, origin: Origin) {
        self.id = id
        self.origin = origin
    }

    /// Marks the end; true the first time.
    func close() -> Bool { !isEnded.exchange(true, ordering: .relaxed) }
}

extension SignpostIntervalState: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, signposter, process
    }

    /// Encodes the null id when nobody recorded, so that no process records the end alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(interval?.id ?? .null, forKey: .id)
        switch interval?.origin {
        case .here(let name, let provider, _):
            try container.encode("\(name)", forKey: .name)
            try container.encode(provider.name, forKey: .signposter)
            try container.encode(OpenInterval.thisProcess, forKey: .process)
        case .decoded(let name, let signposter, let process):
            try container.encode(name, forKey: .name)
            try container.encode(signposter, forKey: .signposter)
            try container.encode(process, forKey: .process)
        case .unknown, nil: break
        }
    }

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
        self.init(OpenInterval(id: id, origin: .decoded(name: name, signposter: signposter, process: process)))
    }
}

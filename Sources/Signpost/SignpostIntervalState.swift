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
        SignpostIntervalState(OpenInterval(id: id, elsewhere: OpenInterval.Elsewhere(decoded: nil)))
    }
}

/// An interval that has begun.
@usableFromInline
final class OpenInterval: Sendable {
    /// What is known of a begin that was not made here; apart, so that the common object is plain bytes.
    final class Elsewhere: Sendable {
        /// Decoded: by name, since neither literals nor providers travel. Nil when made from an id.
        let decoded: (name: String, signposter: String, process: UInt64)?

        init(decoded: (name: String, signposter: String, process: UInt64)?) { self.decoded = decoded }
    }

    let id: SignpostID
    let name: StaticString
    let signposter: Signposter
    let elsewhere: Elsewhere?
    private let isEnded = Atomic<Bool>(false)

    /// Tells this process from every other one.
    static let thisProcess = UInt64.random(in: .min ... .max)

    /// Begun here.
    init(id: SignpostID, name: StaticString, signposter: Signposter) {
        self.id = id
        self.name = name
        self.signposter = signposter
        elsewhere = nil
    }

    init(id: SignpostID, elsewhere: Elsewhere) {
        self.id = id
        self.elsewhere = elsewhere
        name = ""
        signposter = .disabled
    }

    /// What another process is told of a begin made here.
    var travelling: (name: String, signposter: String, process: UInt64) {
        ("\(name)", signposter.provider.name, Self.thisProcess)
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
        guard let interval else { return }
        let origin = interval.elsewhere == nil ? interval.travelling : interval.elsewhere?.decoded
        guard let origin else { return }
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
            self.init(OpenInterval(id: id, elsewhere: OpenInterval.Elsewhere(decoded: nil)))
            return
        }
        let signposter = try container.decode(String.self, forKey: .signposter)
        let process = try container.decode(UInt64.self, forKey: .process)
        self.init(OpenInterval(id: id, elsewhere: OpenInterval.Elsewhere(decoded: (name, signposter, process))))
    }
}

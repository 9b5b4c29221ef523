// SPDX-License-Identifier: MIT
// The user's settings, as their file is now.

internal import Dispatch
internal import Logging
internal import NIOCore
import RerenderModel
import RerenderWire

/// Reads the user's settings again where their file has changed. Confined to the event loop.
///
/// The file is looked at on a thread of its own: a home may be on a share that does not answer.
final class CurrentSettings {
    /// What a look at the file found.
    struct Reading: Sendable {
        let version: FileVersion?
        let settings: Result<UserSettings, SettingsFault>
    }

    /// Looks at the file; may give back what the look before it found.
    typealias Look = @Sendable (_ latest: Reading?) -> Reading

    /// Also takes the settings, each time that they were looked at.
    var onLook: (UserSettings) -> Void = { _ in }
    private let look: Look?
    private let loop: any EventLoop
    private let log: Logger
    private let queue = DispatchQueue(label: "rerender.settings")
    private var latest: Reading?
    private var waiting: [(UserSettings) -> Void] = []
    private var isLooking = false

    /// Settings from a file; those without a file where it is nil.
    convenience init(_ file: SettingsFile?, log: Logger, loop: any EventLoop) {
        self.init(file.map { Self.look(at: $0, log) }, log: log, loop: loop)
    }

    init(_ look: Look?, log: Logger, loop: any EventLoop) {
        (self.look, self.log, self.loop) = (look, log, loop)
    }

    /// Hands over the settings as they are now, later and on the event loop. Those without a file where it cannot be used.
    ///
    /// Where nothing is heard of the file, all wait: whoever asks waits for the answer before it asks again.
    func use(_ body: @escaping (UserSettings) -> Void) {
        guard let look else { return body(UserSettings()) }
        waiting.append(body)
        if !isLooking { begin(look) }
    }

    private func begin(_ look: @escaping Look) {
        isLooking = true
        let bodies = waiting
        waiting = []
        let found = loop.makePromise(of: Reading.self)
        queue.async { [latest] in found.succeed(look(latest)) }
        found.futureResult.assumeIsolated().whenSuccess { reading in
            self.isLooking = false
            self.latest = reading
            let settings = (try? reading.settings.get()) ?? UserSettings()
            self.onLook(settings)
            for body in bodies { body(settings) }
            // The file may have changed after the look began that these came in.
            if !self.waiting.isEmpty { self.begin(look) }
        }
    }

    /// Reads a file where it has another version than before; what is wrong with it is logged once for each.
    private static func look(at file: SettingsFile, _ log: Logger) -> Look {
        { latest in
            let version = file.version
            if let latest, latest.version == version { return latest }
            let settings = Result { () throws(SettingsFault) in try file.settings() }
            if case .failure(let fault) = settings {
                let place = fault.line.map { ":\($0)" } ?? ""
                log.warning("\(file.path)\(place): \(fault.text). The settings in it are not used")
            }
            return Reading(version: version, settings: settings)
        }
    }
}

extension UserSettings {
    /// What a store is to be told; nil where that is nothing. An app's own choice stays, and what it was told before.
    func change(of state: StoreState) -> DaemonMessage.Settings? {
        guard !state.isConfigured else { return nil }
        var change = DaemonMessage.Settings()
        if state.hangThresholdMilliseconds == HangThreshold.hangMilliseconds {
            change.hangThresholdMilliseconds = hangThresholdMilliseconds
        }
        if state.microHangThresholdMilliseconds == HangThreshold.microHangMilliseconds {
            change.microHangThresholdMilliseconds = microHangThresholdMilliseconds
        }
        if !state.hangStacks { change.hangStacks = hangStacks }
        return change == DaemonMessage.Settings() ? nil : change
    }
}

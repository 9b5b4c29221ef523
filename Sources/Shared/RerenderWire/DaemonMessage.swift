// SPDX-License-Identifier: MIT
// What the daemon tells an app, and the bytes of it.

package import RerenderModel

package enum DaemonMessage: Hashable, Sendable {
    /// The answer to a hello of our version, with the number of the copy of the library: see ``Hello/copy``.
    case welcome(version: UInt16, copy: UInt32)
    /// The answer to any other hello; the connection closes after it.
    case refusal(Refusal)
    /// Change settings; nil leaves one as it is.
    case configure(request: UInt32, storeID: UInt32?, Settings)
    /// Begin a new epoch with all counts at zero.
    case reset(request: UInt32, storeID: UInt32?)
    /// Show the view to the user: run the pulse handlers.
    case pulse(request: UInt32, storeID: UInt32?, key: String)
    /// Show something above the app's windows, or take it away.
    case overlay(request: UInt32, storeID: UInt32?, ScreenOverlay, isOn: Bool)
    /// A hang ended and was counted: what one store is told of it.
    case hangEnded(HangNotice)
    /// A turn takes long: say on the flight page whether the loop was left meanwhile, until the turn ends.
    case watchTurn(turn: UInt64)
    /// Take the main thread's stack, if that is switched on and the turn is still the same.
    case sampleStack(hang: UInt64, turn: UInt64)
    /// What a store counts now, told without a hang: the one in the notice is blank.
    case hangCounts(HangNotice)
    /// The process has grown and has no known loop: look whether a library with one was loaded.
    case lookForLoops

    /// Why a connection was refused.
    package struct Refusal: Hashable, Sendable {
        package var daemonVersion: UInt16
        package var appVersion: UInt16
        package var text: String

        package init(daemonVersion: UInt16, appVersion: UInt16, text: String) {
            self.daemonVersion = daemonVersion
            self.appVersion = appVersion
            self.text = text
        }
    }

    /// A store's settings.
    ///
    /// A new setting travels from the user to the app as `UserSettings` (the file), `SettingParser` (`config set`) or
    /// `ConfigurationChange` (`POST /v1/config`); `QueryRouter.configure` and `CurrentSettings` make this of it. The app takes it
    /// in `StoreCore.apply`, beside the property of `RerenderStore` that sets the same. It tells the setting that it has in
    /// `StoreCore.state`: `StoreState`, then `ProcessStats`, which must be able to read older exports.
    /// Both versions rise, `WireProtocol.version` and `StateFile.version`. `config`'s help and the table of `config get` name
    /// it, and so do the settings file's page, the guide and the pages of JSON and of the query API.
    package struct Settings: Hashable, Sendable {
        package var isEnabled: Bool?
        package var hangThresholdMilliseconds: UInt32?
        package var microHangThresholdMilliseconds: UInt32?
        package var hangStacks: Bool?

        package init(
            isEnabled: Bool? = nil, hangThresholdMilliseconds: UInt32? = nil,
            microHangThresholdMilliseconds: UInt32? = nil, hangStacks: Bool? = nil
        ) {
            self.hangStacks = hangStacks
            self.isEnabled = isEnabled
            self.hangThresholdMilliseconds = hangThresholdMilliseconds
            self.microHangThresholdMilliseconds = microHangThresholdMilliseconds
        }
    }
}

extension DaemonMessage {
    /// A message of each kind, in the order of the kinds' numbers, which begin at 1.
    private static var blanks: [DaemonMessage] {
        [
            .welcome(version: 0, copy: 0), .refusal(Refusal(daemonVersion: 0, appVersion: 0, text: "")),
            .configure(request: 0, storeID: nil, Settings()), .reset(request: 0, storeID: nil),
            .pulse(request: 0, storeID: nil, key: ""), .hangEnded(.blank), .watchTurn(turn: 0),
            .sampleStack(hang: 0, turn: 0), .hangCounts(.blank), .lookForLoops,
            .overlay(request: 0, storeID: nil, .hud, isOn: false),
        ]
    }

    private var kind: UInt8 {
        switch self {
        case .welcome: 1
        case .refusal: 2
        case .configure: 3
        case .reset: 4
        case .pulse: 5
        case .hangEnded: 6
        case .watchTurn: 7
        case .sampleStack: 8
        case .hangCounts: 9
        case .lookForLoops: 10
        case .overlay: 11
        }
    }

    /// Appends the message to the frames in `writer`.
    package func write(to writer: inout WireWriter) {
        writer.message(kind: kind) { _ = coded(with: &$0) }
    }

    /// Reads one message's fields; nil for a kind that this version does not know.
    package init?(kind: UInt8, fields reader: inout WireReader) throws(WireError) {
        guard let blank = Self.blanks.first(where: { $0.kind == kind }) else { return nil }
        self = try blank.coded(with: &reader)
    }

    private func coded<Coder: WireCoder & ~Escapable>(
        with coder: inout Coder
    ) throws(Coder.Failure) -> DaemonMessage {
        switch self {
        case .welcome(let version, let copy):
            return .welcome(version: try coder.integer(version), copy: try coder.integer(copy))
        case .refusal(var refusal):
            refusal.daemonVersion = try coder.integer(refusal.daemonVersion)
            refusal.appVersion = try coder.integer(refusal.appVersion)
            refusal.text = try coder.string(refusal.text, limit: WireLimits.stringBytes)
            return .refusal(refusal)
        case .configure(let request, let storeID, var settings):
            let (request, storeID) = (try coder.integer(request), try coder.store(storeID))
            settings.isEnabled = try coder.setting(settings.isEnabled)
            settings.hangThresholdMilliseconds = try coder.threshold(settings.hangThresholdMilliseconds)
            settings.microHangThresholdMilliseconds = try coder.threshold(settings.microHangThresholdMilliseconds)
            settings.hangStacks = try coder.setting(settings.hangStacks)
            return .configure(request: request, storeID: storeID, settings)
        case .reset(let request, let storeID):
            return .reset(request: try coder.integer(request), storeID: try coder.store(storeID))
        case .pulse(let request, let storeID, let key):
            return .pulse(
                request: try coder.integer(request), storeID: try coder.store(storeID),
                key: try coder.string(key, limit: WireLimits.keyBytes))
        case .overlay(let request, let storeID, let overlay, let isOn):
            return .overlay(
                request: try coder.integer(request), storeID: try coder.store(storeID),
                try coder.choice(overlay, of: ScreenOverlay.allCases, "an overlay"), isOn: try coder.flag(isOn))
        case .hangEnded(var notice):
            try notice.code(with: &coder)
            return .hangEnded(notice)
        case .hangCounts(var notice):
            try notice.code(with: &coder)
            return .hangCounts(notice)
        case .lookForLoops: return self
        case .watchTurn(let turn): return .watchTurn(turn: try coder.integer(turn))
        case .sampleStack(let hang, let turn):
            return .sampleStack(hang: try coder.integer(hang), turn: try coder.integer(turn))
        }
    }
}

extension WireCoder where Self: ~Escapable {
    /// A store's number; the largest number stands for all stores of the process.
    fileprivate mutating func store(_ storeID: UInt32?) throws(Failure) -> UInt32? {
        let number = try integer(storeID ?? .max)
        return number == .max ? nil : number
    }

    fileprivate mutating func setting(_ isOn: Bool?) throws(Failure) -> Bool? {
        try choice(isOn, of: [false, true, nil], "a setting")
    }

    /// A threshold; 0, which none can be, stands for one that stays as it is.
    fileprivate mutating func threshold(_ milliseconds: UInt32?) throws(Failure) -> UInt32? {
        let number = try integer(milliseconds ?? 0)
        return number == 0 ? nil : number
    }
}

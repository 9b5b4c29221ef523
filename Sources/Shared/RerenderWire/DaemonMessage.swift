// SPDX-License-Identifier: MIT
// What the daemon tells an app, and the bytes of it.

/// A message from the daemon.
package enum DaemonMessage: Hashable, Sendable {
    /// The answer to a hello of our version.
    case welcome(version: UInt16)
    /// The answer to any other hello; the connection closes after it.
    case refusal(Refusal)
    /// Change settings; nil leaves one as it is.
    case configure(request: UInt32, storeID: UInt32?, Settings)
    /// Begin a new epoch with all counts at zero.
    case reset(request: UInt32, storeID: UInt32?)
    /// Show the view to the user: run the pulse handlers.
    case pulse(request: UInt32, storeID: UInt32?, key: String)
    /// A hang ended and was counted: what one store is told of it.
    case hangEnded(HangNotice)
    /// A turn takes long: say on the flight page whether the loop was left meanwhile, until the turn ends.
    case watchTurn(turn: UInt64)
    /// Take the main thread's stack, if that is switched on and the turn is still the same.
    case sampleStack(hang: UInt64, turn: UInt64)

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
    private enum Kind: UInt8 {
        case welcome = 1
        case refusal, configure, reset, pulse, hangEnded, watchTurn, sampleStack
    }

    /// Stands for all stores of the process.
    private static let allStores: UInt32 = .max
    /// Stands for a threshold that stays as it is; no threshold can be zero.
    private static let unchanged: UInt32 = 0

    /// Appends the message to the frames in `writer`.
    package func write(to writer: inout WireWriter) {
        switch self {
        case .welcome(let version):
            writer.message(kind: Kind.welcome.rawValue) { $0.integer(version) }
        case .refusal(let refusal):
            writer.message(kind: Kind.refusal.rawValue) {
                $0.integer(refusal.daemonVersion)
                $0.integer(refusal.appVersion)
                $0.string(refusal.text, limit: WireLimits.stringBytes)
            }
        case .configure(let request, let storeID, let settings):
            writer.message(kind: Kind.configure.rawValue) {
                $0.integer(request)
                $0.integer(storeID ?? Self.allStores)
                $0.integer(settings.isEnabled.map { $0 ? UInt8(1) : 0 } ?? 2)
                $0.integer(settings.hangThresholdMilliseconds ?? Self.unchanged)
                $0.integer(settings.microHangThresholdMilliseconds ?? Self.unchanged)
                $0.integer(settings.hangStacks.map { $0 ? UInt8(1) : 0 } ?? 2)
            }
        case .reset(let request, let storeID):
            writer.message(kind: Kind.reset.rawValue) {
                $0.integer(request)
                $0.integer(storeID ?? Self.allStores)
            }
        case .pulse(let request, let storeID, let key):
            writer.message(kind: Kind.pulse.rawValue) {
                $0.integer(request)
                $0.integer(storeID ?? Self.allStores)
                $0.string(key, limit: WireLimits.keyBytes)
            }
        case .hangEnded(let notice):
            writer.message(kind: Kind.hangEnded.rawValue) { notice.write(to: &$0) }
        case .watchTurn(let turn):
            writer.message(kind: Kind.watchTurn.rawValue) { $0.integer(turn) }
        case .sampleStack(let hang, let turn):
            writer.message(kind: Kind.sampleStack.rawValue) {
                $0.integer(hang)
                $0.integer(turn)
            }
        }
    }

    /// Reads one message's fields; nil for a kind that this version does not know.
    package init?(kind: UInt8, fields reader: inout WireReader) throws(WireError) {
        switch Kind(rawValue: kind) {
        case .welcome:
            self = .welcome(version: try reader.integer())
        case .refusal:
            let ours: UInt16 = try reader.integer()
            let theirs: UInt16 = try reader.integer()
            self = .refusal(
                Refusal(
                    daemonVersion: ours, appVersion: theirs,
                    text: try reader.string(limit: WireLimits.stringBytes)))
        case .configure:
            let request: UInt32 = try reader.integer()
            let storeID = try Self.storeID(from: &reader)
            self = .configure(request: request, storeID: storeID, try Settings(from: &reader))
        case .reset:
            let request: UInt32 = try reader.integer()
            self = .reset(request: request, storeID: try Self.storeID(from: &reader))
        case .pulse:
            let request: UInt32 = try reader.integer()
            let storeID = try Self.storeID(from: &reader)
            self = .pulse(request: request, storeID: storeID, key: try reader.string(limit: WireLimits.keyBytes))
        case .hangEnded: self = .hangEnded(try HangNotice(from: &reader))
        case .watchTurn: self = .watchTurn(turn: try reader.integer())
        case .sampleStack: self = .sampleStack(hang: try reader.integer(), turn: try reader.integer())
        case nil:
            return nil
        }
    }

    private static func storeID(from reader: inout WireReader) throws(WireError) -> UInt32? {
        let storeID: UInt32 = try reader.integer()
        return storeID == allStores ? nil : storeID
    }
}

extension DaemonMessage.Settings {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        isEnabled = try Self.choice(from: &reader)
        hangThresholdMilliseconds = try Self.threshold(from: &reader)
        microHangThresholdMilliseconds = try Self.threshold(from: &reader)
        hangStacks = try Self.choice(from: &reader)
    }

    private static func choice(from reader: inout WireReader) throws(WireError) -> Bool? {
        switch try reader.integer(UInt8.self) {
        case 0: return false
        case 1: return true
        case 2: return nil
        default: throw .invalid("a setting")
        }
    }

    private static func threshold(from reader: inout WireReader) throws(WireError) -> UInt32? {
        let milliseconds: UInt32 = try reader.integer()
        return milliseconds == 0 ? nil : milliseconds
    }
}

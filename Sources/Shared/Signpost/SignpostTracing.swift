// SPDX-License-Identifier: MIT
// What there is to know about LTTng in this process.

import CShared

/// The tracer behind all signposters of this process.
public enum SignpostTracing: Sendable {
    /// How a wait for the tracer ended.
    public enum Readiness: Sendable {
        /// Active sessions record every signpost from now on (or there is no session, or no session daemon).
        case ready
        /// LTTng-UST is not installed, or this is a forked child: signposts are off for good.
        case noLibrary
        /// The time was up, or the session daemon did not answer: signposts may come on at any time.
        case timedOut
    }

    /// A snapshot of the tracer's state.
    public struct Status: Sendable {
        /// What became of loading LTTng.
        public enum Library: Sendable, Equatable {
            /// No signposter was made. Rerender's own events alone are no reason to load it before a session daemon comes.
            case notTried
            case loading
            case missing(reason: String)
            case loaded(path: String)
        }

        /// What became of loading LTTng.
        public let library: Library
        /// Whether the session daemons told in time what they record; true if none runs.
        public let sessionDaemonsAnswered: Bool
        /// Providers made in this process.
        public let providers: Int
        /// Providers asked for and refused.
        public let refused: Int
        /// Events not recorded because memory ran out; LTTng counts full buffers itself.
        public let dropped: Int
    }
}

/// Why a signposter records nothing, whatever the session.
public enum SignpostFailure: Error, Sendable, Equatable, CustomStringConvertible {
    case badName
    case reserved
    case otherFields
    case tooMany
    case noMemory

    /// What is wrong and what to do about it.
    public var description: String {
        switch self {
        case .badName:
            """
            LTTng cannot carry this name: give SUBSYSTEM.CATEGORY at most 249 bytes, no empty part between dots, and \
            no space, control character, colon, asterisk, quote or backslash
            """
        case .reserved: "Rerender emits under this name itself: choose another category"
        case .otherFields: "a provider of this name exists with other fields: choose another category"
        case .tooMany: "this process has 1024 categories already: use fewer, and put what varies into the message"
        case .noMemory: "there was no memory for another category"
        }
    }
}

extension SignpostTracing {
    /// Loads LTTng if need be and waits until every signpost emitted from now on is recorded by the active sessions.
    ///
    /// Covers the signposters made before this call. Blocks the calling thread for at most `milliseconds` (none, if
    /// that is zero or less): for command-line tools and tests, not for a user interface.
    @available(*, noasync, message: "blocks the thread")
    public static func waitUntilReady(milliseconds: Int) -> Readiness {
        switch Int(csignpost_wait_until_ready(CInt(clamping: max(0, milliseconds)))) {
        case CSIGNPOST_READY: .ready
        case CSIGNPOST_NO_LIBRARY: .noLibrary
        default: .timedOut
        }
    }

    /// Has LTTng loaded, also where no session daemon is yet. Waits for nothing.
    package static func load() { csignpost_load() }

    /// Has LTTng loaded if it is not, and a session daemon has come. Waits for no more than the file system.
    package static func look() { csignpost_look() }

    /// The state of LTTng in this process, for diagnosis.
    public static var status: Status {
        var status = csignpost_status()
        let path = unsafe withUnsafeBytes(of: &status.path) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let library: Status.Library =
            switch status.library {
            case CSIGNPOST_LOADED: .loaded(path: path)
            case CSIGNPOST_MISSING: .missing(reason: path)
            case CSIGNPOST_LOADING: .loading
            default: .notTried
            }
        return Status(
            library: library, sessionDaemonsAnswered: status.answered != 0, providers: Int(status.providers),
            refused: Int(status.refused), dropped: Int(status.dropped))
    }
}

extension SignpostFailure {
    init(code: Int) {
        self =
            switch code {
            case CSIGNPOST_RESERVED: .reserved
            case CSIGNPOST_OTHER_SHAPE: .otherFields
            case CSIGNPOST_TOO_MANY: .tooMany
            case CSIGNPOST_NO_MEMORY: .noMemory
            default: .badName
            }
    }
}

// SPDX-License-Identifier: MIT
// Begin, end, event.

import CShared

extension Signposter {
    /// Begins an interval, with a message that is evaluated only while someone records.
    ///
    /// `name` and `id` must tell it from the others that are open in the scope; the default id is for names that are
    /// open once at a time. End it with the returned state and the same name.
    @inlinable
    public func beginInterval(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = ""
    ) -> SignpostIntervalState {
        guard tracksIntervals else { return SignpostIntervalState(nil) }
        return begin(name, id, provider.beginIsOn && id.isRecordable ? message() : "")
    }

    /// Begins an interval that is an animation: `isAnimation=YES` is or follows the message.
    @inlinable
    public func beginAnimationInterval(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = ""
    ) -> SignpostIntervalState {
        beginInterval(name, id: id, Self.animation(message()))
    }

    /// Ends an interval, with a message that is evaluated only while someone records.
    ///
    /// A state that ends twice, under another name, by another signposter, or with the exclusive id in another process,
    /// is a mistake: debug builds stop, release builds say so in the message of the closing event. Release builds check
    /// only what was begun while someone recorded.
    @inlinable
    public func endInterval(
        _ name: StaticString, _ state: SignpostIntervalState, _ message: @autoclosure () -> String = ""
    ) {
        guard let interval = state.interval else { return }
        end(name, interval, message)
    }

    /// Records a moment, with a message that is evaluated only while someone records.
    ///
    /// With the name and id of an open interval it belongs to that interval.
    @inlinable
    public func emitEvent(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = ""
    ) {
        guard provider.eventIsOn, id.isRecordable else { return }
        emitEventNow(name, id, message())
    }

    @usableFromInline
    static func animation(_ message: String) -> String {
        message.isEmpty ? "isAnimation=YES" : "\(message) isAnimation=YES"
    }
}

extension Signposter {
    /// Debug builds follow intervals also while no session records, so that a mistake shows at once and not only when someone
    /// happens to record.
    #if DEBUG
        @usableFromInline
        var tracksIntervals: Bool { provider.exists }
    #else
        @usableFromInline
        var tracksIntervals: Bool {
            @inlinable @inline(__always) get { provider.beginIsOn || provider.endIsOn }
        }
    #endif

    @usableFromInline
    @inline(never)
    func begin(_ name: StaticString, _ id: SignpostID, _ message: String) -> SignpostIntervalState {
        guard id.isRecordable else { return SignpostIntervalState(nil) }
        if provider.beginIsOn { provider.emit(.begin, FieldText.constant(name), id, message, scope) }
        return SignpostIntervalState(OpenInterval(id: id, name: name, signposter: self))
    }

    @usableFromInline
    @inline(never)
    func end(_ name: StaticString, _ interval: OpenInterval, _ message: () -> String) {
        let isFirstEnd = interval.close()
        guard isFirstEnd, interval.isBegun(by: self, as: name) else {
            return endUnusually(name, interval, isFirstEnd, message)
        }
        guard provider.endIsOn else { return }
        provider.emit(.end, FieldText.constant(name), interval.id, message(), interval.scope)
    }

    /// Ends that came from elsewhere, and mistakes.
    @inline(never)
    private func endUnusually(
        _ name: StaticString, _ interval: OpenInterval, _ isFirstEnd: Bool, _ message: () -> String
    ) {
        let check = interval.check(endedBy: self, as: name, isFirstEnd)
        if let complaint = check.complaint { assertionFailure(complaint) }
        // Closed where and as it was opened, so that a viewer finds the begin whatever the mistake.
        let opener = interval.isOwn ? interval.provider.provider : provider
        guard opener.endIsOn, interval.id.isRecordable else { return }
        let began = FieldText.constant(interval.isOwn ? interval.name : name)
        opener.emit(.end, began, interval.id, check.message(message()), interval.isOwn ? interval.scope : scope)
    }

    @usableFromInline
    @inline(never)
    func emitEventNow(_ name: StaticString, _ id: SignpostID, _ message: String) {
        provider.emit(.event, FieldText.constant(name), id, message, scope)
    }
}

extension OpenInterval {
    /// The quick answer for nearly every end: the same signposter, and the same literal or at least the same name.
    func isBegun(by signposter: Signposter, as endName: StaticString) -> Bool {
        guard isOwn, signposter.provider.isSame(as: provider) else { return false }
        return name.isSameLiteral(as: endName) || "\(name)" == "\(endName)"
    }

    /// Whether this end is right.
    func check(endedBy signposter: Signposter, as endName: StaticString, _ isFirstEnd: Bool) -> EndCheck {
        guard isOwn else { return .fine }
        guard isFirstEnd else { return .endedTwice }
        guard signposter.provider.isSame(as: provider) else { return .otherSignposter }
        let (began, ended) = ("\(name)", "\(endName)")
        return began == ended ? .fine : .otherName(began: began, ended: ended)
    }
}

extension Provider {
    fileprivate func emit(
        _ kind: Kind, _ name: csignpost_text, _ id: SignpostID, _ message: String, _ scope: Signposter.Scope
    ) {
        let scope = FieldText.constant(scope.text)
        FieldText.lend(message) {
            emit(kind, csignpost_generic(signpost_id: id.rawValue, name: name, message: $0, scope: scope))
        }
    }
}

extension StaticString {
    /// Whether both are the same constant in memory: a quick yes; a no means nothing.
    fileprivate func isSameLiteral(as other: StaticString) -> Bool {
        guard hasPointerRepresentation, other.hasPointerRepresentation else { return false }
        return unsafe utf8Start == other.utf8Start && utf8CodeUnitCount == other.utf8CodeUnitCount
    }
}

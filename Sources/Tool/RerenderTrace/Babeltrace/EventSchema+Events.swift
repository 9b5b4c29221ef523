// SPDX-License-Identifier: MIT
// From the fields of an event to what happened.

extension EventSchema {
    /// What happened, by an event's payload.
    @inline(__always)
    borrowing func what(_ payload: FieldStructure, _ texts: TraceTexts) -> TraceEvent.What {
        switch kind {
        case .evaluationBegan: .evaluationBegan(EvaluationBegan(FieldReader(payload, fields, texts)))
        case .evaluationEnded: .evaluationEnded(EvaluationEnded(FieldReader(payload, fields, texts)))
        case .viewChanged: .viewChanged(ViewChanged(FieldReader(payload, fields, texts)))
        case .turnBegan: .turnBegan(Turn(FieldReader(payload, fields, texts)))
        case .turnEnded: .turnEnded(Turn(FieldReader(payload, fields, texts)))
        case .phaseBegan: .phaseBegan(Phase(FieldReader(payload, fields, texts)))
        case .phaseEnded: .phaseEnded(Phase(FieldReader(payload, fields, texts)))
        case .write: .write(Write(FieldReader(payload, fields, texts)))
        case .hangBegan: .hangBegan(HangEvent(FieldReader(payload, fields, texts)))
        case .hangEnded: .hangEnded(HangEvent(FieldReader(payload, fields, texts)))
        case .other:
            .other(OtherEvent(FieldReader(payload, fields, texts), event: name, kind: signpostKind))
        }
    }
}

extension EvaluationBegan {
    @inline(__always)
    fileprivate init(_ fields: FieldReader<EvaluationBegunField>) {
        self.init(
            id: fields.number(.signpostId), view: fields.text(.name), file: fields.text(.file),
            line: fields.number(.line), parent: fields.has(.parent) ? fields.text(.parent) : nil)
    }
}

extension EvaluationEnded {
    @inline(__always)
    fileprivate init(_ fields: FieldReader<EvaluationEndedField>) {
        self.init(
            id: fields.number(.signpostId), view: fields.text(.name), reason: fields.text(.reason),
            bodyNanoseconds: fields.number(.bodyNs), totalNanoseconds: fields.number(.totalNs),
            waste: TraceWaste(rawValue: fields.number(.wasted)) ?? .none, turn: fields.number(.turn),
            count: fields.number(.count), epoch: fields.number(.epoch), storeName: fields.text(.store),
            store: fields.number(.storeId),
            instance: fields.has(.instance) ? fields.number(.instance) : EvaluationEnded.noInstance,
            instances: fields.number(.instances), attribution: fields.number(.attribution),
            wasteKind: fields.number(.kind), writers: fields.text(.writers), chain: fields.text(.chain),
            isPass: fields.has(.pass) ? fields.number(.pass) != 0 as UInt8 : nil,
            selfNanoseconds: fields.has(.selfNs) ? fields.number(.selfNs) : nil)
    }
}

extension ViewChanged {
    fileprivate init(_ fields: FieldReader<ViewChangedField>) {
        var kinds = InlineArray<7, UInt32>(repeating: 0)
        for kind in kinds.indices {
            kinds[kind] = UInt32(clamping: fields.number(ViewChangedField.wasteKinds[kind]) as UInt64)
        }
        self.init(
            view: fields.text(.name), change: fields.text(.message), storeName: fields.text(.store),
            store: fields.number(.storeId), epoch: fields.number(.epoch), instances: fields.number(.instances),
            instance: fields.number(.instance), commits: fields.number(.commits),
            wastedMeasured: fields.number(.measured), wastedNanoseconds: fields.number(.wastedNs), wastedKinds: kinds,
            evaluation: fields.number(.signpostId), waste: TraceWaste(rawValue: fields.number(.wasted)) ?? .none)
    }
}

extension Turn {
    fileprivate init(_ fields: FieldReader<TurnField>) {
        self.init(number: fields.number(.turn), evaluations: fields.number(.evaluations))
    }
}

extension Phase {
    fileprivate init(_ fields: FieldReader<PhaseField>) {
        self.init(id: fields.number(.signpostId), name: fields.text(.name), turn: fields.number(.turn))
    }
}

extension Write {
    fileprivate init(_ fields: FieldReader<WriteField>) {
        self.init(name: fields.text(.name), writer: fields.text(.message), views: fields.number(.views))
    }
}

extension HangEvent {
    fileprivate init(_ fields: FieldReader<HangField>) {
        self.init(
            id: fields.number(.signpostId), view: fields.text(.name), lastRendered: fields.text(.lastRendered),
            pid: fields.number(.pid), attribution: fields.text(.attribution), verdict: fields.text(.verdict),
            durationNanoseconds: fields.number(.durationNs), atThreshold: fields.text(.atThreshold),
            turn: fields.number(.turn), ageNanoseconds: fields.number(.ageNs),
            starvedNanoseconds: fields.number(.starvedNs), isGuess: fields.number(.guess) != (0 as UInt8),
            store: Self.store(fields, .storeId), atThresholdStore: Self.store(fields, .atThresholdStoreId),
            lastRenderedStore: Self.store(fields, .lastRenderedStoreId), stoppedNanoseconds: fields.number(.stoppedNs),
            counts: fields.has(.counts) ? fields.number(.counts) != (0 as UInt8) : nil, handler: fields.text(.handler),
            handlerNanoseconds: fields.number(.handlerNs))
    }

    /// A store's number; nil in an older recording, and for the number that stands for none.
    private static func store(_ fields: FieldReader<HangField>, _ field: HangField) -> UInt32? {
        let number: UInt32 = fields.has(field) ? fields.number(field) : .max
        return number == .max ? nil : number
    }
}

extension OtherEvent {
    fileprivate init(_ fields: FieldReader<OtherField>, event: TextID, kind: SignpostKind) {
        self.init(
            event: event, kind: kind, id: fields.number(.signpostId), name: fields.text(.name),
            message: fields.text(.message))
    }
}

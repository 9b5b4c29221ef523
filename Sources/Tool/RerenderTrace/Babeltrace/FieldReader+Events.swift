// SPDX-License-Identifier: MIT
// The fields of each kind of event, in the order of `EventKind.fields`.

extension FieldReader {
    /// What happened, by an event's payload.
    @inline(__always)
    func what(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> TraceEvent.What {
        switch schema.kind {
        case .evaluationBegan: .evaluationBegan(evaluationBegan(schema, texts))
        case .evaluationEnded: .evaluationEnded(evaluationEnded(schema, texts))
        case .viewChanged: .viewChanged(viewChanged(schema, texts))
        case .turnBegan: .turnBegan(turn(schema))
        case .turnEnded: .turnEnded(turn(schema))
        case .phaseBegan: .phaseBegan(phase(schema, texts))
        case .phaseEnded: .phaseEnded(phase(schema, texts))
        case .write: .write(write(schema, texts))
        case .hangBegan: .hangBegan(hang(schema, texts))
        case .hangEnded: .hangEnded(hang(schema, texts))
        case .other: .other(other(schema, texts))
        }
    }

    @inline(__always)
    private func evaluationBegan(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> EvaluationBegan {
        EvaluationBegan(
            id: number(schema.fields[1]), view: text(schema.fields[0], texts), file: text(schema.fields[2], texts),
            line: UInt32(truncatingIfNeeded: number(schema.fields[3])),
            parent: schema.fields[4].form == .absent ? nil : text(schema.fields[4], texts))
    }

    @inline(__always)
    private func evaluationEnded(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> EvaluationEnded {
        EvaluationEnded(
            id: number(schema.fields[1]), view: text(schema.fields[0], texts), reason: text(schema.fields[2], texts),
            bodyNanoseconds: number(schema.fields[3]), totalNanoseconds: number(schema.fields[4]),
            waste: TraceWaste(rawValue: UInt8(truncatingIfNeeded: number(schema.fields[5]))) ?? .none,
            turn: number(schema.fields[6]), count: number(schema.fields[7]),
            epoch: UInt32(truncatingIfNeeded: number(schema.fields[8])),
            storeName: text(schema.fields[9], texts),
            store: UInt32(truncatingIfNeeded: number(schema.fields[10])),
            instance: schema.fields[11].form == .absent ? EvaluationEnded.noInstance : number(schema.fields[11]),
            instances: UInt32(truncatingIfNeeded: number(schema.fields[12])),
            attribution: UInt8(truncatingIfNeeded: number(schema.fields[13])),
            wasteKind: UInt8(truncatingIfNeeded: number(schema.fields[14])),
            writers: text(schema.fields[15], texts), chain: text(schema.fields[16], texts))
    }

    private func viewChanged(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> ViewChanged {
        var kinds = InlineArray<6, UInt32>(repeating: 0)
        for kind in kinds.indices { kinds[kind] = UInt32(clamping: number(schema.fields[10 + kind])) }
        return ViewChanged(
            view: text(schema.fields[0], texts), change: text(schema.fields[1], texts),
            storeName: text(schema.fields[2], texts), store: UInt32(truncatingIfNeeded: number(schema.fields[3])),
            epoch: UInt32(truncatingIfNeeded: number(schema.fields[4])),
            instances: UInt32(truncatingIfNeeded: number(schema.fields[6])), instance: number(schema.fields[5]),
            commits: number(schema.fields[7]), wastedMeasured: number(schema.fields[8]),
            wastedNanoseconds: number(schema.fields[9]), wastedKinds: kinds)
    }

    private func turn(_ schema: borrowing EventSchema) -> Turn {
        Turn(number: number(schema.fields[0]), evaluations: number(schema.fields[1]))
    }

    private func phase(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> Phase {
        Phase(id: number(schema.fields[1]), name: text(schema.fields[0], texts), turn: number(schema.fields[2]))
    }

    private func write(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> Write {
        Write(
            name: text(schema.fields[0], texts), writer: text(schema.fields[1], texts),
            views: UInt32(truncatingIfNeeded: number(schema.fields[2])))
    }

    private func hang(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> HangEvent {
        HangEvent(
            id: number(schema.fields[1]), view: text(schema.fields[0], texts),
            lastRendered: text(schema.fields[2], texts), pid: Int32(truncatingIfNeeded: number(schema.fields[3])),
            attribution: text(schema.fields[4], texts), verdict: text(schema.fields[5], texts),
            durationNanoseconds: number(schema.fields[6]))
    }

    private func other(_ schema: borrowing EventSchema, _ texts: TraceTexts) -> OtherEvent {
        OtherEvent(
            event: schema.name, kind: schema.signpostKind, id: number(schema.fields[1]),
            name: text(schema.fields[0], texts), message: text(schema.fields[2], texts))
    }
}

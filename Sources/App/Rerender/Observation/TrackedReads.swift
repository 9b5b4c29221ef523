// SPDX-License-Identifier: MIT
// Proves by what bodies read which fields of models are tracked properties'.

extension ObservedReads {
    /// Notes what was read as proofs for models that wait for some. One load while none does, a word for each property while
    /// nothing is new, two looks under a lock for each property that may prove something.
    ///
    /// - Parameter noted: What was noted when this was last called with it; 0 at first.
    func prove(_ noted: inout UInt) {
        let questions = TrackedFields.questions
        guard questions != 0 else { return }
        var seen = questions
        for model in unsafe models {
            for path in model.properties { seen &+= UInt(bitPattern: ObjectIdentifier(path)) }
        }
        guard seen != noted else { return }
        noted = seen
        for model in unsafe models {
            for path in model.properties where TrackedFields.awaits(path) { TrackedFields.note(path) }
        }
    }
}

// SPDX-License-Identifier: MIT
// The same form, where each value is read by the row that shows it.

import Observation
import RenderLoop

/// The top makes the draft and reads nothing of it.
enum IsolatedForm {
    @MainActor
    @Observable
    final class Draft {
        var name = ""
        var volume = 0.5
        private(set) var saves = 0

        func save() { saves += 1 }
    }

    struct Form: View {
        @State private var draft = Draft()

        var body: some View {
            VStack(alignment: .leading) {
                Heading(title: "Profile").rerender("Heading")
                NameRow(draft: draft).rerender("NameRow")
                VolumeRow(draft: draft).rerender("VolumeRow")
                SaveRow(draft: draft).rerender("SaveRow")
                Summary(draft: draft).rerender("Summary")
            }
        }
    }

    /// Hands a binding on; the field reads it.
    struct NameRow: View {
        @Bindable var draft: Draft
        var body: some View { TextField("name", text: $draft.name) }
    }

    /// Hands a binding on; the slider reads it.
    struct VolumeRow: View {
        @Bindable var draft: Draft
        var body: some View { Slider(value: $draft.volume).inputName("volume") }
    }

    struct SaveRow: View {
        let draft: Draft

        var body: some View {
            Button(action: { draft.save() }, label: { ButtonText("save, \(draft.saves) so far") }).inputName("save")
        }
    }

    struct Summary: View {
        let draft: Draft

        var body: some View {
            Text("\(draft.name.isEmpty ? "nobody" : draft.name) at \(Percent.text(draft.volume))")
        }
    }
}

// SPDX-License-Identifier: MIT
// A form that keeps and reads all of its values at the top.

import RenderLoop

/// Each key, each move of the slider and each tap evaluates the top, and there what gets a closure that captures.
enum WastefulForm {
    struct Form: View {
        @State private var name = ""
        @State private var volume = 0.5
        @State private var saves = 0

        var body: some View {
            VStack(alignment: .leading) {
                Heading(title: "Profile").rerender("Heading")
                NameRow(name: $name).rerender("NameRow")
                VolumeRow(volume: $volume).rerender("VolumeRow")
                SaveRow(saves: saves) { saves += 1 }.rerender("SaveRow")
                Text("\(name.isEmpty ? "nobody" : name) at \(Percent.text(volume))")
            }
        }
    }

    struct NameRow: View {
        @Binding var name: String
        var body: some View { TextField("name", text: $name) }
    }

    struct VolumeRow: View {
        @Binding var volume: Double
        var body: some View { Slider(value: $volume).inputName("volume") }
    }

    struct SaveRow: View {
        let saves: Int
        let save: @MainActor () -> Void

        var body: some View { Button(action: save) { ButtonText("save, \(saves) so far") }.inputName("save") }
    }
}

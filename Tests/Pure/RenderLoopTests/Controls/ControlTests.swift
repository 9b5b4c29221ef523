// SPDX-License-Identifier: MIT
// Controls: what they show, what input does to them, and whom that evaluates.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

extension Stage {
    /// Sends input in one frame, and runs what follows.
    func send(_ kinds: InputEvent.Kind..., to target: String? = nil, at x: Int = 0, line: Int = 0) {
        for kind in kinds { loop.send(InputEvent(kind, target: target, location: CellPoint(x: x, y: line))) }
        clock.nextFrame()
        clock.settle()
    }

    /// Types into a field by its name, or into the one with the focus, all in one frame.
    func type(_ text: String, into target: String? = nil) {
        for character in text { loop.send(InputEvent(.key(character), target: target)) }
        clock.nextFrame()
        clock.settle()
    }

    /// The lines of the screen.
    var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

@MainActor
@Suite struct ControlTests {
    @MainActor @Observable fileprivate final class Model {
        var name = ""
        var volume = 0.0
    }

    private final class Person: ObservableObject {
        @Published var name = "Ada"
        @Published var age: Float = 0
    }

    /// Counts its own evaluations, and has one control of each kind.
    private struct Form: View {
        let count: () -> Void
        @State private var name = ""
        @State private var city = "Ulm"
        @State private var isOn = false
        @State private var volume = 0.0

        var body: some View {
            count()
            return VStack(alignment: .leading) {
                TextField("Name", text: $name)
                TextField("City", text: $city)
                Button("Loud") { isOn.toggle() }
                Slider(value: $volume, in: 0...10).inputName("volume")
            }
        }
    }

    @Test func controlsShowTheirValues() {
        let stage = Stage(Form {})
        #expect(stage.screen == "[_Name]\n[Ulm_]\nLoud\nO----------")
    }

    @Test func typedTextGoesToTheFieldOfThatTitleAndEvaluatesItAlone() {
        var bodies = 0
        let stage = Stage(Form { bodies += 1 })
        _ = stage.takeEvaluations()
        stage.type("abc", into: "Name")
        #expect(stage.lines[0] == "[abc_]")
        // Three characters between two frames are three events of one turn, which evaluates once.
        #expect(stage.takeEvaluations() == ["TextField"])
        #expect(bodies == 1)
        stage.type("\u{7F}\u{8}", into: "Name")
        #expect(stage.lines[0] == "[a_]")
        stage.type("\u{7F}\u{7F}", into: "Name")
        #expect(stage.lines[0] == "[_Name]", "there is nothing more to delete")
        stage.type("\n\r\n\u{2028}\u{1B}\t\0", into: "Name")
        #expect(stage.lines[0] == "[_Name]", "what ends a line or commands a terminal is not taken")
    }

    @Test func typedTextWithoutATargetGoesToTheFocus() {
        let stage = Stage(Form {})
        stage.type("a")
        #expect(Array(stage.lines.prefix(2)) == ["[a_]", "[Ulm_]"], "the first field has it at first")
        stage.tap("City")
        stage.type("!")
        #expect(Array(stage.lines.prefix(2)) == ["[a_]", "[Ulm!_]"])
        stage.send(.tap, at: 2, line: 0)
        stage.type("b")
        #expect(Array(stage.lines.prefix(2)) == ["[ab_]", "[Ulm!_]"])
        stage.tap("Loud")
        stage.type("c")
        #expect(stage.lines[0] == "[abc_]", "a button takes no focus")
    }

    private struct TwoPages: View {
        @State private var isFirst = true
        @State private var text = ""
        @State private var other = ""
        var body: some View {
            VStack(alignment: .leading) {
                if isFirst { TextField("Going", text: $text) }
                TextField("Staying", text: $other)
                Button("turn") { isFirst.toggle() }
            }
        }
    }

    @Test func aFieldThatIsGoneTakesNothing() {
        let stage = Stage(TwoPages())
        stage.tap("Going")
        stage.tap("turn")
        stage.type("x")
        #expect(stage.lines[0] == "[x_]", "the other field")
        #expect(!stage.loop.hasInput(named: "Going"))
        #expect(stage.loop.hasInput(named: "Staying"))
    }

    @Test func aSliderTakesValuesOfItsWholeRange() {
        let stage = Stage(Form {})
        stage.send(.value(0.5), to: "volume")
        #expect(stage.lines[3] == "-----O-----")
        stage.send(.value(7), to: "volume")
        #expect(stage.lines[3] == "----------O")
        stage.send(.value(-.infinity), to: "volume")
        #expect(stage.lines[3] == "O----------")
        stage.send(.value(.nan), to: "volume")
        #expect(stage.lines[3] == "O----------")
    }

    @Test func aSliderFollowsADragAndMovesBetweenFramesAreOne() {
        let stage = Stage(Form {})
        _ = stage.takeEvaluations()
        stage.send(.began, at: 2, line: 3)
        #expect(stage.lines[3] == "--O--------")
        _ = stage.takeEvaluations()
        for x in 3...7 { stage.loop.send(InputEvent(.moved, location: CellPoint(x: x, y: 0))) }
        stage.clock.nextFrame()
        #expect(stage.lines[3] == "-------O---", "it holds the drag, which has left its line")
        let inputs = stage.events.filter {
            if case .input(.moved, _, let coalesced) = $0 { coalesced == 5 } else { false }
        }
        #expect(inputs.count == 1)
        #expect(stage.takeEvaluations() == ["Slider"])
        stage.send(.ended, at: 99, line: 0)
        #expect(stage.lines[3] == "----------O")
        stage.send(.moved, at: 0, line: 0)
        #expect(stage.lines[3] == "----------O", "the drag is over")
    }

    @Test func aSlidersStepsCountFromItsLowerBound() {
        struct Steps: View {
            let seen: (Float) -> Void
            @State private var value: Float = 1
            var body: some View {
                seen(value)
                return Slider(value: $value, in: 1...10, step: 2).inputName("s")
            }
        }
        var values: [Float] = []
        let stage = Stage(Steps { values.append($0) })
        for fraction in [0.1, 0.2, 0.5, 1] { stage.send(.value(fraction), to: "s") }
        // 1.9 → 1 (as it was), 2.8 → 3, 5.5 → 5, and 10 is no step from 1: 9 or 11 would be.
        #expect(values == [1, 3, 5, 10])
    }

    @Test func aSliderWithAStepOfAnySizeGoesWhereItIsSent() {
        struct Steps: View {
            let step: Double
            let seen: (Double) -> Void
            @State private var value = 0.0
            var body: some View {
                seen(value)
                return Slider(value: $value, in: 0...10, step: step).inputName("s")
            }
        }
        func values(_ step: Double) -> [Double] {
            var values: [Double] = []
            let stage = Stage(Steps(step: step) { values.append($0) })
            for fraction in [0.25, 1, 0.25] { stage.send(.value(fraction), to: "s") }
            return values
        }
        #expect(values(.leastNonzeroMagnitude) == [0, 2.5, 10, 2.5])
        #expect(values(.greatestFiniteMagnitude) == [0, 10, 0])
        #expect(values(.infinity) == [0, 10, 0])
        #expect(values(.nan) == [0, 2.5, 10, 2.5])
    }

    @Test func aSliderWithAStepReachesItsEndWhateverTheStepIs() {
        struct Steps: View {
            let upper: Double
            let seen: (Double) -> Void
            @State private var value = 0.0
            var body: some View {
                seen(value)
                return Slider(value: $value, in: 0...upper, step: 3).inputName("s")
            }
        }
        var values: [Double] = []
        let stage = Stage(Steps(upper: 10) { values.append($0) })
        for fraction in [0.94, 0.96, 0.9, 1, 0] { stage.send(.value(fraction), to: "s") }
        #expect(values == [0, 9, 10, 9, 10, 0])
        values = []
        let endless = Stage(Steps(upper: .infinity) { values.append($0) })
        for fraction in [0.5, 1, 0] { endless.send(.value(fraction), to: "s") }
        #expect(values == [0], "a part of infinity is nothing")
    }

    @Test func aControlOfAModelEvaluatesItselfAndNotTheFormAround() {
        struct Editor: View {
            @Bindable var model: Model
            let count: () -> Void
            var body: some View {
                count()
                return VStack(alignment: .leading) {
                    TextField("Name", text: $model.name)
                    Slider(value: $model.volume, in: 0...1).inputName("volume")
                }
            }
        }
        var bodies = 0
        let model = Model()
        let stage = Stage(Editor(model: model) { bodies += 1 })
        _ = stage.takeEvaluations()
        stage.type("x", into: "Name")
        #expect(model.name == "x")
        #expect(stage.takeEvaluations() == ["TextField"])
        stage.send(.value(1), to: "volume")
        #expect(model.volume == 1)
        #expect(stage.takeEvaluations() == ["Slider"])
        #expect(bodies == 1)
        #expect(stage.screen == "[x_]\n----------O")
    }

    @Test func aControlOfAnObservableObjectFollowsIt() {
        struct Editor: View {
            @ObservedObject var person: Person
            var body: some View {
                VStack(alignment: .leading) {
                    TextField("Name", text: $person.name)
                    Slider(value: $person.age, in: 0...100).inputName("age")
                }
            }
        }
        let person = Person()
        let stage = Stage(Editor(person: person))
        _ = stage.takeEvaluations()
        stage.type("!", into: "Name")
        #expect(person.name == "Ada!")
        #expect(stage.lines[0] == "[Ada!_]")
        #expect(stage.takeEvaluations() == ["Editor", "TextField"])
        stage.send(.value(0.25), to: "age")
        #expect(person.age == 25)
        #expect(stage.takeEvaluations() == ["Editor", "Slider"])
    }

    @Test func aNameThatChangesIsFoundByTheNewOne() {
        struct Renamed: View {
            @State private var number = 1
            var body: some View {
                VStack {
                    Button("title \(number)") { number += 1 }
                    Text("").inputName("name \(number)")
                }
            }
        }
        let stage = Stage(Renamed())
        stage.tap("title 1")
        for kind in ["title", "name"] {
            #expect(!stage.loop.hasInput(named: "\(kind) 1"))
            #expect(stage.loop.hasInput(named: "\(kind) 2"))
        }
    }

    @Test func aTapBesideTheControlsReachesNone() {
        var taps = 0
        let stage = Stage(
            VStack(alignment: .leading) {
                Button("a") { taps += 1 }
                Text("wide as can be")
            }
            .inputName("stack"))
        stage.send(.tap, at: 5, line: 0)
        stage.send(.tap, at: 5, line: 1)
        #expect(taps == 0)
        stage.send(.tap, at: 0, line: 0)
        #expect(taps == 1)
        stage.tap("stack")
        #expect(taps == 2, "a name stands for the first view in it that takes the input")
    }
}

// SPDX-License-Identifier: MIT
// What reacts to an evaluation runs in the same turn, and what it changes is in the same commit.

import OpenCombine
import Testing

@testable import RenderLoop
@testable import RenderLoopSupport

@MainActor
@Suite struct HandlerTests {
    private final class Loader: ObservableObject {
        @Published var status = "invalid"
        func fetch() { status = "loading" }
    }

    private struct Article: View {
        @StateObject var loader = Loader()
        var body: some View { Text(loader.status).padding().onAppear { loader.fetch() } }
    }

    @Test func theFirstResultIsNeverCommittedIfOnAppearChangesIt() {
        let stage = Stage(Article())
        #expect(stage.renderer.history.count == 1)
        #expect(stage.screen == "\n loading")
        #expect(stage.loop.turn == 1)
        let events = stage.takeEvents()
        let evaluated = events.compactMap {
            if case .evaluated(_, let causes) = $0 { causes.map(\.description) } else { nil }
        }
        #expect(evaluated == [["initial"], ["object loader.status"]])
        let again = events.contains {
            if case .evaluatedAgain(let node, let handler) = $0 {
                node.name == "Article" && handler?.kind == "onAppear"
            } else {
                false
            }
        }
        #expect(again)
    }

    private struct WidthKey: PreferenceKey {
        static var defaultValue: Int { 0 }
        static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
    }

    /// All as wide as the widest, which is known after the first layout.
    private struct Columns: View {
        let words: [String]
        @State private var width: Int?

        var body: some View {
            VStack(alignment: .leading) {
                ForEach(words, id: \.self) { word in
                    HStack(spacing: 0) {
                        Text(word)
                            .background {
                                GeometryReader { Color.clear.preference(key: WidthKey.self, value: $0.size.width) }
                            }
                            .frame(width: width, alignment: .topLeading)
                        Text("|")
                    }
                }
            }
            .onPreferenceChange(WidthKey.self) { width = $0 }
        }
    }

    @Test func aMeasuredSizeIsUsedBeforeTheFirstCommit() {
        let stage = Stage(Columns(words: ["a", "ccc", "bb"]))
        #expect(stage.screen == "a  |\nccc|\nbb |")
        #expect(stage.renderer.history.count == 1)
        #expect(stage.loop.turn == 1)
    }

    private struct Runaway: View {
        @State private var counter = 0
        var body: some View {
            Button("counter \(counter)") { counter = 42 }
                .inputName("button")
                .onChange(of: counter) { counter += 1 }
        }
    }

    @Test func aHandlerThatKeepsInvalidatingIsCutOff() {
        let stage = Stage(Runaway())
        _ = stage.takeEvents()
        stage.loop.send(InputEvent(.tap, target: "button"))
        stage.clock.nextFrame()
        // As SwiftUI's own log has it; see docs/decisions/handlers-run-twice-a-turn.md.
        let log = stage.events.compactMap { event -> String? in
            switch event {
            case .evaluated: "body"
            case .handlerRan: "onChange"
            case .warning: "warning"
            default: nil
            }
        }
        #expect(log == ["body", "onChange", "body", "onChange", "body", "warning"])
        // 42 by the button, 43 and 44 by the handler, which does not run a third time.
        #expect(stage.screen == "counter 44")
        #expect(stage.takeEvaluations() == ["Runaway", "Runaway", "Runaway"])
        #expect(stage.warnings.count == 1)
        #expect(stage.warnings.first?.description.contains("tried to update multiple times per frame") == true)
        #expect(stage.renderer.history == ["counter 0", "counter 44"])
        stage.tap("button")
        #expect(stage.screen == "counter 44", "the handler may run again in another turn")
    }

    private struct Endless: View {
        @State private var id = 0
        var body: some View { Text("\(id)").id(id).onDisappear {}.background(Text("").onAppear { id += 1 }.id(id)) }
    }

    @Test func newViewsWhoseHandlersInvalidateAreCutOffToo() {
        let stage = Stage(Text(""))
        let clock = VirtualClock()
        let loop = RenderLoop(Endless(), driver: clock)
        var warnings: [LoopWarning] = []
        loop.onWarning = { warnings.append($0) }
        clock.turn()
        #expect(loop.evaluations == 8)
        #expect(warnings.count == 1)
        clock.turn()
        #expect(loop.evaluations == 16, "what was left is evaluated in the next turn")
        _ = stage
    }

    /// Each of its handlers brings another one, and none invalidates anything.
    private struct HandlerChain: PrimitiveView {
        let ran: @MainActor () -> Void

        static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
            ChainNode(view, in: context)
        }

        private final class ChainNode: ViewNode<HandlerChain> {
            override func didMount() { next() }

            private func next() {
                Handler("link", of: self).schedule { [unowned self] in
                    view.ran()
                    next()
                }
            }
        }
    }

    @Test func handlersThatKeepBringingOthersAreCutOff() {
        var runs = 0
        let clock = VirtualClock()
        let loop = RenderLoop(HandlerChain { runs += 1 }, driver: clock)
        var warnings: [String] = []
        loop.onWarning = { warnings.append($0.description) }
        clock.turn()
        #expect(runs == 8)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("tried to update multiple times per frame") == true)
        clock.turn()
        #expect(runs == 16, "what was left comes in the next turn")
    }

    /// Changes another layer whenever it is asked.
    private final class RestlessLayout: CustomLayerLayout {
        override func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize { CellSize(width: 1, height: 1) }
        override func place(_ layer: Layer) {
            layer.layout = .custom(RestlessLayout())
        }
    }

    private struct Restless: LayerView {
        func configure(_ layer: Layer) { layer.layout = .custom(RestlessLayout()) }
    }

    @Test func aLayoutThatIsNeverDoneIsCutOff() {
        let clock = VirtualClock()
        let loop = RenderLoop(Restless(), driver: clock)
        var warnings: [LoopWarning] = []
        loop.onWarning = { warnings.append($0) }
        clock.turn()
        #expect(warnings == [.cutOff(nil)])
        #expect(warnings.first?.description.hasPrefix("layout tried to update multiple times per frame") == true)
    }

    private struct WritingBody: View {
        @State private var count = 0
        var body: some View {
            if count < 3 { count += 1 }
            return Text("\(count)")
        }
    }

    private struct AlwaysWritingBody: View {
        @State private var count = 0
        var body: some View {
            count += 1
            return Text("\(count)")
        }
    }

    @Test func aBodyThatWritesStateIsEvaluatedAgainInTheNextPassAndWarnedOf() {
        let stage = Stage(WritingBody())
        #expect(stage.screen == "3")
        #expect(stage.warnings.count == 3)
        #expect(stage.loop.turn == 1)
        let clock = VirtualClock()
        let loop = RenderLoop(AlwaysWritingBody(), driver: clock)
        loop.onWarning = { _ in }
        clock.turn()
        #expect(loop.evaluations == 8)
    }

    /// Its handler runs the loop on, as a program does that waits for something in it.
    private struct Waiting: View {
        let clock: VirtualClock
        @State private var number = 0
        var body: some View {
            Text("\(number)").onAppear {
                number += 1
                clock.async("meanwhile") { number += 10 }
                clock.turn()
                number += 100
            }
        }
    }

    @Test func aRunLoopThatRunsInsideOfAHandlerEndsNoTurn() {
        let clock = VirtualClock()
        let loop = RenderLoop(Waiting(clock: clock), driver: clock)
        var events: [LoopEvent] = []
        loop.observe { events.append($0) }
        let renderer = TextRenderer()
        loop.add(renderer)
        clock.turn()
        #expect(renderer.history == ["111"], "what was called in between is evaluated in the same turn")
        let turns = events.filter { if case .waiting = $0 { true } else { false } }
        #expect(turns == [.waiting(1)])
        let phases = events.compactMap { if case .phaseBegan(let phase, _) = $0 { phase } else { nil } }
        #expect(phases == [.callouts, .evaluation, .handlers, .evaluation, .commit])
        clock.settle()
        #expect(loop.turn == 2, "another turn follows")
    }

    private struct Appearing: View {
        let note: @MainActor (String) -> Void
        @State private var shows = true
        var body: some View {
            VStack {
                Button("toggle") { shows.toggle() }
                if shows {
                    Text("inner").onAppear { note("inner appeared") }.onDisappear { note("inner disappeared") }
                }
            }
            .onAppear { note("outer appeared") }
        }
    }

    @Test func appearanceAndDisappearanceAreTold() {
        var notes: [String] = []
        let stage = Stage(Appearing { notes.append($0) })
        stage.tap("toggle")
        stage.tap("toggle")
        #expect(notes == ["outer appeared", "inner appeared", "inner disappeared", "inner appeared"])
    }
}

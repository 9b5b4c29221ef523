// SPDX-License-Identifier: MIT
// `screens reasons`: views of the render loop without probes, and why the loop itself says that it evaluates them, as
// `VIEW<tab>REASONS`.
//
// Among them are those that mislead: state that its owner does not read, a binding that changes in the turn of its parent's
// evaluation, another object, and a change that is announced without a property.

import OpenCombine
import RenderLoop

final class Player: ObservableObject {
    @Published var title = "a title that is longer than two words of memory"
    @Published var isOn = false
    @Published var names: [String] = []
    @Published var count: Int?
    var secret = 0
    func changeSecretly() {
        objectWillChange.send()
        secret += 1
    }
}

private struct SizeKey: EnvironmentKey {
    static let defaultValue = 1
}
extension EnvironmentValues {
    var textSize: Int {
        get { self[SizeKey.self] }
        set { self[SizeKey.self] = newValue }
    }
}

/// What the steps write.
@MainActor
enum Controls {
    static var state: (_ change: @MainActor (StateOwner) -> Void) -> Void = { _ in }
    static var top: (_ change: @MainActor (Top) -> Void) -> Void = { _ in }
}

struct Top: View {
    @State var player = Player()
    @State var other = Player()
    @State var showsOther = false
    @State var textSize = 1
    @State var ticks = 0

    var body: some View {
        Controls.top = { $0(self) }
        return VStack {
            Text("\(ticks)")
            PlayerView(player: showsOther ? other : player)
            StateOwner()
            SizeView().environment(\.textSize, textSize)
            Taps { _ = ticks }
        }.environmentObject(player)
    }
}

struct PlayerView: View {
    @ObservedObject var player: Player
    var body: some View { Text("\(player.title) \(player.isOn) \(player.names) \(player.count ?? 0) \(player.secret)") }
}

/// Hands its title on without reading it.
struct StateOwner: View {
    @State var title = "a"
    @State var words = ["one"]
    @State var unread = 0

    var body: some View {
        Controls.state = { $0(self) }
        return VStack {
            Text("\(words)")
            TitleView(title: $title)
            BothView(title: $title, words: words)
        }
    }
}

struct TitleView: View {
    @Binding var title: String
    var body: some View { Text(title) }
}

struct BothView: View {
    @Binding var title: String
    let words: [String]
    var body: some View { Text("\(title) \(words.count)") }
}

struct SizeView: View {
    @Environment(\.textSize) private var textSize
    @EnvironmentObject private var player: Player
    var body: some View { Text("\(textSize) \(player.isOn)") }
}

struct Taps: View {
    let tap: @MainActor () -> Void
    var body: some View { Text("tap") }
}

@MainActor
enum LoopReasons {
    static func run() {
        let clock = VirtualClock()
        let loop = RenderLoop(Top(), driver: clock)
        let own: Set = ["Top", "PlayerView", "StateOwner", "TitleView", "BothView", "SizeView", "Taps"]
        loop.observe { event in
            guard case .evaluated(let node, let reasons) = event, own.contains(node.name) else { return }
            print("\(node.name)\t\(reasons.map(\.description).joined(separator: ", "))")
        }
        clock.settle()

        let steps: [@MainActor () -> Void] = [
            { Controls.top { $0.player.title = "another title that is longer than two words" } },
            { Controls.top { $0.player.isOn.toggle() } },
            { Controls.top { $0.player.names = ["a", "b"] } },
            { Controls.top { $0.player.names.append("c") } },
            { Controls.top { $0.player.count = 3 } },
            { Controls.top { $0.player.changeSecretly() } },
            { Controls.state { $0.title = "b" } },
            { Controls.state { $0.words.append("two") } },
            // Its owner does not read the one, and is evaluated for the other.
            {
                Controls.state {
                    $0.title = "c"
                    $0.words = ["three"]
                }
            },
            { Controls.state { $0.unread += 1 } },
            {
                Controls.state {
                    $0.unread += 1
                    $0.words = []
                }
            },
            { Controls.top { $0.ticks += 1 } },
            {
                Controls.top {
                    $0.ticks += 1
                    $0.player.changeSecretly()
                }
            },
            { Controls.top { $0.textSize = 2 } },
            { Controls.top { $0.showsOther = true } },
            { Controls.top { $0.other.isOn = true } },
            // The model that is no longer shown is another view's.
            { Controls.top { $0.player.isOn.toggle() } },
            { Controls.top { $0.showsOther = false } },
        ]
        for step in steps {
            clock.async("step") { step() }
            clock.settle()
        }
        withExtendedLifetime(loop) {}
    }
}

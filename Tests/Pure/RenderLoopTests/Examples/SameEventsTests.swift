// SPDX-License-Identifier: MIT
// The same script gives the same events: controls, a list, scopes and objects together.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Observable
private final class Settings {
    var name = ""
    var volume = 0.0
}

@MainActor
private final class Cart: ObservableObject {
    @Published var items = 3
    @Published var isOpen = true
}

private struct Shop: View {
    @State private var settings = Settings()
    @StateObject private var cart = Cart()
    @State private var changes = 0

    var body: some View {
        VStack(alignment: .leading) {
            ScopeView(Settings.self) { settings, projected in
                TextField("Name", text: projected.name)
                Slider(value: projected.volume).inputName("volume")
                Text("hello \(settings.name)")
            }
            ScopeView(Cart.self) { cart, projected in
                Switch(label: "open", isOn: projected.isOpen)
                if cart.isOpen {
                    List(0..<cart.items, id: \.self) { Text("item \($0)") }.inputName("list").frame(height: 3)
                }
            }
            Text("\(changes) changes")
        }
        .onChange(of: \.name, in: Settings.self) { _, new in cart.items += new.count }
        .onReceive(of: \.$items, in: Cart.self) { _ in changes += 1 }
        .environment(settings)
        .environmentObject(cart)
    }
}

@MainActor
@Suite struct SameEventsTests {
    private func run() -> (events: [LoopEvent], screen: String) {
        let stage = Stage(Shop())
        stage.type("ab", into: "Name")
        stage.send(.value(0.5), to: "volume")
        stage.send(.scrolled(2), to: "list")
        stage.tap("open")
        stage.tap("open")
        return (stage.events, stage.screen)
    }

    @Test func aHundredRunsOfAScriptGiveTheSameEvents() {
        let first = run()
        #expect(first.screen == "[ab_]\n-----O-----\nhello ab\n[x] open\nitem 0\nitem 1\nitem 2\n1 changes")
        #expect(first.events.count > 100)
        for _ in 1..<100 {
            let next = run()
            let place = zip(first.events, next.events).enumerated().first { $0.element.0 != $0.element.1 }
            guard place == nil, next == first else {
                Issue.record("event \(place?.offset ?? -1): \(String(describing: place?.element))")
                return
            }
        }
    }
}

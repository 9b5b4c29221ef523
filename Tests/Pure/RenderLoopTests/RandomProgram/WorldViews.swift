// SPDX-License-Identifier: MIT
// The views of the program in miniature: all that invalidates and all that has an identity, one in another.

import OpenCombine
import RenderLoop

private struct TintKey: EnvironmentKey {
    static var defaultValue: Int { -1 }
}

private struct DepthKey: EnvironmentKey {
    static var defaultValue: Int { 0 }
}

extension EnvironmentValues {
    fileprivate var tint: Int {
        get { self[TintKey.self] }
        set { self[TintKey.self] = newValue }
    }
    fileprivate var depth: Int {
        get { self[DepthKey.self] }
        set { self[DepthKey.self] = newValue }
    }
}

private struct WidestKey: PreferenceKey {
    static var defaultValue: Int { 0 }
    static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
}

private struct OrderKey: PreferenceKey {
    static var defaultValue: [String] { [] }
    static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
}

/// The whole screen.
struct WorldView: View {
    let world: World
    /// Whether states begin with what is remembered of them, as in a program that is started anew.
    let restores: Bool
    @State private var widest = 0
    @State private var order: [String] = []

    var body: some View {
        VStack(alignment: .leading) {
            if world.showsHeader { Header(world: world, restores: restores, widest: widest) }
            rows
            Text(order.joined(separator: " "))
        }
        .padding(world.inset)
        .environment(\.tint, world.tint)
        .environmentObject(world.hubs[0])
        .onPreferenceChange(WidestKey.self) { widest = $0 }
        .onPreferenceChange(OrderKey.self) { order = $0 }
    }

    @ViewBuilder private var rows: some View {
        if world.layout == 0 {
            VStack(alignment: .leading) { forEach }.background(Color.red)
        } else if world.layout == 1 {
            VStack(alignment: .center, spacing: 1) { forEach }.border(.blue)
        } else {
            HStack(alignment: .bottom) { forEach }
        }
    }

    private var forEach: some View {
        ForEach(world.entries) { entry in
            Row(item: world.items[entry.item], world: world, name: "\(world.layout)/\(entry.name)", restores: restores)
        }
    }
}

private struct Header: View {
    let world: World
    let restores: Bool
    let widest: Int

    var body: some View {
        HStack {
            Text(world.title).frame(width: max(1, widest), alignment: .topLeading)
            Counter(name: "header", world: world, restores: restores)
            HubView(hub: world.hubs[1])
        }
    }
}

private struct Row: View {
    let item: WorldItem
    let world: World
    let name: String
    let restores: Bool

    var body: some View {
        HStack(alignment: .top) {
            if item.showsText { MeasuredText(item: item) }
            if item.branch {
                Counter(name: name + "/first", world: world, restores: restores)
            } else {
                Counter(name: name + "/second", world: world, restores: restores).padding(1)
            }
            Counter(name: "\(name)/id\(item.id)", world: world, restores: restores).id(item.id)
            Tinted()
            Tinted().environment(\.tint, item.tint)
            Mirror(item: item)
            kind
            Letters(item: item, world: world, name: name, restores: restores)
            HubView(hub: world.hubs[item.hub])
            Shared().environment(item.hasModel ? item : nil)
        }
        .transformEnvironment(\.depth) { $0 += item.size }
        .padding(item.padding)
        .opacity(item.isFaint ? 0.5 : 1)
        .overlay(alignment: .topLeading) {
            if item.hasReader { Place() }
        }
        .preference(key: OrderKey.self, value: [name])
    }

    private var kind: AnyView {
        switch item.kind {
        case 0: AnyView(Color.green.frame(width: item.size, height: 1))
        case 1: AnyView(Counter(name: "\(name)/kind", world: world, restores: restores))
        default:
            AnyView(
                Group {
                    Text("k"); Text("\(item.size)")
                })
        }
    }
}

private struct MeasuredText: View {
    let item: WorldItem
    var body: some View {
        Text(item.text).background {
            GeometryReader { Color.clear.preference(key: WidestKey.self, value: $0.size.width) }
        }
    }
}

/// Where it is on the screen, in words that take no space.
private struct Place: View {
    var body: some View {
        GeometryReader { proxy in
            Text("@\(proxy.frame.origin.x),\(proxy.frame.origin.y) \(proxy.size.width)x\(proxy.size.height)")
        }
    }
}

private struct Counter: View {
    let name: String
    let world: World
    @State private var count: Int

    init(name: String, world: World, restores: Bool) {
        self.name = name
        self.world = world
        _count = State(wrappedValue: restores ? world.remembered[name] ?? 0 : 0)
    }

    var body: some View {
        Button {
            count += 1
            world.remembered[name] = count
        } label: {
            Reading(count: $count)
        }
        .inputName(name)
    }
}

private struct Reading: View {
    @Binding var count: Int
    var body: some View { Text("\(count)") }
}

private struct Tinted: View {
    @Environment(\.tint) private var tint
    @Environment(\.depth) private var depth
    @EnvironmentObject private var hub: WorldHub
    var body: some View { Text("t\(tint)d\(depth)h\(hub.number)") }
}

/// Follows a property by a handler.
private struct Mirror: View {
    let item: WorldItem
    @State private var size = 0
    @State private var hasAppeared = false

    var body: some View {
        Text("\(hasAppeared ? "m" : "?")\(size)")
            .frame(width: 2 + size, alignment: .bottomTrailing)
            .onChange(of: item.size, initial: true) { _, new in size = new }
            .onAppear { hasAppeared = true }
    }
}

private struct Letters: View {
    let item: WorldItem
    let world: World
    let name: String
    let restores: Bool

    var body: some View {
        ForEach(item.letters, id: \.self) { letter in
            Text(letter)
            Counter(name: "\(name)/\(letter)", world: world, restores: restores)
        }
    }
}

private struct HubView: View {
    @ObservedObject var hub: WorldHub
    var body: some View { Text("\(hub.number)\(hub.note)") }
}

private struct Shared: View {
    @Environment(WorldItem.self) private var item: WorldItem?
    var body: some View {
        if let item { Text("s\(item.size)") }
    }
}

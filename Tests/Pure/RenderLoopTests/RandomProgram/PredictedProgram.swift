// SPDX-License-Identifier: MIT
// Small programs made up at random, whose evaluations follow from the rules alone.

import Observation
import OpenCombine
import RenderLoop
import TestSupport

@MainActor
@Observable
final class PredictedBox {
    var first = 0
    var second = 0
}

@MainActor
final class PredictedObject: ObservableObject {
    @Published var number = 0
    @Published var other = 0
}

/// One view of a program: what it depends on, and what its children get.
@MainActor
final class PredictedCell {
    enum Kind: CaseIterable {
        case plain, box, object, environment, state
    }

    /// What a child gets of its parent's value.
    enum Given: CaseIterable {
        case constant, value, half, parity

        func input(of value: Int) -> Int {
            switch self {
            case .constant: 3
            case .value: value
            case .half: value / 2
            case .parity: value & 1
            }
        }
    }

    let id: Int
    let kind: Kind
    let given: Given
    /// Which of the boxes or objects it reads.
    let source: Int
    /// What its value is divided by in what it shows: different values may look the same.
    let coarseness: Int
    let isModified: Bool
    let children: [PredictedCell]

    init(_ next: inout Int, depth: Int, _ random: inout SeededGenerator) {
        id = next
        next += 1
        kind = Kind.allCases.randomElement(using: &random) ?? .plain
        given = Given.allCases.randomElement(using: &random) ?? .constant
        source = Int.random(in: 0..<2, using: &random)
        coarseness = Int.random(in: 1...4, using: &random)
        isModified = Bool.random(using: &random)
        var made: [PredictedCell] = []
        if depth > 0 {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                made.append(PredictedCell(&next, depth: depth - 1, &random))
            }
        }
        children = made
    }

    var all: [PredictedCell] { [self] + children.flatMap(\.all) }

    /// Of one width, so that no view moves because another one changes.
    func text(of value: Int) -> String {
        let text = "\(value / coarseness)"
        return "\(id) " + String(repeating: "_", count: max(0, 6 - text.count)) + text
    }
}

/// What the program's views read, and what their bodies do.
@MainActor
final class PredictedWorld {
    let boxes = [PredictedBox(), PredictedBox()]
    let objects = [PredictedObject(), PredictedObject()]
    let root = PredictedBox()
    var states: [Int: Binding<Int>] = [:]
    /// How often each body ran.
    var bodies: [Int: UInt64] = [:]

    func evaluated(_ cell: PredictedCell) { bodies[cell.id, default: 0] += 1 }

    @ViewBuilder
    func view(of cell: PredictedCell, input: Int) -> some View {
        switch cell.kind {
        case .plain: PlainCell(cell: cell, world: self, input: input).rerender("\(cell.id)")
        case .box:
            BoxCell(cell: cell, world: self, input: input, box: boxes[cell.source]).rerender("\(cell.id)")
        case .object:
            ObjectCell(cell: cell, world: self, input: input, object: objects[cell.source]).rerender("\(cell.id)")
        case .environment: EnvironmentCell(cell: cell, world: self, input: input).rerender("\(cell.id)")
        case .state: StateCell(cell: cell, world: self, input: input).rerender("\(cell.id)")
        }
    }
}

private struct LevelKey: EnvironmentKey {
    static var defaultValue: Int { 0 }
}

extension EnvironmentValues {
    fileprivate var predictedLevel: Int {
        get { self[LevelKey.self] }
        set { self[LevelKey.self] = newValue }
    }
}

/// The view at the top, which sets the environment.
struct PredictedScreen: View {
    static var id: Int { -1 }
    let cell: PredictedCell
    let world: PredictedWorld
    var body: some View {
        let _ = world.bodies[Self.id, default: 0] += 1
        AnyView(world.view(of: cell, input: 0)).environment(\.predictedLevel, world.root.first)
    }
}

/// What a cell shows: not a view of its own.
@MainActor
@ViewBuilder
private func content(_ cell: PredictedCell, _ world: PredictedWorld, _ value: Int) -> some View {
    let children = ForEach(cell.children, id: \.id) { child in
        AnyView(world.view(of: child, input: child.given.input(of: value)))
    }
    VStack(alignment: .leading) {
        Text(cell.text(of: value))
        if cell.isModified { children.opacity(1).onAppear {} } else { children }
    }
}

private struct PlainCell: View {
    let cell: PredictedCell
    let world: PredictedWorld
    let input: Int
    var body: some View {
        let _ = world.evaluated(cell)
        content(cell, world, input)
    }
}

private struct BoxCell: View {
    let cell: PredictedCell
    let world: PredictedWorld
    let input: Int
    let box: PredictedBox
    var body: some View {
        let _ = world.evaluated(cell)
        content(cell, world, input + (box.first.isMultiple(of: 3) ? box.second : box.first))
    }
}

private struct ObjectCell: View {
    let cell: PredictedCell
    let world: PredictedWorld
    let input: Int
    @ObservedObject var object: PredictedObject
    var body: some View {
        let _ = world.evaluated(cell)
        content(cell, world, input + object.number)
    }
}

private struct EnvironmentCell: View {
    let cell: PredictedCell
    let world: PredictedWorld
    let input: Int
    @Environment(\.predictedLevel) private var level
    var body: some View {
        let _ = world.evaluated(cell)
        content(cell, world, input + level)
    }
}

private struct StateCell: View {
    let cell: PredictedCell
    let world: PredictedWorld
    let input: Int
    @State private var count = 0
    var body: some View {
        let _ = world.evaluated(cell)
        let _ = world.states[cell.id] = $count
        content(cell, world, input + count)
    }
}

// SPDX-License-Identifier: MIT
// Nodes, widgets and updates, as a framework's calls tell of them.

import Testing

@testable import RerenderInject

@Suite("Nodes of views")
struct ViewNodesTests {
    private final class Record {}
    private let outer = Record()
    private let inner = Record()

    private func view(_ record: Record, type: UInt = 1) -> ViewNodes.View {
        ViewNodes.View(record: ObjectIdentifier(record), type: type)
    }

    /// A node's creation: children, with those of others in between, and the widget.
    private func create(
        _ nodes: inout ViewNodes, _ record: Record, widget: UInt, turn: UInt64 = 1,
        inside: (inout ViewNodes) -> Void = { _ in }
    ) -> [ViewNodes.Evaluation?] {
        let id = ObjectIdentifier(record)
        nodes.beginChildren(of: id)
        let first = nodes.evaluation(of: view(record), turn: turn)
        inside(&nodes)
        _ = nodes.end()
        nodes.beginWidget(of: id)
        let second = nodes.evaluation(of: view(record), turn: turn)
        _ = nodes.end(widget: widget)
        return [first, second]
    }

    private func show(
        _ nodes: inout ViewNodes, _ phase: ViewNodes.Phase, _ record: Record, widget: UInt, turn: UInt64 = 1
    ) -> ViewNodes.Evaluation? {
        nodes.begin(phase, of: widget, ObjectIdentifier(record))
        defer { _ = nodes.end() }
        return nodes.evaluation(of: view(record), turn: turn)
    }

    @Test("are one update from the creation to the commit, and the next layout begins another")
    func updates() {
        var nodes = ViewNodes()
        let created = create(&nodes, outer, widget: 10)
        #expect(created.map { $0?.isPass } == [false, true] && created.map { $0?.instance } == [1, 1])
        #expect(show(&nodes, .layout, outer, widget: 10)?.isPass == true)
        #expect(show(&nodes, .commit, outer, widget: 10)?.isPass == true)
        for turn: UInt64 in [1, 2] {
            #expect(show(&nodes, .layout, outer, widget: 10, turn: turn)?.isPass == false)
            #expect(show(&nodes, .commit, outer, widget: 10, turn: turn)?.isPass == true)
        }
        #expect(nodes.isIdle && nodes.widgets == 1)
    }

    @Test("are not in one whose call was left by a jump")
    func left() {
        var nodes = ViewNodes()
        for (widget, record) in [(10 as UInt, outer), (20, inner), (30, outer)] {
            nodes.place = 900
            nodes.begin(.layout, of: widget, ObjectIdentifier(record))
            nodes.place = 800
            let evaluation = nodes.evaluation(of: view(record), turn: 1)
            #expect(evaluation != nil && evaluation?.parent == nil)
            // A part of it, which is left, too.
            nodes.begin(.children, of: widget + 1, ObjectIdentifier(record))
        }
        nodes.place = 900
        _ = nodes.end()
        let isIdle = nodes.isIdle
        #expect(isIdle)
    }

    @Test("an update that is not committed ends with its turn of the main loop, where turns are known")
    func turns() {
        var nodes = ViewNodes()
        _ = create(&nodes, outer, widget: 10, turn: 0)
        #expect(show(&nodes, .layout, outer, widget: 10, turn: 5)?.isPass == true)
        _ = show(&nodes, .commit, outer, widget: 10, turn: 5)
        #expect(show(&nodes, .layout, outer, widget: 10, turn: 6)?.isPass == false)
        #expect(show(&nodes, .layout, outer, widget: 10, turn: 6)?.isPass == true)
        #expect(show(&nodes, .layout, outer, widget: 10, turn: 7)?.isPass == false)
    }

    @Test("are told apart where one is created inside of another, of the same view or not")
    func nesting() {
        var nodes = ViewNodes()
        var found: [ViewNodes.Evaluation?] = []
        let around = create(&nodes, outer, widget: 10) { nodes in
            found += create(&nodes, inner, widget: 11)
            found += create(&nodes, outer, widget: 12)
        }
        #expect(around.map { $0?.instance } == [1, 1])
        #expect(found.map { $0?.instance } == [2, 2, 3, 3])
        let parent = ViewNodes.Shown(record: ObjectIdentifier(outer), instance: 1)
        #expect(found[0]?.parent == parent && found[2]?.parent == parent && around[0]?.parent == nil)
        for (widget, record, instance) in [(UInt(10), outer, UInt64(1)), (11, inner, 2), (12, outer, 3)] {
            #expect(show(&nodes, .layout, record, widget: widget)?.instance == instance)
        }
    }

    @Test("a view without a node of its own is a part of the node that shows it")
    func parts() {
        var nodes = ViewNodes()
        var part: ViewNodes.Evaluation?
        for widget: UInt in [10, 20] {
            _ = create(&nodes, outer, widget: widget) { nodes in
                nodes.beginChildren(of: ObjectIdentifier(inner))
                part = nodes.evaluation(of: view(inner), turn: 1)
                _ = nodes.end()
            }
        }
        #expect(part?.instance == 4 && part?.parent?.instance == 3)
        nodes.begin(.layout, of: 20, ObjectIdentifier(outer))
        nodes.begin(.layout, of: 20, ObjectIdentifier(inner))
        #expect(nodes.evaluation(of: view(inner), turn: 1)?.instance == 4)
        // Another type of a generic view is another instance.
        #expect(nodes.evaluation(of: view(inner, type: 2), turn: 1)?.instance == 5)
        #expect(nodes.instance(of: ObjectIdentifier(inner)) == nil)
        #expect(nodes.instance(of: ObjectIdentifier(outer)) == 3)
    }

    /// Lays out nodes, each in the one before, but for the last of four, which is beside the one before it.
    private func layOut(
        _ nodes: inout ViewNodes, _ widgets: [UInt], _ records: [UInt: Record], turn: UInt64
    ) -> [UInt: ViewNodes.Evaluation] {
        var found: [UInt: ViewNodes.Evaluation] = [:]
        var depth = 0
        for widget in widgets {
            if widget == 13 {
                _ = nodes.end()
                depth -= 1
            }
            nodes.begin(.layout, of: widget, records[widget].map { ObjectIdentifier($0) })
            depth += 1
            if let record = records[widget] { found[widget] = nodes.evaluation(of: view(record), turn: turn) }
        }
        for _ in 0..<depth { _ = nodes.end() }
        return found
    }

    private func commit(_ nodes: inout ViewNodes, _ widgets: [UInt], _ records: [UInt: Record]) {
        for widget in widgets {
            nodes.begin(.commit, of: widget, records[widget].map { ObjectIdentifier($0) })
            _ = nodes.end()
        }
    }

    @Test("a view whose size is another one asks for the layouts of all around it, until one is committed")
    func askers() {
        var nodes = ViewNodes()
        let records = [10: Record(), 12: outer, 13: inner] as [UInt: Record]
        let (all, stack) = ([10, 11, 12, 13] as [UInt], [11, 12, 13] as [UInt])
        // Two views in a stack of the framework's, in another view.
        nodes.beginChildren(of: records[10].map { ObjectIdentifier($0) })
        nodes.beginChildren(of: nil)
        _ = create(&nodes, outer, widget: 12)
        _ = create(&nodes, inner, widget: 13)
        _ = nodes.end()
        nodes.beginWidget(of: nil)
        _ = nodes.end(widget: 11)
        _ = nodes.end()
        nodes.beginWidget(of: records[10].map { ObjectIdentifier($0) })
        _ = nodes.end(widget: 10)
        _ = layOut(&nodes, all, records, turn: 1)
        commit(&nodes, all, records)

        // Its own update has no asker. That of the stack around it is for it, and so is what else is in there.
        let asker = ViewNodes.Shown(record: ObjectIdentifier(outer), instance: 1)
        let first = layOut(&nodes, [12], records, turn: 2)
        #expect(first[12]?.instance == 1 && first[12]?.isPass == false && first[12]?.asker == nil)
        let second = layOut(&nodes, stack, records, turn: 2)
        #expect(second[12]?.isPass == true && second[12]?.asker == nil)
        #expect(second[13]?.isPass == false && second[13]?.asker == asker)
        let third = layOut(&nodes, all, records, turn: 2)
        #expect(third[10]?.isPass == false && third[10]?.asker == asker && third[10]?.parent == nil)
        commit(&nodes, all, records)
        // What comes after the commit has a cause of its own.
        let later = layOut(&nodes, all, records, turn: 2)
        #expect(later[10]?.isPass == false && later[10]?.asker == nil)
        commit(&nodes, all, records)

        // A size that stays the same is committed at once. Another node and another turn have nothing to do with it.
        _ = layOut(&nodes, [12], records, turn: 3)
        commit(&nodes, [12], records)
        #expect(layOut(&nodes, stack, records, turn: 3)[13]?.asker == nil)
        commit(&nodes, all, records)
        _ = layOut(&nodes, [12], records, turn: 4)
        #expect(layOut(&nodes, all, records, turn: 4)[10]?.asker == nil)
        commit(&nodes, all, records)
        _ = layOut(&nodes, [12], records, turn: 5)
        #expect(layOut(&nodes, stack, records, turn: 6)[13]?.asker == nil)
    }

    @Test("a widget in the memory of another one ends what that one showed")
    func reuse() {
        var nodes = ViewNodes()
        _ = create(&nodes, outer, widget: 10)
        nodes.beginChildren(of: nil)
        _ = nodes.end()
        nodes.beginWidget(of: nil)
        #expect(nodes.end(widget: 10) == [ViewNodes.Shown(record: ObjectIdentifier(outer), instance: 1)])
        _ = create(&nodes, outer, widget: 11)
        #expect(nodes.forget([10, 11, 12]) == [ViewNodes.Shown(record: ObjectIdentifier(outer), instance: 2)])
        #expect(nodes.widgets == 0)
    }

    @Test("calls in an order that no framework has do no harm, and nothing grows without an end")
    func hostile() {
        var nodes = ViewNodes()
        var generator = SystemRandomNumberGenerator()
        _ = nodes.end(widget: 1)
        for _ in 0..<50_000 {
            let record = ObjectIdentifier(generator.next() % 2 == 0 ? outer : inner),
                widget = UInt(generator.next() % 8)
            switch generator.next() % 8 {
            case 0, 1: nodes.beginChildren(of: record)
            case 2: nodes.beginWidget(of: record)
            case 3: nodes.begin(.layout, of: widget, record)
            case 4: nodes.begin(.commit, of: widget, record)
            case 5: _ = nodes.evaluation(of: view(outer), turn: generator.next() % 3)
            default: _ = nodes.end(widget: widget)
            }
        }
        #expect(nodes.widgets <= 8)
        for _ in 0..<3 * ViewNodes.mostFrames { nodes.beginChildren(of: nil) }
        var ends = 0
        while !nodes.isIdle {
            _ = nodes.end()
            ends += 1
        }
        #expect(ends <= ViewNodes.mostFrames)
    }
}

@Suite("The search for views that were not seen")
struct SearchAllowanceTests {
    @Test("looks at a million values in a row, and then at 50,000 in each second, of which none is for later")
    func allowed() {
        let (start, second) = (UInt64(7_000_000_000), UInt64(1_000_000_000))
        var allowance = SearchAllowance(since: start)
        func allows(_ values: UInt64, _ time: UInt64) -> Bool { allowance.allows(values, at: start + time) }
        #expect(allows(0, 0) && allows(999_999, 0) && !allows(1_000_000, 0))
        #expect(allows(1_000_000, second / 50_000) && !allows(1_000_001, second / 50_000))
        // An hour of which none was used.
        #expect(allows(1_000_001, 3600 * second) && !allows(1_050_001, 3600 * second))
        // A search may take more than there is: the next ones wait for it.
        #expect(!allows(1_060_001, 3600 * second) && !allows(1_060_001, 3600 * second + second / 10))
        #expect(allows(1_060_001, 3600 * second + second / 4))
    }
}

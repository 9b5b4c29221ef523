// SPDX-License-Identifier: MIT
// Every way in which an object may tell of its changes: each invalidates, or the loop says why it cannot.
//
// Apple's documentation of `ObservableObject`: "A type of object with a publisher that emits before the object has changed."

import Foundation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

/// Has no `@Published`, and takes the publisher that OpenCombine makes.
private class Silent: ObservableObject {
    var number = 0 { willSet { objectWillChange.send() } }
}

private final class SilentChild: Silent {}

/// One of its own class has a publisher, which OpenCombine keeps there.
private final class PublishingChild: Silent {
    @Published var unread = 0
}

private class ByHand: ObservableObject {
    let objectWillChange = ObservableObjectPublisher()
    var number = 0 { willSet { objectWillChange.send() } }
}

private final class ByHandChild: ByHand {
    var other = 0 { willSet { objectWillChange.send() } }
}

private final class BySubject: ObservableObject {
    let objectWillChange = PassthroughSubject<Void, Never>()
    var number = 0 { willSet { objectWillChange.send() } }
}

private final class ByCurrentValue: ObservableObject {
    let objectWillChange = CurrentValueSubject<Int, Never>(0)
    var number = 0 { willSet { objectWillChange.send(newValue) } }
}

/// Hands on what an object in it tells, by another type of publisher at each access.
private final class ByAnother: ObservableObject {
    let inner = ByHand()
    var objectWillChange: AnyPublisher<Void, Never> { inner.objectWillChange.eraseToAnyPublisher() }
    var number: Int {
        get { inner.number }
        set { inner.number = newValue }
    }
}

/// Keeps its publisher only for as long as somebody else does.
private final class ByWeak: ObservableObject {
    private weak var kept: ObservableObjectPublisher?
    var objectWillChange: ObservableObjectPublisher {
        if let kept { return kept }
        let made = ObservableObjectPublisher()
        kept = made
        return made
    }
    var number = 0 { willSet { objectWillChange.send() } }
}

/// Has another subject at each access.
private final class ByNewSubject: ObservableObject {
    var objectWillChange: PassthroughSubject<Void, Never> { PassthroughSubject() }
    var number = 0 { willSet { objectWillChange.send() } }
}

/// Never changes.
private final class Constant: ObservableObject {
    let name = "name"
    let size = 1.5
    let isThere = true
}

@MainActor
private protocol Numbered: AnyObject {
    var number: Int { get set }
}

extension Silent: @MainActor Numbered {}
extension ByHand: @MainActor Numbered {}
extension BySubject: @MainActor Numbered {}
extension ByCurrentValue: @MainActor Numbered {}
extension ByAnother: @MainActor Numbered {}
extension ByWeak: @MainActor Numbered {}
extension ByNewSubject: @MainActor Numbered {}

@MainActor
@Suite struct ObjectPublisherTests {
    private struct Reader<Object: ObservableObject & Numbered>: View {
        @ObservedObject var object: Object
        var body: some View { Text("\(object.number)") }
    }

    private func follows<Object: ObservableObject & Numbered>(_ object: Object) -> [String] {
        object.number = 1
        let stage = Stage(Reader(object: object))
        var seen = [stage.screen]
        _ = stage.takeEvaluations()
        for number in [2, 3] {
            stage.act { object.number = number }
            seen.append(stage.screen)
        }
        seen.append("\(stage.takeEvaluations().count)")
        return seen + stage.warnings.map(\.description)
    }

    @Test func whatTellsOfItsChangesIsEvaluatedOnceForEach() {
        let right = ["1", "2", "3", "2"]
        #expect(follows(ByHand()) == right)
        #expect(follows(ByHandChild()) == right)
        #expect(follows(BySubject()) == right)
        #expect(follows(ByCurrentValue()) == right)
        #expect(follows(ByAnother()) == right)
        #expect(follows(PublishingChild()) == right)
        #expect(follows(ByWeak()) == right)
    }

    @Test func aSubjectThatIsNewAtEachAccessIsWarnedOf() {
        let seen = follows(ByNewSubject())
        #expect(seen.prefix(4) == ["1", "1", "1", "0"])
        #expect(seen.last?.contains("ByNewSubject") == true)
    }

    private struct ConstantReader: View {
        @EnvironmentObject private var constant: Constant
        var body: some View { Text("\(constant.name)") }
    }

    @Test func anObjectInWhichNothingCanChangeIsNotWarnedOf() {
        let stage = Stage(ConstantReader().environmentObject(Constant()))
        #expect(stage.screen == "name" && stage.warnings == [])
    }

    @Test(arguments: [true, false])
    func anObjectWhosePublisherIsNotKeptIsWarnedOf(isChild: Bool) {
        let seen = follows(isChild ? SilentChild() : Silent())
        #expect(seen.prefix(4) == ["1", "1", "1", "0"], "OpenCombine lets no one hear of it")
        #expect(seen.count == 5)
        #expect(seen.last?.contains("Reader") == true)
        #expect(seen.last?.contains(isChild ? "SilentChild" : "Silent") == true)
        #expect(seen.last?.contains("let objectWillChange = ObservableObjectPublisher()") == true)
    }

    private struct Several: View {
        @ObservedObject var first = Silent()
        @StateObject var second = Silent()
        @EnvironmentObject private var third: SilentChild
        var body: some View { Text("\(first.number)\(second.number)\(third.number)") }
    }

    @Test func theWarningIsGivenOnceForEachType() {
        let stage = Stage(
            VStack {
                Several()
                Several()
            }
            .environmentObject(SilentChild()))
        #expect(stage.warnings.count == 2)
    }

    private struct Replacing: View {
        let objects: [ByHand]
        @State private var index = 0
        var body: some View {
            VStack {
                Button("next") { index += 1 }
                Reader(object: objects[index])
            }
        }
    }

    @Test func anotherObjectIsFollowedInItsPlace() {
        let objects = [ByHand(), ByHand()]
        let stage = Stage(Replacing(objects: objects))
        stage.tap("next")
        _ = stage.takeEvaluations()
        stage.act { objects[0].number = 5 }
        #expect(stage.takeEvaluations() == [])
        stage.act { objects[1].number = 7 }
        #expect(stage.takeEvaluations() == ["Reader"])
        #expect(stage.screen.contains("7"))
    }

    private struct Coming: View {
        let object: ByHand
        @State private var shows = false
        var body: some View {
            VStack {
                Button("toggle") { shows.toggle() }
                if shows { Reader(object: object) }
            }
        }
    }

    @Test func whatIsSentBeforeAndAfterTheViewIsThereIsNoNews() {
        let object = ByHand()
        let stage = Stage(Coming(object: object))
        _ = stage.takeEvaluations()
        stage.act { object.number = 1 }
        #expect(stage.takeEvaluations() == [])
        stage.tap("toggle")
        #expect(stage.screen.contains("1"))
        stage.tap("toggle")
        _ = stage.takeEvaluations()
        stage.act { object.number = 2 }
        #expect(stage.takeEvaluations() == [])
    }

    private struct Sending: View {
        @ObservedObject var object: ByHand
        let sends: Int
        var body: some View {
            if object.number < sends { object.number += 1 }
            return Text("\(object.number)")
        }
    }

    @Test func sendingInABodyIsWarnedOf() {
        let stage = Stage(Sending(object: ByHand(), sends: 2))
        #expect(stage.screen == "2")
        #expect(stage.warnings.count == 2)
        #expect(stage.warnings.first?.description.contains("was modified while Sending") == true)
    }

    @Test func anotherThreadMaySendByHand() async {
        let object = ByHand()
        let stage = Stage(Reader(object: object))
        _ = stage.takeEvaluations()
        nonisolated(unsafe) let shared = object
        await Task.detached { shared.objectWillChange.send() }.value
        await stage.settleOthers()
        #expect(!stage.takeEvaluations().isEmpty)
        #expect(stage.warnings.map(\.description).first?.contains("background threads") == true)
    }
}

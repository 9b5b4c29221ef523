// SPDX-License-Identifier: MIT
// What an app does with its views, models and objects, noted in the host's log where an observer could change it.

import Foundation
import Observation
import Rerender

/// A part of an app's life.
struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    let run: @Sendable (HostApp) -> Void

    init(_ description: String, _ run: @escaping @Sendable (HostApp) -> Void) {
        self.description = description
        self.run = run
    }

    static let all = models + values + lifetimes
}

@Observable private final class Wheel {
    var turns = 0
}

@Observable private final class Car: @unchecked Sendable {
    var speed = 0
    var name = "car"
    var wheel = Wheel()
    var wheels: [Wheel] = []
    var trips: [Int] = []
    @ObservationIgnored private let mortal: Mortal?

    init(_ name: String = "car", _ log: EventLog? = nil) {
        self.name = name
        mortal = log.map { Mortal("car \(name)", $0) }
    }
}

private struct CarView {
    let car: Car
    var title = "a title that is too long to be kept in the string itself"
}
private struct OptionalCar {
    var car: Car?
}
private struct Refused: Error {}

/// How a view's array lies in memory.
private func storage<Element>(_ array: [Element]) -> UnsafeRawPointer? {
    array.withUnsafeBytes { UnsafeRawPointer($0.baseAddress) }
}

private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let thread = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        thread.signal()
    }
    thread.wait()
}

// MARK: - Models

extension Scenario {
    private static let models = [
        Scenario("writes to what is read, to what is not, and the same value again") { host in
            let car = Car()
            host.mount(MountedView("Speed", { CarView(car: car) }, body: { "\($0.car.speed)" }))
            for step in 0..<5 {
                car.speed = step / 2
                car.name = "\(step)"
                host.update()
            }
        },
        Scenario("several views of one model, each invalidated once") { host in
            let car = Car()
            for instance in 0..<4 {
                host.mount(
                    MountedView("Row", instance: UInt64(instance), { CarView(car: car) }) {
                        instance % 2 == 0 ? "\($0.car.speed)" : $0.car.name
                    })
            }
            for step in 1..<4 {
                car.speed = step
                car.speed += 1
                if step == 2 { car.name = "two" }
                host.update()
            }
        },
        Scenario("nested models and one that is replaced in the middle") { host in
            let car = Car()
            host.mount(MountedView("Wheel", { CarView(car: car) }, body: { "\($0.car.wheel.turns)" }))
            let old = car.wheel
            old.turns = 1
            host.update()
            car.wheel = Wheel()
            host.update()
            old.turns = 2
            host.update()
            car.wheel.turns = 3
            host.update()
        },
        Scenario("children within a parent's body") { host in
            let car = Car()
            let child = MountedView("Child", { CarView(car: car) }, body: { "\($0.car.wheel.turns)" })
            let parent = MountedView("Parent", { CarView(car: car) }) { view in
                "\(view.car.speed) [\(host.render(child))]"
            }
            host.mount(parent)
            car.wheel.turns = 1
            host.update()
            car.speed = 1
            host.update()
            // Both the parent and, through it, the child.
            car.speed = 2
            car.wheel.turns = 2
            host.update()
        },
        Scenario("writes from other threads") { host in
            let car = Car()
            host.mount(MountedView("Speed", { CarView(car: car) }, body: { "\($0.car.speed) \($0.car.wheel.turns)" }))
            for step in 1..<5 {
                let log = host.log
                onAnotherThread {
                    log.note("writing \(step)")
                    car.speed = step
                    car.wheel.turns = step
                }
                host.update()
            }
        },
        Scenario("a body that writes what it reads, and what others read") { host in
            let car = Car(), other = Car()
            host.mount(MountedView("Other", { CarView(car: other) }, body: { "\($0.car.speed)" }))
            host.mount(
                MountedView("Writer", { CarView(car: car) }) { view in
                    if view.car.speed < 3 { view.car.speed += 1 }
                    other.speed = view.car.speed
                    return "\(view.car.speed)"
                })
            car.speed = 0
            host.update()
            car.speed = 1
            host.update()
        },
        Scenario("bodies that throw, before and after they read") { host in
            let car = Car()
            host.mount(
                MountedView("Throwing", { CarView(car: car) }) { view in
                    if view.car.speed % 2 == 1 { throw Refused() }
                    if view.car.name == "stop" { throw Refused() }
                    return view.car.name
                })
            for step in 1..<6 {
                car.speed = step
                if step == 4 { car.name = "stop" }
                host.update()
            }
            car.name = "go"
            host.update()
        },
        Scenario("announcements, commits, reads reported and an end") { host in
            let car = Car()
            let view = MountedView("View", { CarView(car: car) }, body: { "\($0.car.speed)" })
            host.mount(view)
            for step in 1..<6 {
                host.tell { $0.invalidate("View", instance: 0, cause: "state", writer: "f()") }
                host.tell { $0.committed("View", changed: step % 2 == 0, instance: 0) }
                host.tell { $0.reading("View", instance: 0) { _ = car.wheel.turns } }
                car.wheel.turns = step
                car.speed = step
                host.update()
            }
            host.unmount(view)
            car.speed = 9
            host.update()
        },
    ]
}

// MARK: - Values

extension Scenario {
    private static let values = [
        Scenario("arrays that grow in place keep their storage") { host in
            final class Holder { var numbers: [Int] = [] }
            struct List { var numbers: [Int] }
            let holder = Holder()
            holder.numbers.reserveCapacity(5_000)
            let view = MountedView("List", { List(numbers: holder.numbers) }, body: { "\($0.numbers.count)" })
            host.mount(view)
            for step in 0..<10 {
                let before = storage(holder.numbers)
                holder.numbers.append(step)
                if step == 5 { holder.numbers.append(contentsOf: 0..<4_000) }
                holder.numbers[0] = step
                host.log.note(storage(holder.numbers) == before ? "kept" : "copied")
                host.render(view)
            }
        },
        Scenario("a model's array and a view's strings are written in place") { host in
            let car = Car()
            car.trips.reserveCapacity(2_000)
            host.mount(MountedView("Trips", { CarView(car: car) }, body: { "\($0.car.trips.count)" }))
            for step in 0..<10 {
                let before = storage(car.trips)
                car.trips.append(step)
                car.name.append(" and a name that is long enough to be on the heap \(step)")
                host.log.note(storage(car.trips) == before ? "kept" : "copied")
                host.update()
            }
        },
        Scenario("objects that only the app refers to are uniquely referenced") { host in
            final class Holder {
                var object: Mortal?
                var table: [String: Mortal] = [:]
            }
            struct Held {
                var object: Mortal?
                var table: [String: Mortal]
            }
            let holder = Holder()
            let view = MountedView("Held", { Held(object: holder.object, table: holder.table) }) {
                "\($0.object == nil) \($0.table.count)"
            }
            host.mount(view)
            for step in 0..<6 {
                if step % 2 == 0 { holder.object = Mortal("object \(step)", host.log) }
                holder.table["\(step % 3)"] = Mortal("entry \(step)", host.log)
                host.render(view)
                host.log.note("unique: \(isKnownUniquelyReferenced(&holder.object))")
            }
            holder.object = nil
            // A dictionary lets go in the order of its hashes, another in each run.
            for key in holder.table.keys.sorted() { holder.table[key] = nil }
            host.log.note("let go")
        },
        Scenario("existentials, optionals and enums with objects in them") { host in
            enum Content {
                case none
                case one(Mortal)
                indirect case nested(Content)
            }
            struct Page {
                var content: Content
                var any: Any
                var maybe: Mortal?
            }
            var step = 0
            let view = MountedView("Page") {
                let object = Mortal("content \(step)", host.log)
                return Page(
                    content: step % 3 == 0 ? .none : step % 3 == 1 ? .one(object) : .nested(.one(object)),
                    any: step % 2 == 0 ? step : Mortal("any \(step)", host.log), maybe: step % 4 == 0 ? nil : object)
            } body: { page in
                host.log.note("inside")
                return "\(page.maybe == nil)"
            }
            host.mount(view)
            while step < 8 {
                step += 1
                host.render(view)
            }
        },
    ]
}

// MARK: - Lifetimes

extension Scenario {
    private static let lifetimes = [
        Scenario("closures that capture objects end with them, called by nobody else") { host in
            struct Button { let action: () -> Int }
            var step = 0
            let view = MountedView("Button") {
                let captured = Mortal("captured \(step)", host.log)
                return Button {
                    host.log.note("called")
                    return withExtendedLifetime(captured) { step }
                }
            } body: { view in
                step % 2 == 0 ? "\(view.action())" : "not called"
            }
            host.mount(view)
            while step < 6 {
                step += 1
                host.render(view)
            }
        },
        Scenario("weak references become nil when the app lets go") { host in
            struct Weak { weak var car: Car? }
            var cars: [Car] = (0..<3).map { Car("\($0)", host.log) }
            weak var last: Car?
            let view = MountedView(
                "Weak", { Weak(car: last) }, body: { $0.car.map { "\($0.name) \($0.speed)" } ?? "nil" })
            while !cars.isEmpty {
                last = cars.last
                host.render(view)
                last?.speed += 1
                host.update()
                cars.removeLast()
                host.log.note(last == nil ? "gone" : "lives")
                host.render(view)
            }
        },
        Scenario("models that are replaced end at once") { host in
            var car: Car? = Car("0", host.log)
            let view = MountedView("Car", { OptionalCar(car: car) }, body: { $0.car.map { "\($0.speed)" } ?? "nil" })
            host.mount(view)
            for step in 1..<5 {
                car?.speed = step
                host.update()
                car = step == 3 ? nil : Car("\(step)", host.log)
                host.log.note("replaced")
                host.render(view)
            }
            car = nil
            host.log.note("let go")
            host.render(view)
        },
        Scenario("objects that end inside a body, in their place") { host in
            final class Slot { var object: Mortal? }
            let slot = Slot(), car = Car()
            host.mount(
                MountedView("Ending", { CarView(car: car) }) { view in
                    host.log.note("before")
                    slot.object = nil
                    host.log.note("between")
                    slot.object = Mortal("object \(view.car.speed)", host.log)
                    _ = Mortal("temporary \(view.car.speed)", host.log)
                    host.log.note("after")
                    return "done"
                })
            for step in 1..<4 {
                car.speed = step
                host.update()
            }
        },
        Scenario("an array of models that come and go while the view reads them") { host in
            let car = Car()
            host.mount(
                MountedView("Wheels", { CarView(car: car) }) { view in
                    view.car.wheels.map { "\($0.turns)" }.joined(separator: ",")
                })
            for step in 0..<6 {
                if step < 3 { car.wheels.append(Wheel()) } else { car.wheels.removeFirst() }
                host.update()
                for wheel in car.wheels { wheel.turns += step }
                host.update()
            }
        },
        Scenario("views that vanish, told or not, let go of everything") { host in
            for instance in 0..<4 {
                var car: Car? = Car("\(instance)", host.log)
                let view = MountedView("Row", instance: UInt64(instance), { [weak car] in OptionalCar(car: car) }) {
                    $0.car.map { "\($0.speed)" } ?? "nil"
                }
                host.mount(view)
                car?.speed = 1
                host.update()
                host.unmount(view, tellsStore: instance % 2 == 0)
                car?.speed = 2
                host.update()
                car = nil
                host.log.note("let go of \(instance)")
            }
        },
        Scenario("outputs with objects live as long as the app keeps them") { host in
            let car = Car()
            struct Output: Equatable {
                let mortal: Mortal
                static func == (one: Output, other: Output) -> Bool { one.mortal === other.mortal }
            }
            for step in 0..<4 {
                car.speed = step
                let view = CarView(car: car)
                func body() -> Output { Output(mortal: Mortal("output \(view.car.speed)", host.log)) }
                if step % 2 == 0 { host.tell { _ = $0.evaluate("Other", of: view) { view.car.speed } } }
                let output = host.evaluateOnce("Output", of: view) { body() }
                host.log.note("made")
                withExtendedLifetime(output) {}
            }
        },
    ]
}

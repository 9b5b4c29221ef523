// SPDX-License-Identifier: MIT
// Views whose getters return something else than an output in memory, and bodies that run where there is little room.

import Glibc

/// Of the shape of a view, and none: its property is no body.
enum Titles {
    protocol View {
        associatedtype Style
        var title: String { get }
    }

    struct Plain: View {
        typealias Style = [String]
        var title: String { "titled" }
    }

    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    static func show<Shown: View>(_ view: Shown) -> Int { view.title.count }
}

/// Returns text, and not a value of its associated type.
enum Texts {
    protocol View {
        associatedtype Style
        var body: String { get }
    }

    struct Plain: View {
        typealias Style = [String]
        var body: String { "text" }
    }

    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    static func show<Shown: View>(_ view: Shown) -> Int { view.body.count }
}

/// Returns an object, in a register.
enum Objects {
    final class Presenter {
        let parts = [1, 2, 3]
    }

    protocol View: AnyObject {
        associatedtype Body: AnyObject
        var body: Body { get }
    }

    final class Screen: View {
        let body = Presenter()
    }

    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    static func show<Shown: View>(_ view: Shown) -> Int { view.body === view.body ? 1 : 0 }
}

/// Throws before there is an output.
enum Errors {
    protocol View {
        associatedtype Body
        var body: Body { get throws }
    }

    struct Failing: View {
        struct Failure: Error {}
        let fails: Bool
        var body: [any CustomStringConvertible] {
            get throws {
                if fails { throw Failure() }
                return [1, "a"]
            }
        }
    }

    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    static func show<Shown: View>(_ view: Shown) -> Int {
        // What was there before.
        _ = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) {
            $0.initializeMemory(as: UInt8.self, repeating: 0x41)
        }
        return (try? view.body) == nil ? 0 : 1
    }
}

/// Throws errors of a type of its own, which have a place in memory that is passed in front of the type.
enum TypedErrors {
    struct Failure: Error { let number: Int }

    protocol View {
        associatedtype Body
        var body: Body { get throws(Failure) }
    }

    struct Badge: View {
        var body: String { get throws(Failure) { "badge" } }
    }

    struct Failing: View {
        let fails: Bool
        var body: [Badge] {
            get throws(Failure) {
                if fails { throw Failure(number: 7) }
                return [Badge()]
            }
        }
    }

    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    static func show<Shown: View>(_ view: Shown) -> Int {
        do { return try view.body is [Badge] ? 1 : 0 } catch { return error.number }
    }
}

/// Has a type in it that has no end.
struct Endless: View {
    enum Tree<Value> {
        indirect case one(Value), two(Tree<(Value, Value)>)
        case end
    }
    var body: Tree<Int> { .end }
}

protocol View {
    associatedtype Body
    var body: Body { get }
}

struct Nested: View {
    let depth: Int
    var body: Int { depth == 0 ? 0 : 1 + draw(Nested(depth: depth - 1)) }
}

/// A view of two frameworks.
struct Both: View, Texts.View {
    typealias Style = [String]
    typealias Body = String
    var body: String { "both" }
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func draw<Shown: View>(_ view: Shown) -> Shown.Body { view.body }

/// Draws on a thread with a stack of this many bytes.
func drawOnThread(_ bytes: Int) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, bytes)
    var thread = pthread_t()
    pthread_create(
        &thread, &attributes,
        { _ in
            _ = draw(Nested(depth: 3))
            return nil
        }, nil)
    pthread_join(thread, nil)
}

func drawInSignalHandler() {
    let stack = UnsafeMutableRawPointer.allocate(byteCount: 8192, alignment: 16)
    var alternate = stack_t(ss_sp: stack, ss_flags: 0, ss_size: 8192)
    sigaltstack(&alternate, nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in _ = draw(Nested(depth: 0)) }
    action.sa_flags = SA_ONSTACK
    sigaction(SIGUSR1, &action, nil)
    for _ in 0..<3 { raise(SIGUSR1) }
}

/// Has a body evaluated in a child that starts no other program.
func drawInChild() {
    // Swift hides `fork`.
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 { _exit(Int32(draw(Nested(depth: 2)))) }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    print("child", status >> 8)
}

var sum = 0
for round in 0..<5 {
    sum += Titles.show(Titles.Plain()) + Texts.show(Texts.Plain()) + Objects.show(Objects.Screen())
    sum += Errors.show(Errors.Failing(fails: round % 2 == 0))
    sum += TypedErrors.show(TypedErrors.Failing(fails: round % 2 == 0))
    _ = draw(Endless())
}
sum += draw(Nested(depth: 20_000))
drawOnThread(16384)
drawOnThread(1 << 20)
drawInSignalHandler()
_ = draw(Nested(depth: 0))
sum += draw(Both()).count + Texts.show(Both())
print("held", sum)
fflush(nil)
drawInChild()

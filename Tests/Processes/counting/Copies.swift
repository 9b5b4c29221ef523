// SPDX-License-Identifier: MIT
// `counting copies`: an instrumented app that loads plug-ins, each with a copy of the library of its own. It reads an order a line,
// and carries it out on the main loop of CoreFoundation:
//
//     load PATH     loads a plug-in, without its symbols for others; answers "loaded"
//     run N         evaluates N bodies of the app's; answers how many there were in all
//     plug I N      evaluates N bodies of the plug-in I; answers how many there were in all
//     reasons I     answers the plug-in's reasons
//     wait M        evaluates a body of the app's that waits for M ms; answers "done"
//     plugwait I M  the same in the plug-in I
//     close I       closes the plug-in I; answers "done"
//     around I M    evaluates a body of the app's around one of the plug-in's that waits for M ms; answers "done"
//     exec PATH     becomes another program by exec; this one answers "started" then
//     exit          exits at once

import CoreFoundation
import Foundation
import Rerender

@MainActor
final class Copies {
    typealias Count = @convention(c) (CInt) -> CInt
    typealias Wait = @convention(c) (CInt) -> Void
    typealias Text = @convention(c) () -> UnsafeMutablePointer<CChar>?

    let store = RerenderStore(name: "app")
    private var plugIns: [UnsafeMutableRawPointer] = []
    private var count: CInt = 0

    func obey(_ line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().compactMap { CInt($0) }
        switch (words.first, numbers.first) {
        case ("load", _): return load(words[1])
        case ("run", let count?):
            for _ in 0..<count { evaluate {} }
            return "\(self.count)"
        case ("plug", let plugIn?): return "\(call(plugIn, "plugin_evaluate", as: Count.self)?(numbers[1]) ?? -1)"
        case ("reasons", let plugIn?):
            return call(plugIn, "plugin_reasons", as: Text.self)?().map { String(cString: $0) } ?? "?"
        case ("wait", let milliseconds?): evaluate { usleep(UInt32(milliseconds) * 1_000) }
        case ("plugwait", let plugIn?): call(plugIn, "plugin_wait", as: Wait.self)?(numbers[1])
        case ("around", let plugIn?): evaluate { call(plugIn, "plugin_wait", as: Wait.self)?(numbers[1]) }
        case ("close", let plugIn?): dlclose(plugIns[Int(plugIn)])
        case ("exec", _): return become(words[1])
        case ("exit", _): exit(EXIT_SUCCESS)
        default: return "unknown order: \(line)"
        }
        return "done"
    }

    private func evaluate(_ work: () -> Void) {
        store.evaluate("Window") { work() }
        count += 1
    }

    private func load(_ path: String) -> String {
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { return String(cString: dlerror()) }
        plugIns.append(library)
        return "loaded"
    }

    private func become(_ path: String) -> String {
        let arguments = [strdup(path), strdup("copies"), strdup("again"), nil]
        execv(path, arguments)
        return String(cString: strerror(errno))
    }

    private func call<Function>(_ plugIn: CInt, _ name: String, as _: Function.Type) -> Function? {
        dlsym(plugIns[Int(plugIn)], name).map { unsafeBitCast($0, to: Function.self) }
    }

    /// Reads a line, or nil at the end. Not `readLine`: `exit` on another thread would wait for its lock of stdin, from glibc 2.41 on.
    private nonisolated static func nextLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// - Parameter arguments: Not empty where a program of this kind became this one by exec.
    static func run(_ arguments: [String]) {
        let app = Copies()
        if !arguments.isEmpty { say("started") }
        Thread.detachNewThread {
            while let line = Copies.nextLine() {
                RunLoop.main.perform { MainActor.assumeIsolated { say(app.obey(line)) } }
                CFRunLoopWakeUp(CFRunLoopGetMain())
            }
            exit(EXIT_SUCCESS)
        }
        // Keeps the loop from returning for want of anything to wait for.
        _ = Timer.scheduledTimer(withTimeInterval: 86_400, repeats: true) { _ in }
        CFRunLoopRun()
    }
}

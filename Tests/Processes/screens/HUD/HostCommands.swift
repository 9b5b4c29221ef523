// SPDX-License-Identifier: MIT
// What the lines of standard input ask for.

import CHUDHost
import CRerenderGTK
import Foundation
import RerenderGTK
import Synchronization

#if RERENDER_GTK
    /// Does what each line says, and prints `done` after it. All of it on GTK's thread.
    final class HostCommands: @unchecked Sendable {
        static let shared = HostCommands()
        private let source = HostSource()
        private var window: UInt = 0
        /// Views that are counted, in the place of made-up rows.
        private var views: HostViews?

        func begin(in window: UnsafeMutableRawPointer?) {
            self.window = UInt(bitPattern: window)
            _ = crerender_hud_find()
            print("ready")
        }

        func take(_ line: UnsafePointer<CChar>?) {
            let words = line.map { String(cString: $0).split(separator: " ").map { String($0) } } ?? []
            perform(words.first ?? "", Array(words.dropFirst()))
            print("done")
        }

        private func perform(_ command: String, _ words: [String]) {
            switch command {
            case "hud": show(words.first)
            case "hide": HUDController.shared.hide()
            case "frame": printFrame()
            case "views": views = HostViews(words.first.flatMap { Int($0) } ?? 6)
            case "rows":
                source.rows = words.first.flatMap { Int($0) } ?? 6
                HUDController.shared.noteChange()
            case "churn":
                source.round += 1
                views?.evaluate()
                HUDController.shared.noteChange()
            case "keys":
                let rows = StoresSource().content(store: 0, expanded: nil, showsAll: true).rows
                print("keys \(rows.map(\.key).joined(separator: " "))")
            case "shortcut": print("shortcut \(crerender_hud_set_shortcut(words.first ?? ""))")
            case "start", "show", "unshow": performLinked(command, words)
            default: performOnWindow(command, words)
            }
        }

        // MARK: As a program that links the library

        private func performLinked(_ command: String, _ words: [String]) {
            let isElsewhere = words.last == "elsewhere"
            do {
                if isElsewhere {
                    try onAnotherThread { try self.link(command, words) }
                } else {
                    try link(command, words)
                }
                print("linked \(command)")
            } catch {
                print("linked \(error)")
            }
        }

        private func link(_ command: String, _ words: [String]) throws {
            switch command {
            case "start":
                // On GTK's thread, so that no frame comes between the two.
                if words.first == "counted" { print("snapshots \(hud_host_snapshots())") }
                try RerenderGTK.start()
            case "unshow": RerenderGTK.hideHUD()
            default:
                let shown = words.first == "entry" ? hud_host_widget("entry").map { UInt(bitPattern: $0) } : window
                guard let shown, let window = OpaquePointer(bitPattern: shown) else { return }
                let corner = RerenderGTK.Alignment.allCases.first { "\($0)" == words.first } ?? .topTrailing
                try RerenderGTK.showHUD(in: window, alignment: corner, store: views?.store)
            }
        }

        private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
            let ended = DispatchSemaphore(value: 0)
            let result = Mutex<Result<Void, any Error>>(.success(()))
            Thread {
                let outcome = Result { try body() }
                result.withLock { $0 = outcome }
                ended.signal()
            }.start()
            ended.wait()
            try result.withLock { $0 }.get()
        }

        private func performOnWindow(_ command: String, _ words: [String]) {
            let name = words.first ?? ""
            switch command {
            case "pulse": pulse(words)
            case "step":
                perform(name, Array(words.dropFirst()))
                hud_host_step()
            case "redraw": hud_host_redraw(name, words.count > 1 ? UInt64(words[1]) ?? 1 : 1, words.count > 2 ? 1 : 0)
            case "crowd": hud_host_crowd(CInt(name) ?? 0)
            case "redraw-crowd": hud_host_redraw_crowd()
            case "bounds": hud_host_print_bounds(name)
            case "window": hud_host_print_window()
            case "popovers": hud_host_print_popovers()
            case "redraw-window": hud_host_redraw_window()
            case "snapshots": print("snapshots \(hud_host_snapshots())")
            case "resize": hud_host_resize(CInt(name) ?? 700, words.count > 1 ? CInt(words[1]) ?? 500 : 500)
            case "modal": hud_host_show_modal()
            case "pause": crerender_gtk_set_counting(false)
            case "put-back": crerender_gtk_put_back()
            case "destroy": hud_host_destroy(name)
            case "quit": hud_host_quit()
            default: print("unknown \(command)")
            }
        }

        private func show(_ corner: String?) {
            let corner = corner.flatMap { HUDCorner(rawValue: $0) }
            let shown: any HUDSource = views == nil ? source : StoresSource()
            if let missing = HUDController.shared.show(in: window, corner: corner, source: shown) {
                print("missing \(missing)")
            }
        }

        private func printFrame() {
            guard let frame = HUDController.shared.frame else { return print("frame none") }
            print("frame \(frame.x) \(frame.y) \(frame.width) \(frame.height)")
        }

        private func pulse(_ names: [String]) {
            let widgets = names.map { hud_host_widget($0) }
            print("pulsed \(crerender_pulse(widgets, widgets.count))")
        }
    }
#endif

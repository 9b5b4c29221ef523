// SPDX-License-Identifier: MIT
// A page in a real browser without a screen: opened from disk, asked by a script.

import Foundation
import TestSupport

@testable import RerenderTrace

/// Headless Chromium, and what it says of a page.
enum PageBrowser {
    static var isInstalled: Bool { ChildProcess.path(of: "chromium") != nil }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What every question's answer brings along.
    private struct Answer<Value: Decodable>: Decodable {
        let value: Value?
        let error: String?
        /// Breaches of the page's policy, among them every attempt to use a network, and errors in its scripts.
        let faults: [String]
    }

    /// Writes the page to a file, opens it, waits until it is drawn, and returns what `script` (the body of an async
    /// function) returns.
    ///
    /// Fails if a script of the page fails or breaks its policy. `width` and `height` are the window's; `address` is what
    /// follows the file's name, with its `#`; `library` is a script that the question uses.
    static func ask<Value: Decodable>(
        _ page: ReportPage, as: Value.Type = Value.self, width: Int = 1200, height: Int = 900, address: String = "",
        also library: String = "", _ script: String
    ) async throws -> Value {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("page.html")
        try Data(html(page, library, asking: script)).write(to: file)
        let chromium = ChildProcess.path(of: "chromium") ?? "chromium"
        // As root there is no sandbox.
        let output = try await ChildProcess.run(
            [
                chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--user-data-dir=\(directory.path)/profile", "--window-size=\(width),\(height)",
                "--virtual-time-budget=120000", "--dump-dom", file.absoluteString + address,
            ])
        guard let start = output.standardOutput.range(of: "<pre id=\"answer\">"),
            let end = output.standardOutput.range(
                of: "</pre>", range: start.upperBound..<output.standardOutput.endIndex),
            let data = Data(base64Encoded: String(output.standardOutput[start.upperBound..<end.lowerBound]))
        else {
            throw Failure(
                description:
                    "no answer; the browser ended with \(output.exit) and said \(output.standardError.suffix(2_000))")
        }
        let answer = try JSONDecoder().decode(Answer<Value>.self, from: data)
        guard answer.faults.isEmpty else { throw Failure(description: "the page: \(answer.faults)") }
        guard let value = answer.value else {
            throw Failure(description: "the question: \(answer.error ?? "no value")")
        }
        return value
    }

    /// The page's bytes.
    static func html(_ page: ReportPage, nonce: String = "test") throws -> [UInt8] {
        var bytes: [UInt8] = []
        try PageHTML.write(page, nonce: nonce) { bytes += $0 }
        return bytes
    }

    private static func html(_ page: ReportPage, _ library: String, asking script: String) throws -> [UInt8] {
        let question = """
            <script nonce="test">
            \(library.replacing("</script", with: "<\\/script"))
            const faults = [];
            addEventListener("error", (event) => faults.push(event.message));
            addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
            addEventListener("securitypolicyviolation", (event) => faults.push(event.violatedDirective + " " + event.blockedURI));
            const $$ = (selector) => Array.from(document.querySelectorAll(selector));
            const later = (time = 400) => new Promise((resume) => setTimeout(resume, time));
            const press = async (target, key, more = {}) => {
              target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
              await later();
            };
            const point = async (target, kind, { x, y }, more = {}) => {
              const frame = target.getBoundingClientRect();
              const where = { clientX: frame.left + x, clientY: frame.top + y, bubbles: true, cancelable: true };
              const event = kind === "wheel" ? new WheelEvent(kind, { ...where, ...more })
                : new PointerEvent(kind, { ...where, pointerId: 1, button: 0, ...more });
              target.dispatchEvent(event);
              await later();
              return event;
            };
            const drag = async (target, from, to, more = {}) => {
              await point(target, "pointerdown", from, more);
              await point(target, "pointermove", to, { buttons: 1, ...more });
              await point(target, "pointerup", to, more);
            };
            const byID = (id) => document.getElementById(id);
            const cursor = () => byID("cursor").textContent;
            const type = async (text) => {
              const field = document.getElementById("search");
              field.value = text;
              field.dispatchEvent(new Event("input", { bubbles: true }));
              await later();
            };
            const question = async () => {
            \(script)
            };
            addEventListener("DOMContentLoaded", async () => {
              let value = null, error = null;
              try {
                while (!document.documentElement.dataset.ready) await later(50);
                await later();
                value = await question();
              } catch (failure) {
                error = String(failure.stack);
              }
              const bytes = new TextEncoder().encode(JSON.stringify({ value: value ?? null, error, faults }));
              const answer = document.createElement("pre");
              answer.id = "answer";
              answer.textContent = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
              // The dump has nothing else: a page of ten thousand rows is long.
              document.body.replaceChildren(answer);
            });
            </script>
            """
        var whole = try html(page)
        guard let head = whole.firstRange(of: Array("</head>".utf8)),
            let end = whole.firstRange(of: Array("})();\n</script>".utf8))
        else { throw Failure(description: "no head, or no end of the scripts") }
        let file = Checkout.url("Tests/Support/TraceSupport/selftest.js")
        whole.insert(contentsOf: try Data(contentsOf: file), at: end.lowerBound)
        whole.insert(contentsOf: question.utf8, at: head.lowerBound)
        return whole
    }
}

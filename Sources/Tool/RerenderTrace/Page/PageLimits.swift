// SPDX-License-Identifier: MIT
// Every bound of the page, each with its reason. What is beyond one is told on the page.

/// Bounds of what the page holds.
package struct PageLimits: Sendable {
    /// Evaluations drawn one by one; about 14 bytes each in the file, 10 here, and 120 in the browser.
    package var evaluations = 1_000_000
    /// Turns drawn one by one.
    package var turns = 250_000
    /// Writes drawn one by one: as many as evaluations would double the page.
    package var writes = 50_000
    /// Views with advice, the most expensive first: nobody reads more, and each has some hundred bytes.
    package var advice = 1_000
    /// Turns beside those of another recording: nobody reads more.
    package var comparedTurns = 2_000
    /// Sources and handlers, those with most processor time: as many as 31 processes can have, and more than anyone looks at.
    package var sources = 2_000
    /// Lanes: no screen shows more, and each costs some kilobytes.
    package var views = 20_000
    /// Different reasons named in the timeline; the tables have their own.
    package var reasons = 50_000
    /// Instances whose latest evaluation is remembered; where there are more, all are forgotten, and keep their marks.
    package var instances = 65_536

    package init() {}
}

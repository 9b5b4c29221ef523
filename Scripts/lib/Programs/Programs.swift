// SPDX-License-Identifier: MIT
// Nothing: what this target depends on is what counts. See Package.swift.

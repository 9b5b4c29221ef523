// SPDX-License-Identifier: MIT
// Keys of views that a page must show and not obey.

enum HostileKeys {
    static let all = [
        "</script><script>document.title = 'owned'</script>", "<!--<script>", "]]>", "\"quoted\" 'twice' `thrice`",
        "line\u{2028}paragraph\u{2029}end", "nul\u{0}bell\u{7}escape\u{1B}[31m", "\u{202E}txet desrever", "{{script}}",
        "שלום עולם", "a\u{301}👩‍👩‍👧‍👦", "&lt;b&gt;&amp;", "\\u003c/script\\u003e", "${1+1}", "__proto__", "constructor",
        "toString",
        "data:text/html,x", String(repeating: "x", count: 1_024), "tab\tcarriage\r\nreturn", "javascript:alert(1)",
    ]
}

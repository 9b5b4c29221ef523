// SPDX-License-Identifier: MIT
// A file with a private view whose name another file has, too.

#if !OWN
    import Kit
#endif

private struct Badge: View {
    var body: some View {
        Truth.count("Badge (Other.swift)")
        return Text("other")
    }
}

func otherBadge() -> any View { Badge() }

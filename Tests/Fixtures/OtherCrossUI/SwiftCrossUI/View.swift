// SPDX-License-Identifier: MIT
// A framework called SwiftCrossUI whose requirements are of the same kinds as the known ones and have other arguments.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol AppBackend {
    associatedtype Widget
}

public protocol View {
    associatedtype Content
    var body: Content { get }
    func children<Backend: AppBackend>(_ number: Int, _ backend: Backend) -> Int
    func layoutableChildren<Backend: AppBackend>(_ backend: Backend) -> Int
    func asWidget<Backend: AppBackend>(_ number: Int, backend: Backend) -> Int
    func computeLayout<Backend: AppBackend>(_ number: Int, backend: Backend) -> Int
    func commit<Backend: AppBackend>(_ number: Int, backend: Backend) -> Int
}

extension View {
    public func children<Backend: AppBackend>(_ number: Int, _ backend: Backend) -> Int { number + 1 }
    public func layoutableChildren<Backend: AppBackend>(_ backend: Backend) -> Int { 2 }
    public func asWidget<Backend: AppBackend>(_ number: Int, backend: Backend) -> Int { number + 3 }
    public func computeLayout<Backend: AppBackend>(_ number: Int, backend: Backend) -> Int { number + 4 }
    public func commit<Backend: AppBackend>(_ number: Int, backend: Backend) -> Int { number + 5 }
}

@inline(never)
public func show<Shown: View, Backend: AppBackend>(_ view: Shown, _ backend: Backend) -> Int {
    _ = view.body
    return view.children(5, backend) + view.asWidget(5, backend: backend) + view.computeLayout(5, backend: backend)
        + view.commit(5, backend: backend)
}

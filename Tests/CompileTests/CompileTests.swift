import Foundation
import TestSupport
import Testing

// The tests compile modules that use the library. Incorrect code must not compile, for the intended reason. Correct
// code must compile without a warning.
//
// - `Clients/MustFail`: objects and sessions that leave their isolation domain (the leaks n01 to n25 of the
//   prototypes, and more).
// - `Clients/LeftToTheRunTime`: leaks in nonisolated functions, which the compiler detects in some configurations
//   only. In the others the checks of the session detect them.
// - `Clients/Messages`: other mistakes, and the messages that the compiler must print for them.
// - `Clients/MustCompile`: correct code, by the headings of the public API, with each existing line of the API. A
//   feature adds its lines to the client of its heading.
// - `Clients/PublicFace`: the public API itself, line by line. A feature adds its lines as they are listed.
//
// A new client is a new file and needs no line elsewhere; see `Client` for its head. Its names cannot collide: files
// are compiled together (`Batch`), each with its declarations made `private`. Declarations must therefore begin at
// the left margin, as the formatter puts them. A client with `public` declarations is compiled separately, which
// takes two seconds per configuration; the other clients take almost no time.
//
// The diagnostics of leaks in mode 5 are not tested, because mode 5 reports few of them, and as warnings.

@Suite(.hangLimit, .ownThreads)
struct CompileTests {
    @Test(arguments: Configuration.watchful)
    func `leaks do not compile, for the intended reasons`(configuration: Configuration) async throws {
        try await check(Batch.all(Client.all(.mustFail), in: configuration))
    }

    @Test(arguments: Configuration.watchfulOfNonisolated)
    func `leaks in nonisolated functions compile only where expected`(configuration: Configuration) async throws {
        try await check(Batch.all(Client.all(.leftToTheRunTime), in: configuration))
    }

    @Test func `mistakes get helpful messages`() async throws {
        try await check(Batch.all(Client.all(.messages), in: .mode6))
    }

    @Test(arguments: Configuration.supported)
    func `correct code compiles without a warning`(configuration: Configuration) async throws {
        try await check(Batch.all(Client.all(.mustCompile), in: configuration, isStrict: true))
    }

    @Test(arguments: Configuration.supported)
    func `each line of the public API compiles`(configuration: Configuration) async throws {
        try await check(Batch.all(Client.all(.publicFace), in: configuration))
    }

    private func check(_ batches: [Batch]) async throws {
        for batch in batches {
            for (client, outcome) in try await batch.outcomes() {
                #expect(complaint(about: outcome, of: client, in: batch.configuration) == nil)
            }
        }
    }
}

/// Describes the problem with an outcome, including the compiler's output. Returns nil if the outcome matches the
/// client's head.
private func complaint(about outcome: Compiler.Outcome, of client: Client, in configuration: Configuration) -> String? {
    let summary: String
    if !client.expectations.isEmpty, !client.acceptedIn.contains(configuration.name) {
        let expected = client.expectations.map { "“\($0)”" }.joined(separator: " or ")
        let intended = outcome.errors.filter { error in client.expectations.contains { error.contains($0) } }
        if outcome.succeeded {
            summary = "compiles, but must not: expected \(expected)"
        } else if intended.isEmpty {
            summary = "fails for another reason than \(expected)"
        } else if client.kind != .messages, intended.count < outcome.errors.count {
            summary = "fails for other reasons besides \(expected)"
        } else {
            return nil
        }
    } else if outcome.succeeded {
        return nil
    } else {
        summary = "must compile, but does not (status \(outcome.status))"
    }
    return "\(client.file.path), \(configuration.name): \(summary)\n\(outcome.output)"
}

// MARK: - Tests of the test helpers

@Suite
struct CompileTestsOwnTests {
    @Test func `no client is missing`() {
        let leaks = Client.all(.mustFail) + Client.all(.leftToTheRunTime)
        let numbers = Set(leaks.map { $0.name.prefix(3) })
        let ofThePrototypes = (1...25).map { $0 < 10 ? "n0\($0)" : "n\($0)" }
        #expect(ofThePrototypes.filter { !numbers.contains($0[...]) } == [])
        #expect(Client.all(.messages).count >= 17)
        #expect(Client.all(.mustCompile).count >= 15)
        #expect(Client.all(.publicFace).count >= 3)
    }

    @Test(arguments: Client.Kind.allCases)
    func `each head specifies the expectation, with existing configuration names`(kind: Client.Kind) {
        let watchful = kind == .leftToTheRunTime ? Configuration.watchfulOfNonisolated : Configuration.watchful
        let names = Set(watchful.map(\.name))
        for client in Client.all(kind) {
            #expect(client.expectations.isEmpty == [.mustCompile, .publicFace].contains(kind), "\(client.name)")
            #expect(names.isSuperset(of: client.acceptedIn), "\(client.name): \(client.acceptedIn)")
            #expect(names.count > client.acceptedIn.count, "\(client.name) is an error nowhere")
            #expect((kind == .leftToTheRunTime) == client.acceptedIn.contains("mode 6"), "\(client.name)")
        }
    }

    @Test(arguments: [
        (Int32(0), "", "compiles, but must not"),
        (1, "a.swift:1:2: error: cannot find 'Persn' in scope", "fails for another reason"),
        (1, "a.swift:1:2: error: a leak\na.swift:2:2: error: no such module", "fails for other reasons besides"),
        (1, "a.swift:1:2: warning: a leak", "fails for another reason"),
        (139, "Stack dump: a leak", "fails for another reason"),
    ])
    func `a client passes only with the intended diagnostic`(status: Int32, output: String, expected: String) throws {
        let client = Client(kind: .mustFail, file: URL(filePath: "/a.swift"), source: "// expect: a leak\n// Why.\n")
        let said = complaint(about: .init(status: status, output: output), of: client, in: .mode6)
        #expect(said?.contains(expected) == true)
        #expect(said?.hasSuffix(output) == true)
    }

    @Test func `the intended diagnostic alone is sufficient`() {
        let client = Client(kind: .mustFail, file: URL(filePath: "/a.swift"), source: "// expect: a leak\n// Why.\n")
        let output = """
            a.swift:1:2: error: this is a leak
                print(x, "error: ")
                ^
            a.swift:1:2: note: no
            error: a leak
            """
        let outcome = Compiler.Outcome(status: 1, output: output)
        #expect(outcome.errors == ["this is a leak", "a leak"])
        #expect(complaint(about: outcome, of: client, in: .mode6) == nil)
    }

    @Test func `an error is a failure in a configuration that must accept the client`() {
        let source = """
            // expect: a leak
            // compiles in: nonsending, MainActor default
            // Why.
            import PersistentObjects
            // expect: nothing, for this is not the head
            """
        let client = Client(kind: .mustFail, file: URL(filePath: "/a.swift"), source: source)
        #expect(client.expectations == ["a leak"])
        #expect(client.acceptedIn == ["nonsending", "MainActor default"])
        let fails = Compiler.Outcome(status: 1, output: "a.swift:1:2: error: a leak")
        #expect(complaint(about: fails, of: client, in: .mainActor)?.contains("must compile") == true)
        #expect(complaint(about: fails, of: client, in: .mode6) == nil)
        #expect(complaint(about: .init(status: 0, output: ""), of: client, in: .nonsending) == nil)
    }

    @Test func `declarations are made private line by line, and a public client is compiled separately`() {
        let source = """
            // expect: a leak
            import PersistentObjects
            class Person: PersistentObject {
                var name = ""
            }
            @MainActor func leak() {}
            @MainActor @Observable final class Model {}
            @Observable
            final class Other {}
            extension Person: Comparable {}
            extension PersistentObject {}
            private let own = 1
            """
        let client = Client(kind: .mustFail, file: URL(filePath: "/a.swift"), source: source)
        let expected = """
            // expect: a leak
            import PersistentObjects
            private class Person: PersistentObject {
                var name = ""
            }
            @MainActor private func leak() {}
            @MainActor @Observable private final class Model {}
            @Observable
            private final class Other {}
            extension Person: Comparable {}
            private extension PersistentObject {}
            private let own = 1
            """
        #expect(client.hiddenSource == expected && !client.standsAlone)
        let open = Client(kind: .mustCompile, file: URL(filePath: "/b.swift"), source: "public func f() {}")
        #expect(open.standsAlone)
        #expect(Batch.all([client, open, client], in: .mode6).map(\.clients.count) == [2, 1])
    }

    @Test func `errors are assigned to their files, including errors in macro expansions`() {
        let output = """
            /x/a.swift:1:2: error: a leak
            /x/b.swift:1:2: warning: nothing
            /x/b.swift:3:2: note: a note
            /x/@__swiftmacro_6Client.swift:1:2: error: in a macro
            /x/c.swift:1:2: note: in expansion of macro
            error: no file
            """
        let outcome = Compiler.Outcome(status: 1, output: output)
        #expect(outcome.errors(in: "a.swift") == ["a leak"] && outcome.errors(in: "c.swift") == ["in a macro"])
        #expect(outcome.part(of: "b.swift").succeeded && !outcome.part(of: "a.swift").succeeded)
        #expect(outcome.errors == ["a leak", "in a macro", "no file"])
    }
}

import Foundation
import TestSupport
import Testing

// Modules that use the library, compiled by the tests: what must not compile does not, for the intended reason; what
// must compile does, without a warning.
//
// - `Clients/MustFail`: objects and sessions that leave their isolation domain (the leaks n01 to n25 of the
//   prototypes, and more).
// - `Clients/LeftToTheRunTime`: leaks in nonisolated functions, which the compiler sees in some configurations only.
//   In the others the session's own checks meet them.
// - `Clients/Messages`: other mistakes, and what the compiler must say of them.
// - `Clients/MustCompile`: right code, by the headings of the public face: each line of it that exists. A feature adds
//   its lines to the client of its heading.
// - `Clients/PublicFace`: the public face itself, line by line. A feature adds its lines as they are listed.
//
// A new client is a new file, which needs no line elsewhere: see `Client` for its head. Its names are its own: files
// are compiled together (`Batch`), each with its declarations made `private`. So declarations begin at the margin, as
// the formatter has them. A client with `public` declarations is compiled alone, which costs two seconds for each
// configuration; the others cost next to nothing.
//
// What mode 5 says of the leaks is not tested: it reports few of them, and as warnings.

@Suite(.hangLimit, .ownThreads)
struct CompileTests {
    @Test(arguments: Configuration.watchful)
    func `leaks do not compile, for the intended reasons`(configuration: Configuration) async throws {
        try await check(Batch.all(Client.all(.mustFail), in: configuration))
    }

    @Test(arguments: Configuration.watchfulOfNonisolated)
    func `the compiler is blind to leaks only where we know it`(configuration: Configuration) async throws {
        try await check(Batch.all(Client.all(.leftToTheRunTime), in: configuration))
    }

    @Test func `mistakes get messages that help`() async throws {
        try await check(Batch.all(Client.all(.messages), in: .mode6))
    }

    @Test(arguments: Configuration.supported)
    func `right code compiles without a warning`(configuration: Configuration) async throws {
        try await check(Batch.all(Client.all(.mustCompile), in: configuration, isStrict: true))
    }

    @Test(arguments: Configuration.supported)
    func `each line of the public face compiles`(configuration: Configuration) async throws {
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

/// What is wrong with an outcome, with all that the compiler said; nil when it is as the client's head has it.
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

// MARK: - The tests' own tests

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
    func `each head says what is expected, in names that exist`(kind: Client.Kind) {
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
    func `only the intended diagnostic will do`(status: Int32, output: String, expected: String) throws {
        let client = Client(kind: .mustFail, file: URL(filePath: "/a.swift"), source: "// expect: a leak\n// Why.\n")
        let said = complaint(about: .init(status: status, output: output), of: client, in: .mode6)
        #expect(said?.contains(expected) == true)
        #expect(said?.hasSuffix(output) == true)
    }

    @Test func `the intended diagnostic alone is right`() {
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

    @Test func `where code is right or the compiler blind, an error is wrong`() {
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

    @Test func `a client is hidden line by line, but for one that is public`() {
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

    @Test func `each file has its own errors, those of macros too`() {
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

import Foundation
import TestSupport

/// Clients that are compiled together as one module, because the compiler needs longer for the library's interface
/// than for any client. The clients cannot see each other, because each file's declarations are made `private` in a
/// copy.
struct Batch: Sendable {
    var clients: [Client]
    var configuration: Configuration
    /// Whether warnings are errors.
    var isStrict = false

    /// The output of the compiler for each client.
    ///
    /// Clients without errors are compiled again without the clients that had errors. Type errors in any file keep
    /// the compiler from checking isolation, which it does last. A client therefore counts as correct only if it was
    /// compiled with no incorrect client.
    func outcomes() async throws -> [(client: Client, outcome: Compiler.Outcome)] {
        var found: [(client: Client, outcome: Compiler.Outcome)] = []
        var rest = clients
        while !rest.isEmpty {
            let outcome = try await Compiler.compile(
                rest, in: configuration, strictly: isStrict, hidden: clients.count > 1)
            let wrong = rest.filter { !outcome.errors(in: $0.fileName).isEmpty }
            let isUnexplained = wrong.isEmpty && !outcome.succeeded
            let done = wrong.isEmpty ? rest : wrong
            for client in done {
                // An error that belongs to no file (a crash, for example) counts for every client.
                found.append((client, isUnexplained ? outcome : outcome.part(of: client.fileName)))
            }
            rest = rest.filter { client in !done.contains { $0.file == client.file } }
        }
        return found
    }

    /// Groups clients into batches: one batch of all clients that can be hidden, and one batch for each other client.
    static func all(_ clients: [Client], in configuration: Configuration, isStrict: Bool = false) -> [Batch] {
        let alone = clients.filter(\.standsAlone)
        let together = clients.filter { !$0.standsAlone }
        return ([together] + alone.map { [$0] }).filter { !$0.isEmpty }
            .map { Batch(clients: $0, configuration: configuration, isStrict: isStrict) }
    }
}

extension Client {
    /// The name of the file in diagnostics.
    var fileName: String { file.lastPathComponent }

    /// Whether the client has declarations that an added `private` would change: declarations for other modules, and
    /// operators.
    var standsAlone: Bool {
        declarations.contains { line in
            ["public ", "open ", "package ", "infix ", "prefix ", "postfix ", "precedencegroup "]
                .contains { line.hasPrefix($0) }
        }
    }

    /// The source with its declarations made `private`, each in its original line.
    var hiddenSource: String {
        source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard isDeclaration(line), !conforms(line) else { return String(line) }
            let attributes = line.prefixMatch(of: Self.attributes)?.output ?? ""
            let rest = line.dropFirst(attributes.count)
            return rest.isEmpty ? String(line) : attributes + "private " + rest
        }.joined(separator: "\n")
    }

    private var declarations: [Substring] { source.split(separator: "\n").filter(isDeclaration) }

    /// Whether a line begins a top-level declaration. The formatter indents all other lines, or begins them with a
    /// bracket.
    private func isDeclaration(_ line: Substring) -> Bool {
        guard let first = line.first, first.isLetter || first == "@" else { return false }
        return !["import ", "private ", "fileprivate "].contains { line.hasPrefix($0) }
            && !line.contains(" import ")
    }

    /// Attributes at the start of a line, before the modifiers.
    private static var attributes: Regex<Substring> { /(?:@\w+(?:\([^)]*\))?(?: |$))*/ }

    /// Whether a line begins an extension with a conformance, which cannot have an access level. (An extension of the
    /// client's own class needs none.)
    private func conforms(_ line: Substring) -> Bool {
        line.contains(/^(?:@\w+ |nonisolated )*extension [\w.]+\s*:/)
    }
}

import Foundation
import TestSupport

/// Clients that are compiled together, as one module: the compiler needs longer for the library's interface than for
/// any client. They do not see each other, since each file's declarations are made `private` in a copy.
struct Batch: Sendable {
    var clients: [Client]
    var configuration: Configuration
    /// Warnings are errors.
    var isStrict = false

    /// What the compiler says of each client.
    ///
    /// Those that have no error are compiled again without those that have some: type errors in any file keep the
    /// compiler from looking at isolation, which it does last. So what is found right was compiled with nothing else
    /// that is wrong.
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
                // What nobody's file explains (a crash, say) is everybody's error.
                found.append((client, isUnexplained ? outcome : outcome.part(of: client.fileName)))
            }
            rest = rest.filter { client in !done.contains { $0.file == client.file } }
        }
        return found
    }

    /// The batches of some clients: all those that can be hidden in one, each other for itself.
    static func all(_ clients: [Client], in configuration: Configuration, isStrict: Bool = false) -> [Batch] {
        let alone = clients.filter(\.standsAlone)
        let together = clients.filter { !$0.standsAlone }
        return ([together] + alone.map { [$0] }).filter { !$0.isEmpty }
            .map { Batch(clients: $0, configuration: configuration, isStrict: isStrict) }
    }
}

extension Client {
    /// The name that diagnostics have.
    var fileName: String { file.lastPathComponent }

    /// Whether it has declarations that a `private` before them would change: those for other modules, and operators.
    var standsAlone: Bool {
        declarations.contains { line in
            ["public ", "open ", "package ", "infix ", "prefix ", "postfix ", "precedencegroup "]
                .contains { line.hasPrefix($0) }
        }
    }

    /// The source with its declarations `private`, each in the line it was in.
    var hiddenSource: String {
        source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard isDeclaration(line), !conforms(line) else { return String(line) }
            let attributes = line.prefixMatch(of: Self.attributes)?.output ?? ""
            let rest = line.dropFirst(attributes.count)
            return rest.isEmpty ? String(line) : attributes + "private " + rest
        }.joined(separator: "\n")
    }

    private var declarations: [Substring] { source.split(separator: "\n").filter(isDeclaration) }

    /// Whether a line begins a declaration of the file: the formatter has all other lines indented, or begun with a
    /// bracket.
    private func isDeclaration(_ line: Substring) -> Bool {
        guard let first = line.first, first.isLetter || first == "@" else { return false }
        return !["import ", "private ", "fileprivate "].contains { line.hasPrefix($0) }
            && !line.contains(" import ")
    }

    /// Those that begin a line: modifiers stand behind them.
    private static var attributes: Regex<Substring> { /(?:@\w+(?:\([^)]*\))?(?: |$))*/ }

    /// Whether a line begins an extension with a conformance, which has no access of its own. (One of an own class needs
    /// none.)
    private func conforms(_ line: Substring) -> Bool {
        line.contains(/^(?:@\w+ |nonisolated )*extension [\w.]+\s*:/)
    }
}

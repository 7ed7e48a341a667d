import Foundation
import PersistentObjects
import PersistentObjectsTesting
import PersistentTransfer
import TestSupport
import Testing

/// The localized description of an error, which alerts and loggers show, is its own description.
@Suite struct LocalizedErrorTests {
    private static let errors: [any Error & CustomStringConvertible] = [
        StoreError(.notFound, "no row was found", className: "Person", property: "age", rowID: 7),
        StoreError.Problem(className: "Person", properties: ["age"], message: "must not be negative"),
        SchemaError.isAbstract(className: "Person"),
        FinderError.ambiguous(className: "Person", finder: "findByX", readings: ["a", "b"]),
        QueryError.notExpressible("it is no query"),
        TransferError("Expected a number", line: 7, className: "Person", property: "age"),
    ]

    @Test(arguments: errors.indices)
    func `the localized description equals the error's description`(_ place: Int) {
        let error = Self.errors[place]
        #expect(error.localizedDescription == error.description && !error.description.isEmpty)
        expect((error as any Error).localizedDescription, error.description)
        expect((error as? any LocalizedError)?.errorDescription, error.description)
    }

    @Test func `every public error type conforms to LocalizedError`() {
        var types: [any Error.Type] = [
            StoreError.self, StoreError.Problem.self, SchemaError.self, FinderError.self, FinderProblems.self,
            FinderSourceError.self, FinderSearchError.self, QueryError.self, MergeConflicts.self, TransferError.self,
            CopyError.self,
        ]
        #if Sync
            types.append(TransportProblems.self)
        #endif
        for type in types { #expect(type is any LocalizedError.Type, "\(type)") }
    }

    /// Reads the sources, so that a new error type cannot be forgotten above.
    @Test func `the list of public error types is complete`() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var found: Set<String> = []
        for folder in ["StoreEngine", "PersistentObjects", "PersistentTransfer", "PersistentObjectsTesting"] {
            let files = FileManager.default.enumerator(
                at: package.appending(path: "Sources/\(folder)"), includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                for match in try String(contentsOf: file, encoding: .utf8)
                    .matches(of: /public (?:struct|enum|final class) (\w+): [^{]*\bError\b/)
                { found.insert(String(match.output.1)) }
            }
        }
        expect(
            found,
            [
                "StoreError", "Problem", "SchemaError", "FinderError", "FinderProblems", "FinderSourceError",
                "FinderSearchError", "QueryError", "MergeConflicts", "TransferError", "CopyError", "TransportProblems",
            ])
    }
}

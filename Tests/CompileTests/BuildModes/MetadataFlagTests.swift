import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// If a client's field metadata was compiled away, the library throws an error and never maps a class without
/// properties.
@Suite(.ownThreads, .enabled(if: ClientBuild.isPossible, "a plain client cannot be linked with this build"))
struct MetadataFlagTests {
    /// The expected output for each set of flags: the class that the error names, or the properties that the program
    /// stores.
    static let flags: [(flags: [String], answer: String)] = [
        ([], "fields a, b, text"),
        (["-O", "-wmo"], "fields a, b, text"),
        (["-disable-reflection-metadata"], "error Base"),
        (["-reflection-metadata-for-debugger-only"], "error Base"),
        (["-disable-reflection-names"], "error Base"),
        (["-O", "-Xlinker", "-s", "-Xlinker", "--gc-sections"], "fields a, b, text"),
    ]

    private static let model = """
        import PersistentObjects
        open class Base: PersistentObject {
            public var a = 1
            public var b = "b"
        }
        """

    private static let program = """
        final class Person: Base { var text = "t" }
        final class Bare: PersistentObject {}
        do {
            try Store.inMemory().withSession { _ in
                try Bare().save()
                let person = Person()
                person.text = "saved"
                try person.save()
                person.text = "x"
                try person.reload()
                print("fields", person.changes.isEmpty && person.text == "saved"
                    ? person.dictionary.keys.filter { $0 != "id" }.sorted().joined(separator: ", ") : "wrong")
            }
        } catch let error as SchemaError {
            guard case .metadataCompiledAway(let name) = error else { throw error }
            let isHelpful = error.description.contains("-disable-reflection-metadata")
            print(isHelpful ? "error \\(name)" : "no help")
        }
        """

    @Test(arguments: flags.indices)
    func `a flag that removes field metadata is an error that names class and flag`(_ index: Int) async throws {
        let (flags, answer) = MetadataFlagTests.flags[index]
        let client = try ClientBuild()
        let source = try client.write("main.swift", MetadataFlagTests.model + "\n" + MetadataFlagTests.program)
        try await client.compile(
            flags + [source, "-o", client.path("client")] + ClientBuild.library())
        let output = try await client.run("client")
        expect(output, answer + "\n", "\(flags)")
    }

    @Test(arguments: [(true, "error Base"), (false, "error Person")])
    func `metadata missing in one of two modules is detected, in the base class or the subclass`(
        _ isBaseStripped: Bool, _ answer: String
    ) async throws {
        let client = try ClientBuild()
        let library = try ClientBuild.library()
        let modules = try SwiftCompiler.libraryModules()
        let strip = ["-disable-reflection-metadata"]
        let model = try client.write("Model.swift", MetadataFlagTests.model)
        try await client.compile(
            ["-parse-as-library", "-module-name", "Model", "-emit-module", "-emit-object", "-wmo", model]
                + ["-emit-module-path", client.path("Model.swiftmodule"), "-o", client.path("Model.o")]
                + modules + (isBaseStripped ? strip : []))
        let main = try client.write(
            "main.swift", "import Model\nimport PersistentObjects\n" + MetadataFlagTests.program)
        try await client.compile(
            [main, client.path("Model.o"), "-I", client.folder.path, "-o", client.path("client")] + library
                + (isBaseStripped ? [] : strip))
        let output = try await client.run("client")
        expect(output, answer + "\n")
    }

    @Test func `the error names the flags`() {
        let error = SchemaError.metadataCompiledAway(className: "Person")
        for flag in [
            "-disable-reflection-metadata", "-disable-reflection-names", "-reflection-metadata-for-debugger-only",
        ] {
            #expect(error.description.contains(flag))
        }
        #expect(error.description.hasPrefix("Person: "))
    }
}

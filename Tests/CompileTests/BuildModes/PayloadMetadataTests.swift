import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Payload types of enumerations are read from metadata: in each build mode of a client, each edit of a payload is
/// detected.
///
/// An enumeration that contains only values is compared by its bits and never encoded for the comparison. If the
/// metadata does not list the payload types, the value is encoded, which only costs time.
@Suite(.ownThreads, .enabled(if: ClientBuild.isPossible, "a plain client cannot be linked with this build"))
struct PayloadMetadataTests {
    private static let model = """
        // One thread encodes, and looks at the number.
        public final class Count { nonisolated(unsafe) public static var encodings = 0 }
        public final class Note: Codable {
            public var text = "n"
            public init() {}
        }
        /// Counts how often it is encoded.
        public struct Text: Codable {
            public var text: String
            public init(_ text: String) { self.text = text }
            public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
            public func encode(to encoder: any Encoder) throws {
                Count.encodings += 1
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }
        public indirect enum Figure: Codable {
            case circle(Double), text(Text), both(left: Figure, right: [Figure])
        }
        public enum Remark: Codable { case text(Text), note(Note), none }
        public enum Wrapped<T: Codable>: Codable { case value(T), text(String) }
        """

    private static let program = """
        final class Drawing: PersistentObject {
            var figure = Figure.text(Text("a"))
            var wrapped = Wrapped.value(Text("b"))
            var maybe: Figure?
            var remark = Remark.none
            var boxed = Wrapped<Note>.text("c")
        }
        try Store.inMemory().withSession { session in
            let drawing = Drawing()
            drawing.remark = .note(Note())
            drawing.boxed = .value(Note())
            try drawing.save()
            Count.encodings = 0
            _ = drawing.hasChanges
            let kind = Count.encodings == 0 ? "by bits" : "encoded"
            func edit(_ change: () -> Void) throws -> Int {
                change()
                let count = drawing.changes.count
                try drawing.save()
                return count
            }
            let seen = try [
                edit { if case .note(let note) = drawing.remark { note.text += "m" } },
                edit { if case .value(let note) = drawing.boxed { note.text += "m" } },
                edit { drawing.figure = .both(left: .circle(1), right: [.text(Text("a"))]) },
                edit { drawing.figure = .both(left: .circle(1), right: [.text(Text("b"))]) },
                edit { drawing.figure = .both(left: .circle(-0.0), right: [.text(Text("b"))]) },
                edit { drawing.wrapped = .value(Text("c")) },
                edit { drawing.wrapped = .text("c") },
                edit { drawing.maybe = drawing.figure },
                edit { drawing.maybe = nil },
                edit { drawing.figure = .both(left: .circle(-0.0), right: [.text(Text("b"))]) },
            ]
            print(kind, seen)
        }
        """

    private static let strip = ["-disable-reflection-metadata"]

    @Test(arguments: [
        ([String](), [String](), "by bits"),
        (["-O", "-wmo"], ["-O", "-wmo"], "by bits"),
        (["-O", "-wmo", "-enable-library-evolution"], ["-O", "-wmo"], "by bits"),
        (["-O", "-wmo", "-cross-module-optimization"], ["-O", "-wmo", "-Xlinker", "-s"], "by bits"),
        (["-O", "-wmo"] + strip, ["-O"], "encoded"),
        (["-disable-reflection-names"], [], "encoded"),
    ])
    func `edits of payloads are detected`(_ model: [String], _ program: [String], _ kind: String) async throws {
        let client = try ClientBuild()
        let library = try ClientBuild.library()
        let source = try client.write("Model.swift", PayloadMetadataTests.model)
        try await client.compile(
            ["-parse-as-library", "-module-name", "Model", "-emit-module", "-emit-object", "-wmo", source]
                + ["-emit-module-path", client.path("Model.swiftmodule"), "-o", client.path("Model.o")] + model)
        let main = try client.write(
            "main.swift", "import Model\nimport PersistentObjects\n" + PayloadMetadataTests.program)
        try await client.compile(
            [main, client.path("Model.o"), "-I", client.folder.path, "-o", client.path("client")] + library + program)
        let output = try await client.run("client")
        expect(output, "\(kind) [1, 1, 1, 1, 1, 1, 1, 1, 1, 0]\n", "\(model)")
    }
}

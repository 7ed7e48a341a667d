import Foundation
import Testing

/// One file of the folder `Clients`: a module that uses the library, correctly or incorrectly.
///
/// The head of the file states what the tests expect:
///
/// ```swift
/// // expect: <part of the diagnostic that names the intended reason; of several, one must come>
/// // compiles in: <names of configurations in which the code is right, or the compiler blind>
/// ```
struct Client: Sendable {
    /// The purpose of a client.
    enum Kind: String, CaseIterable, Sendable {
        /// Objects or sessions leave their isolation domain.
        case mustFail = "MustFail"
        /// Leaks that the compiler detects in some configurations only.
        case leftToTheRunTime = "LeftToTheRunTime"
        /// Other mistakes.
        case messages = "Messages"
        /// Correct code.
        case mustCompile = "MustCompile"
        /// The lines of the public API as they are listed. Most of their results are unused.
        case publicFace = "PublicFace"
    }

    var kind: Kind
    var file: URL
    var source: String
    /// Parts of the intended diagnostics, one of which must occur; empty for correct code.
    var expectations: [String]
    /// The names of the configurations that accept the client, although others reject it.
    var acceptedIn: [String]

    var name: String { file.deletingPathExtension().lastPathComponent }

    init(kind: Kind, file: URL, source: String) {
        self.kind = kind
        self.file = file
        self.source = source
        let head = source.split(separator: "\n").prefix { $0.hasPrefix("//") }
        func values(of key: String) -> [String] {
            let prefix = "// \(key): "
            return head.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }
        expectations = values(of: "expect")
        acceptedIn = values(of: "compiles in").flatMap { $0.components(separatedBy: ", ") }
    }

    /// All clients of a kind, sorted by name.
    static func all(_ kind: Kind) -> [Client] {
        let folder = Self.folder.appending(path: kind.rawValue)
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        // If the folder cannot be read, the test `no client is missing` fails.
        return (files ?? []).filter { $0.pathExtension == "swift" }.compactMap { file in
            guard let source = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            return Client(kind: kind, file: file, source: source)
        }.sorted { $0.name < $1.name }
    }

    /// The classes that the incorrect clients share.
    static let prelude = folder.appending(path: "Shared/Prelude.swift")

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Clients")
}

extension Client: CustomTestStringConvertible {
    var testDescription: String { name }
}

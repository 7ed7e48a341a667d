import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

// Compiles and runs the examples of README.md and Docs/, as described in `Guide`.

@Suite(.hangLimit, .ownThreads)
struct DocumentationTests {
    @Test(arguments: Guide.names)
    func `the examples compile and print the output shown`(name: String) async throws {
        let guide = try Guide.named(name)
        guard !guide.examples.isEmpty || !guide.tables.allSatisfy(\.kind.isEmpty) else { return }
        try await withFolder { folder in
            let program = folder.appending(path: "example")
            let files = GuideProgram(guide).files
            let built = try await SwiftCompiler.build(try write(files, to: folder), to: program)
            let complaints = built.diagnostics.filter {
                $0.kind == "error" || ($0.kind == "warning" && !isAboutUse($0.message))
            }
            for complaint in complaints {
                let origin = files.first { $0.name == complaint.file }?.origins[complaint.line - 1] ?? 0
                Issue.record("\(name):\(origin): \(complaint.kind): \(complaint.message)")
            }
            guard built.status == 0 else {
                if complaints.isEmpty { Issue.record("\(name): \(built.errors)") }
                return
            }
            let environment = ["XDG_DATA_HOME": folder.path, "SWIFT_BACKTRACE": "enable=no"]
            let ran = try await SwiftCompiler.run(program, in: folder, environment: environment)
            expect(ran.status, 0, "\(name): \(ran.errors)")
            check(guide, against: Printed(ran.output))
            for block in guide.schemas {
                let made = try SQLiteTool.run(folder.appending(path: "schema-\(block.number).sqlite").path, ".schema")
                let shown = statements(block.code.joined(separator: "\n"))
                // The library's own tables are documented in a separate section.
                let ofClasses = statements(made).filter { !$0.hasPrefix("TABLE \"po_") }
                expect(ofClasses, shown, "\(name):\(block.line): \(ran.output.suffix(200))")
            }
        }
    }

    @Test(arguments: Guide.names)
    func `examples marked with an error fail to compile with that message`(name: String) async throws {
        let guide = try Guide.named(name)
        guard let file = GuideProgram(guide).mistakes else { return }
        let errors = try await withFolder { folder in
            try await SwiftCompiler.check(try write([file], to: folder)).diagnostics.filter { $0.kind == "error" }
        }
        let mistakes = guide.examples.filter { $0.value(of: "error") != nil }
        for block in mistakes {
            let lines = block.line..<block.line + block.code.count
            let own = errors.filter { lines.contains(file.origins[$0.line - 1]) }.map(\.message)
            let words = block.value(of: "error") ?? ""
            #expect(own.contains { $0.contains(words) }, "\(name):\(block.line): \(own)")
        }
        let mistaken = mistakes.flatMap { Array($0.line..<$0.line + $0.code.count) }
        for error in errors where !mistaken.contains(file.origins[error.line - 1]) {
            Issue.record("\(name): \(error.message)")
        }
    }

    private func check(_ guide: Guide, against printed: Printed) {
        for block in guide.examples {
            guard let expected = block.output else { continue }
            let place = "\(guide.name):\(block.line)"
            let lines = printed.texts["block \(block.number)"] ?? []
            #expect(areAsShown(lines, expected), "\(place): \(lines)")
        }
        for row in guide.rows("SQL") {
            // Statements on the library's own tables run at the first use of a class and are not shown.
            let statements = (printed.statements[row.number] ?? []).filter {
                !$0.contains("\"po_") && !$0.contains("user_version")
            }
            let complaint = printed.texts["row \(row.number)"] ?? []
            #expect(guide.isOneProgram || complaint.isEmpty, "\(guide.name):\(row.line)")
            #expect(areAsShown(statements, row.cells[1]), "\(guide.name):\(row.line): \(statements)")
        }
        for row in guide.rows("refused") {
            expect(printed.texts["row \(row.number)"], row.cells[1], "\(guide.name):\(row.line)")
        }
        for row in guide.rows("columns") {
            let table = printed.statements[row.number]?.first { $0.hasPrefix("CREATE TABLE") } ?? "\(printed.texts)"
            for (place, type) in row.cells[0].enumerated() {
                let definition = "\"p\(place)\" \(row.cells[1].first ?? "")"
                let isThere = [",", ")"].contains { table.contains(definition + $0) }
                #expect(isThere, "\(guide.name):\(row.line): \(type) in \(table)")
            }
        }
        for row in guide.rows("names") {
            expect(row.cells[0].map(Naming.snakeCase), row.cells[1], "\(guide.name):\(row.line)")
        }
    }

    /// The sorted statements of a schema without SQLite's own tables, with uniform white space.
    private func statements(_ schema: String) -> [String] {
        let text = schema.split(whereSeparator: \.isWhitespace).joined(separator: " ") + " "
        let even = text.replacing("( ", with: "(").replacing(" )", with: ")").replacing("IF NOT EXISTS ", with: "")
        // The statements of triggers contain semicolons.
        return even.components(separatedBy: "; CREATE ").map { $0.replacing(/^CREATE |; $/, with: "") }
            .filter { !$0.contains("sqlite_sequence") }.sorted()
    }

    /// Examples need not use the values that they create.
    private func isAboutUse(_ warning: String) -> Bool {
        ["never used", "is unused", "never mutated", "never read", "unreachable"].contains { warning.contains($0) }
    }

    func areAsShown(_ lines: [String], _ shown: [String]) -> Bool {
        lines.count == shown.count && zip(lines, shown).allSatisfy { matches($0, pattern: $1) }
    }

    /// `…` matches any text.
    private func matches(_ text: String, pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        guard parts.count > 1 else { return text == pattern }
        guard text.hasPrefix(parts[0]), text.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = text.dropFirst(parts[0].count)
        for part in parts.dropFirst() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    func write(_ files: [GuideProgram.File], to folder: URL) throws -> [URL] {
        try files.map { file in
            let url = folder.appending(path: file.name)
            try file.text.write(to: url, atomically: false, encoding: .utf8)
            return url
        }
    }

    func withFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}

/// The output of a guide's program by example, and the statements of the table rows.
private struct Printed {
    private(set) var texts: [String: [String]] = [:]
    private(set) var statements: [Int: [String]] = [:]

    init(_ output: String) {
        var name = ""
        for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if words.count == 4, words[0] == "@@", words[1] == "sql", let row = Int(words[2]) {
                if !isLeftOut(words[3]) { statements[row, default: []].append(words[3]) }
            } else if words.count == 3, words[0] == "@@" {
                name = "\(words[1]) \(words[2])"
            } else {
                texts[name, default: []].append(line)
            }
        }
    }

    /// Statements that tables omit: transaction statements and schema queries.
    private func isLeftOut(_ sql: String) -> Bool {
        ["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"].contains { sql.hasPrefix($0) }
            || ["sqlite_schema", "pragma_", "sqlite_sequence"].contains { sql.contains($0) }
    }
}

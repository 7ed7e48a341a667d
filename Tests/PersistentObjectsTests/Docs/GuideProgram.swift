import Foundation

/// The Swift files generated from the examples of a guide. The output of each example follows a line with `@@` that
/// identifies the example.
struct GuideProgram {
    struct File {
        let name: String
        private(set) var lines: [String] = []
        /// The guide's line for each line of the file; 0 for generated lines.
        private(set) var origins: [Int] = []

        init(_ name: String) { self.name = name }

        var text: String { lines.joined(separator: "\n") + "\n" }

        mutating func add(_ line: String) {
            lines.append(line)
            origins.append(0)
        }

        mutating func add(_ code: [String], from line: Int) {
            lines += code
            origins += line..<line + code.count
        }
    }

    private let guide: Guide

    init(_ guide: Guide) { self.guide = guide }

    /// The files of the program that runs the guide's examples.
    var files: [File] { [log, guide.isOneProgram ? script : examples] }

    /// A file with the examples that must fail to compile, or nil if there are none.
    var mistakes: File? {
        let mistakes = guide.examples.filter { $0.value(of: "error") != nil }
        guard !mistakes.isEmpty else { return nil }
        var file = File("Mistakes.swift")
        addShared(to: &file)
        for block in mistakes { addFunction(block.code, block.line, "mistake\(block.number)", to: &file) }
        return file
    }

    // MARK: One program

    private var script: File {
        var file = File("main.swift")
        file.add("SQLLog.install()")
        // The rows of the table are in the order of the program's lines.
        var rows = guide.rows("SQL")[...]
        for block in guide.examples {
            file.add("print(\"@@ block \(block.number)\")")
            for (place, line) in block.code.enumerated() {
                let row = rows.first.flatMap { line.contains($0.cells[0][0]) ? $0 : nil }
                if row != nil {
                    rows.removeFirst()
                    file.add("SQLLog.forget()")
                }
                file.add([line], from: block.line + place)
                if let row { file.add("SQLLog.report(\(row.number))") }
            }
        }
        return file
    }

    // MARK: Single examples

    private var examples: File {
        var file = File("Examples.swift")
        addShared(to: &file)
        var calls: [String] = []
        func call(_ name: String, _ body: String) { calls.append("await run(\"\(name)\") { \(body) }") }
        for block in guide.examples where block.marks.isEmpty {
            addFunction(block.code, block.line, "example\(block.number)", to: &file)
            if block.output != nil { call("block \(block.number)", "try await $0.example\(block.number)()") }
        }
        for block in guide.examples where block.marks.contains("declaration") {
            file.add("enum Declaration\(block.number) {")
            file.add(block.code, from: block.line)
            file.add("}")
        }
        for row in guide.rows("SQL") {
            let code = ["SQLLog.forget()"] + row.cells[0] + ["SQLLog.report(\(row.number))"]
            addFunction(code, row.line, "row\(row.number)", to: &file)
            call("row \(row.number)", "try await $0.row\(row.number)()")
        }
        for row in guide.rows("refused") {
            addClass("Note", row.cells[0], row, to: &file)
            call("row \(row.number)", "_ in _ = try Row\(row.number).Note.count()")
        }
        for row in guide.rows("columns") {
            let types = row.cells[0].enumerated()
            addClass("Columns", types.map { "var p\($0): \($1)?" }, row, to: &file)
            call("row \(row.number)", "_ in _ = try Row\(row.number).Columns.count(); SQLLog.report(\(row.number))")
        }
        for block in guide.schemas {
            let classes = (block.value(of: "schema") ?? "").components(separatedBy: ", ").map { "\($0).self" }
            calls.append("schema(\(block.number)) { try $0.prepare(\(classes.joined(separator: ", "))) }")
        }
        addMain(calls, to: &file)
        return file
    }

    private func addShared(to file: inout File) {
        file.add("import Foundation")
        file.add("import PersistentObjects")
        file.add("import PersistentObjectsTesting")
        file.add("import Synchronization")
        for line in guide.hidden { file.add(line) }
        for block in guide.examples where block.marks.contains("shared") { file.add(block.code, from: block.line) }
        if !guide.hidden.contains(where: { $0.hasPrefix("struct Given") }) {
            // A guide may declare a class called Store.
            file.add("struct Given { let store: PersistentObjects.Store")
            file.add("init(_ store: PersistentObjects.Store) throws { self.store = store } }")
        }
    }

    private func addFunction(_ code: [String], _ line: Int, _ name: String, to file: inout File) {
        file.add("extension Given { func \(name)() async throws {")
        file.add(code, from: line)
        file.add("} }")
    }

    /// Adds a class with the given properties in its own namespace.
    private func addClass(_ name: String, _ members: [String], _ row: Guide.Row, to file: inout File) {
        file.add("enum Row\(row.number) { final class \(name): PersistentObject {")
        for member in members { file.add([member], from: row.line) }
        file.add("} }")
    }

    private func addMain(_ calls: [String], to file: inout File) {
        file.add("@main enum Main {")
        file.add("typealias Base = PersistentObjects.Store")
        file.add("static func main() async {")
        file.add("SQLLog.install()")
        for call in calls { file.add(call) }
        file.add("}")
        file.add("static func run(_ name: String, _ body: @Sendable (Given) async throws -> Void) async {")
        file.add("print(\"@@ \\(name)\")")
        file.add("SQLLog.forget()")
        file.add("do {")
        file.add("let store = try Base.temporary(configuration: .init(onNote: { _ in }))")
        file.add("try await store.withSession { _ in try await body(try Given(store)) }")
        file.add("} catch { print(error) }")
        file.add("}")
        file.add("static func schema(_ number: Int, _ body: (Base) throws -> Void) {")
        file.add("do {")
        file.add("let store = try Base(\"schema-\\(number).sqlite\")")
        file.add("try body(store)")
        file.add("store.close()")
        file.add("} catch { print(\"@@ block \\(number)\"); print(error) }")
        file.add("} }")
    }

    // MARK: SQL

    /// Logs the statements of every connection that the program opens.
    private var log: File {
        var file = File("SQLLog.swift")
        let source = """
            import CSQLite
            import Synchronization

            enum SQLLog {
                private static let statements = Mutex<[String]>([])

                static func install() {
                    typealias Entry = @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
                    let entry: Entry = { connection, _, _ in
                        sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_STMT), { _, _, statement, event in
                            // Of triggers SQLite tells in comments, of foreign keys by the deletion again.
                            let isInner = event?.load(as: UInt8.self) == UInt8(ascii: "-")
                            guard !isInner, let statement, let text = sqlite3_sql(OpaquePointer(statement)) else {
                                return 0
                            }
                            let sql = String(String(cString: text).map { $0.isNewline ? " " : $0 })
                            SQLLog.statements.withLock {
                                if $0.last != sql || !sql.hasPrefix("DELETE") { $0.append(sql) }
                            }
                            return 0
                        }, nil)
                    }
                    sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
                }

                static func forget() { statements.withLock { $0 = [] } }

                static func report(_ row: Int) {
                    for sql in statements.withLock({ $0 }) { print("@@ sql \\(row) \\(sql)") }
                    forget()
                }
            }
            """
        for line in source.split(separator: "\n") { file.add(String(line)) }
        return file
    }
}

/// A complete program in a guide: the files of one folder.
struct WholeProgram {
    let name: String
    private(set) var files: [GuideProgram.File] = []

    /// Whether the program is a test target, according to its name.
    var isTests: Bool { name.hasSuffix("Tests") }

    /// Returns all programs of a guide, in order.
    static func all(in guide: Guide) -> [WholeProgram] {
        var programs: [WholeProgram] = []
        for (path, block) in guide.files {
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count == 2 else { continue }
            var file = GuideProgram.File(parts[1])
            file.add(block.code, from: block.line)
            if let place = programs.firstIndex(where: { $0.name == parts[0] }) {
                programs[place].files.append(file)
            } else {
                programs.append(WholeProgram(name: parts[0], files: [file]))
            }
        }
        for place in programs.indices where programs[place].isTests { programs[place].files.append(runner) }
        return programs
    }

    /// The entry point that SwiftPM adds to a test target.
    private static var runner: GuideProgram.File {
        var file = GuideProgram.File("Runner.swift")
        file.add("import Testing")
        file.add("@main struct Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }")
        return file
    }
}

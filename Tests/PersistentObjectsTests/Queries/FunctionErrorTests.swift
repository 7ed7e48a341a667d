import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Invalid function calls throw when the query runs. They neither trap nor run another query.
@Suite(.onSQLite("PostgreSQL calls no functions of the program yet"))
struct FunctionErrorTests {
    private typealias Town = FunctionTests.Town
    private struct Nothing {}

    private func with(_ body: (Session) throws -> Void) throws {
        try withTemporarySession(.init(functions: [FunctionTests.initials])) { session, _ throws in
            for name in ["a", "b"] {
                let town = Town()
                town.name = name
                try town.save()
            }
            try body(session)
            try expect(Town.count(), 2)
        }
    }

    @Test(arguments: ["", "\0", "upper\0", "a\0b"])
    func `an empty function name, or a name with a NUL, throws`(name: String) throws {
        try with { _ throws in
            let error = #expect(throws: QueryError.self) {
                try Town.where { SQLFunction.named(name)($0.name, as: String.self) == "A" }.all()
            }
            expect(error, .notExpressible("A function name is empty or contains a NUL"))
        }
    }

    @Test(arguments: [
        "nothing_such", "upper(name); DROP TABLE town; --", "x\"(1) OR 1 = 1 --", "\"", "''", "a b", "upper\u{301}",
        "🦆",
        ")", "town\".\"name", String(repeating: "f", count: 5000),
    ]) func `an unknown function throws an error with its name and the class`(name: String) throws {
        try with { _ throws in
            let function = SQLFunction.named(name)
            func check(_ body: () throws -> Void) {
                let error = #expect(throws: StoreError.self, performing: body)
                expect(error?.className, "Town")
                #expect(error?.message.contains("no such function: \(name)") ?? false)
            }
            let query = Town.where { function($0.name, as: String.self) == "A" }
            check { _ = try query.all() }
            check { _ = try query.first() }
            check { _ = try query.count() }
            check { _ = try query.exists() }
            check { _ = try query.explain() }
            check { _ = try query.delete() }
            check { _ = try query.update { $0.nick = nil } }
            check { _ = try query.values(of: \.name) }
            check { _ = try Town.query.values { function($0.name, as: String.self) } }
            check { _ = try Town.query.order { function($0.name, as: String.self) }.all() }
            check { _ = try Town.query.join(Town.self) { function($0.name, $1.name, as: Bool.self) }.all() }
        }
    }

    @Test func `a wrong number of arguments throws an error with the function and the class`() throws {
        try with { _ throws in
            let error = #expect(throws: StoreError.self) {
                try Town.where { FunctionTests.initials($0.name, as: String.self) == "A" }.all()
            }
            #expect(error?.className == "Town")
            #expect(error?.message.contains("wrong number of arguments to function initials()") ?? false)
            #expect(throws: StoreError.self) { try Town.where { _ in FunctionTests.initials(as: Bool.self) }.all() }
            // A store that was opened without the function.
            try withTemporarySession { _, _ throws in
                let missing = #expect(throws: StoreError.self) {
                    try Town.where { FunctionTests.initials($0.name, "x", as: String.self) == "A" }.all()
                }
                #expect(missing?.message.contains("no such function: initials") ?? false)
            }
        }
    }

    /// An aggregate in an order would combine all rows into one.
    @Test func `every aggregate and window function of SQLite is refused in an order`() throws {
        try with { session throws in
            let rows = try session.rows("SELECT name, narg FROM pragma_function_list WHERE type IN ('a', 'w')")
            let known = try rows.map { (try $0.value(0, as: String.self), try $0.value(1, as: Int.self)) }
            #expect(known.count > 10)
            for (name, count) in known + [("MAX", 1), ("Min", 1), ("Count", 0)] {
                let function = SQLFunction.named(name)
                let problem = #expect(throws: (any Error).self, "\(name) \(count)") {
                    _ =
                        switch count {
                        case 0: try Town.query.order { _ in function(as: Int.self) }.all()
                        case 1, -1: try Town.query.order { function($0.name, as: Int.self) }.all()
                        case 2: try Town.query.order { function($0.name, 1, as: Int.self) }.all()
                        default: try Town.query.order { function($0.name, 1, 1, as: Int.self) }.all()
                        }
                }
                #expect(problem is QueryError || "\(problem!)".contains("misuse of window function"), "\(name)")
            }
            let least = SQLFunction.named("min")
            #expect(try Town.query.order { least($0.name, "b", as: String.self) }.all().map(\.name) == ["a", "b"])
        }
    }

    @Test func `unsupported argument values and result types throw`() throws {
        try with { _ throws in
            let f = SQLFunction.named("upper")
            func check(_ query: Query<Town>, _ words: String, at location: SourceLocation = #_sourceLocation) {
                let error = #expect(throws: (any Error).self, sourceLocation: location) { try query.all() }
                #expect(error.map { "\($0)".contains(words) } ?? false, sourceLocation: location)
            }
            check(Town.where { f(f($0.name, as: Nothing.self), as: String.self) == "" }, "No column can hold this type")
            check(Town.where { f($0.name, as: String?.self) == "" }, "Remove the ?")
            check(Town.where { f(Nothing(), as: String.self) == $0.name }, "A value of type Nothing")
            check(Town.where { f(Double.nan, as: String.self) == $0.name }, "NaN")
            check(Town.where { f(Town(), as: String.self) == $0.name }, "never saved")
            check(Town.where { f($0.tags, as: String.self) == "" }, "Town.tags is a collection")
            check(Town.where { f($0.name, as: Town.self).name == "" }, "computed from several properties")
            check(Town.where { f($0.name, as: Town.self) == nil }, "No column can hold this type")
            #expect(throws: QueryError.self) { try Town.query.values { f($0.name, as: Decimal?.self) } }
        }
    }

    @Test func `a result of another type throws when it is read`() throws {
        try with { _ throws in
            let error = #expect(throws: StoreError.self) {
                try Town.query.values { SQLFunction.named("upper")($0.name, as: Int.self) }
            }
            #expect(error?.code == .typeMismatch && error?.className == "Town")
        }
    }

    @Test func `an error thrown by a function becomes an error of the query`() throws {
        struct Failure: Error {}
        let fails = SQLFunction("fails", argumentCount: 1) { _ in throw Failure() }
        try withTemporarySession(.init(functions: [fails])) { _, _ throws in
            try Town().save()
            let error = #expect(throws: StoreError.self) { try Town.where { fails($0.name, as: Bool.self) }.all() }
            #expect(error?.className == "Town" && error?.message.hasPrefix("fails: ") ?? false)
            #expect(try Town.count() == 1)
        }
    }

    /// Regression: `.name` was read from the object itself.
    @Test func `a property of a computed value throws`() throws {
        try with { _ throws in
            let error = #expect(throws: QueryError.self) { try Town.where { ($0.twin ?? $0.other).name == "a" }.all() }
            #expect("\(error!)".contains("This value is computed from several properties"))
        }
    }
}

import Observation
import PersistentObjects
import TestSupport
import Testing

/// Columns whose new names are the old names of other columns.
@Suite struct ColumnExchangeTests {
    final class Old: PersistentObject {
        override class var tableName: String { "row" }
        var a = "was a"
        var b = "was b"
        var c = "was c"
    }

    @Observable final class Observed: PersistentObject {
        override class var tableName: String { "row" }
        override class var columns: [String: String] { ["second": "two"] }
        override class var formerColumns: [String: [String]] { ["first": ["z", "a"], "second": ["b"]] }
        var first = ""
        var second = ""
    }

    private func file() throws -> TemporaryStore {
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in try Old().save() }
        return file
    }

    @Test func `columns whose names shift by one keep their contents, in any order of declaration`() throws {
        enum Forth {
            final class Row: PersistentObject {
                override class var tableName: String { "row" }
                @Column("b", renamedFrom: "a") var first = ""
                @Column("c", renamedFrom: "b") var second = ""
                @Column("d", renamedFrom: "c") var third = ""
                var a = "new"
            }
        }
        enum Back {
            final class Row: PersistentObject {
                override class var tableName: String { "row" }
                var a = "new"
                @Column("d", renamedFrom: "c") var third = ""
                @Column("c", renamedFrom: "b") var second = ""
                @Column("b", renamedFrom: "a") var first = ""
            }
        }
        let (one, other) = (try file(), try file())
        for _ in 0..<2 {
            try one.open().withSession { _ throws in
                let row = try #require(try Forth.Row.first())
                expect([row.a, row.first, row.second, row.third], ["new", "was a", "was b", "was c"])
            }
            try other.open().withSession { _ throws in
                let row = try #require(try Back.Row.first())
                expect([row.a, row.first, row.second, row.third], ["new", "was a", "was b", "was c"])
            }
        }
    }

    @Test func `an observable class declares its former column names with an override`() throws {
        let file = try file()
        for _ in 0..<2 {
            try file.open().withSession { _ throws in
                let row = try #require(try Observed.first())
                expect([row.first, row.second], ["was a", "was b"])
            }
        }
        try expect(file.sqlite("SELECT first, two FROM row"), "was a|was b")
    }

    @Test func `swapping the names of two or three columns is refused`() throws {
        enum Two {
            final class Row: PersistentObject {
                override class var tableName: String { "row" }
                @Column("b", renamedFrom: "a") var first = ""
                @Column("a", renamedFrom: "b") var second = ""
            }
        }
        enum Three {
            final class Row: PersistentObject {
                override class var tableName: String { "row" }
                @Column("b", renamedFrom: "a") var first = ""
                @Column("c", renamedFrom: "x", "B") var second = ""
                @Column("a", renamedFrom: "c") var third = ""
            }
        }
        let file = try file()
        let two = #expect(throws: SchemaError.self) { try file.open().prepare(Two.Row.self) }
        #expect(two == .renamedInCircle(className: "Row", properties: ["first", "second"]))
        #expect(two?.description.contains("Row: first and second") == true)
        let three = #expect(throws: SchemaError.self) { try file.open().prepare(Three.Row.self) }
        #expect(three == .renamedInCircle(className: "Row", properties: ["first", "second", "third"]))
        #expect(try file.sqlite("SELECT a, b, c FROM row") == "was a|was b|was c")
    }

    @Test func `a swap through a new name keeps the contents`() throws {
        enum New {
            final class Row: PersistentObject {
                override class var tableName: String { "row" }
                @Column("b2", renamedFrom: "a") var first = ""
                @Column("a", renamedFrom: "b") var second = ""
                var c = ""
            }
        }
        let file = try file()
        for _ in 0..<2 {
            try file.open().withSession { _ throws in
                let row = try #require(try New.Row.first())
                expect([row.first, row.second, row.c], ["was a", "was b", "was c"])
            }
        }
    }
}

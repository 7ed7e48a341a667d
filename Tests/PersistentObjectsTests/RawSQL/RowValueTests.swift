import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `row.value(_:)` reads the same types as properties, with the same precision.
struct RowValueTests {
    enum Level: Int { case low = 1 }
    struct Point: Codable, Equatable { var x = 0 }
    struct Celsius: PersistentValue, Equatable {
        var degrees: Double
        init(degrees: Double) { self.degrees = degrees }
        init(databaseValue: DatabaseValue) throws {
            guard case .real(let degrees) = databaseValue else { throw StoreError(.misuse, "no temperature") }
            self.degrees = degrees
        }
        var databaseValue: DatabaseValue { .real(degrees) }
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }

    private func row(_ value: DatabaseValue) -> Row { Row(Row.Columns(["x"], sql: "SELECT x"), [value]) }

    @Test func `values of each type are read`() throws {
        func check<T: Equatable>(_ stored: DatabaseValue, _ value: T) throws {
            #expect(try row(stored).value("x", as: T.self) == value)
            #expect(try row(stored).value("x", as: T?.self) == value)
            #expect(try row(.null).value("x", as: T?.self) == nil)
            let error = #expect(throws: StoreError.self) { _ = try row(.null).value("x", as: T.self) }
            #expect(error?.code == .typeMismatch && error?.message.contains("optional") == true)
        }
        let uuid = UUID()
        try check(.integer(7), 7)
        try check(.integer(7), Int64(7))
        try check(.integer(255), UInt8(255))
        try check(.integer(1), true)
        try check(.integer(1), Level.low)
        try check(.real(1.5), 1.5)
        try check(.real(1.5), Float(1.5))
        try check(.real(0.1), Date(timeIntervalSinceReferenceDate: 0.1))
        try check(.text("a\0ü"), "a\0ü")
        try check(.text("ab"), Substring("ab"))
        try check(.text("ß"), Character("ß"))
        try check(.text("1.10"), Decimal(11) / 10)
        try check(.text("po:x"), try #require(URL(string: "po:x")))
        try check(.blob([1, 2]), Data([1, 2]))
        try check(.blob([]), [UInt8]())
        try check(.blob(withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) }), uuid)
        try check(.blob(Array(#"{"x":3}"#.utf8)), Point(x: 3))
        try check(.real(20), Celsius(degrees: 20))
        try check(.integer(9), PersistentID<Person>(9))
        // Numbers that tables without STRICT store as another type are converted as for properties.
        #expect(try row(.real(3)).value("x", as: Int.self) == 3 && row(.integer(3)).value("x", as: Double.self) == 3)
        #expect(try row(.null).value("x", as: DatabaseValue.self) == .null)
        #expect(try row(.null).value("x", as: DatabaseValue?.self) == nil)
        #expect(try row(.integer(4)).value(0, as: DatabaseValue?.self) == .integer(4))
    }

    @Test func `a value that does not fit the type throws an error that names the column`() throws {
        func check<T>(_ stored: DatabaseValue, _ type: T.Type, _ words: String) {
            let error = #expect(throws: StoreError.self) { _ = try row(stored).value("x", as: type) }
            #expect(error?.code == .typeMismatch && error?.sql == "SELECT x")
            #expect(error?.message.hasPrefix("Column x: ") == true && error?.message.contains(words) == true)
        }
        check(.text("7"), Int.self, "expected INTEGER, but the column holds TEXT")
        check(.integer(7), String.self, "expected TEXT, but the column holds INTEGER")
        check(.integer(300), Int8.self, "the number does not fit in Int8")
        check(.real(3.7), Int.self, "the number does not fit in Int")
        check(.integer(-1), UInt.self, "the number does not fit in UInt")
        check(.integer(2), Bool.self, "the number does not fit in Bool")
        check(.integer(.max), Double.self, "the number does not fit in Double")
        check(.integer(2), Level.self, "no case with the raw value")
        check(.blob([1]), UUID.self, "16 bytes")
        check(.text("ab"), Character.self, "exactly one character")
        check(.text("x"), Decimal.self, "Decimal")
        check(.integer(1), Celsius.self, "no temperature")
        check(.text("1"), PersistentID<Person>.self, "expected INTEGER")
        check(.null, PersistentID<Person>.self, "holds NULL")
    }

    @Test func `an unknown column throws an error with similar names`() throws {
        let row = Row(Row.Columns(["name", "age"], sql: "SELECT name, age"), [.text("a"), .integer(1)])
        let near = #expect(throws: StoreError.self) { _ = try row.value("nme", as: String.self) }
        #expect(near?.code == .noSuchProperty && near?.message == "The row has no column nme; did you mean name?")
        let far = #expect(throws: StoreError.self) { _ = try row.value("salary", as: String.self) }
        expect(far?.message, "The row has no column salary. It has name, age")
        let place = #expect(throws: StoreError.self) { _ = try row.value(2, as: String.self) }
        expect(place?.message, "The row has no column at index 2, because it has 2 columns")
        try expect(row.value("NAME"), "a")
    }

    @Test func `an unsupported type throws an error with the reason`() throws {
        func message<T>(_ type: T.Type) -> String? {
            let error = #expect(throws: StoreError.self) { _ = try row(.integer(1)).value("x", as: type) }
            expect(error?.code, .misuse)
            return error?.message
        }
        expect(message(Person.self)?.contains("read a PersistentID"), true)
        expect(message(Person?.self)?.contains("read a PersistentID"), true)
        expect(message((() -> Void).self)?.contains("closure"), true)
        expect(message(Int??.self)?.contains("nested optional"), true)
        expect(message(Any.self)?.contains("neither a scalar"), true)
    }

    @Test func `rows can be read on several threads at once`() async throws {
        let row = Row(
            Row.Columns(["d", "u", "s"], sql: ""), [.real(1), .blob([UInt8](repeating: 1, count: 16)), .text("abc")])
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var count = 0
                    for _ in 0..<500 {
                        _ = try row.value("d", as: Date.self)
                        _ = try row.value("u", as: UUID.self)
                        if try row.value("s", as: Substring.self) == "abc" { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        expect(count, 4000)
    }
}

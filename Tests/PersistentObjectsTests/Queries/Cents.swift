import Foundation
import PersistentObjects
import StoreEngine

/// A user-defined number that cannot be converted to `Double` and that SQL cannot add.
struct Cents: Numeric, Comparable, PersistentValue, Hashable {
    var count: Int64

    init(count: Int64) { self.count = count }
    init?(exactly source: some BinaryInteger) { self.init(count: Int64(source)) }
    init(integerLiteral value: Int64) { self.init(count: value) }

    static var columnType: ColumnType { .integer }
    init(databaseValue: DatabaseValue) throws {
        guard case .integer(let count) = databaseValue else { throw CocoaError(.coderInvalidValue) }
        self.init(count: count)
    }
    var databaseValue: DatabaseValue { .integer(count) }

    var magnitude: Cents { Cents(count: abs(count)) }
    static func < (a: Cents, b: Cents) -> Bool { a.count < b.count }
    static func + (a: Cents, b: Cents) -> Cents { Cents(count: a.count + b.count) }
    static func - (a: Cents, b: Cents) -> Cents { Cents(count: a.count - b.count) }
    static func * (a: Cents, b: Cents) -> Cents { Cents(count: a.count * b.count) }
    static func *= (a: inout Cents, b: Cents) { a.count *= b.count }
}

import Foundation
import PersistentObjects
import TestSupport
import Testing

/// A value that a column cannot hold is refused with the names of the class and the property that it is compared with.
@Suite struct ComparedValueErrorTests {
    final class Boat: PersistentObject {
        override class var tableName: String { "compared_boat" }
        var name = ""
        @Indexed @Column(scale: 2) var price: Decimal = 0
        @Column(scale: 1) var weight: Decimal = 0
        var limit: Decimal = 0
        var length = 0.0
        var built = Date(timeIntervalSince1970: 0)
    }

    final class Sail: PersistentObject {
        override class var tableName: String { "compared_sail" }
        var area = 0.0
        var boat: Boat?
    }

    private static let fine = Decimal(string: "1.255") ?? .nan
    private static let noDate = Date(timeIntervalSince1970: .nan)

    /// The property of each condition's error.
    private static let refused: [(property: String, @Sendable () throws -> Void)] = [
        ("price", { _ = try Boat.where { $0.price == fine }.all() }),
        ("price", { _ = try Boat.where { $0.price < fine }.all() }),
        ("price", { _ = try Boat.where { $0.price.isIn([1, fine]) }.all() }),
        ("price", { _ = try Boat.where { $0.price.isIn(1...fine) }.all() }),
        ("price", { _ = try Boat.where { $0.weight == 1 && $0.price >= fine }.all() }),
        ("weight", { _ = try Boat.where { $0.weight == fine || $0.price == 1 }.all() }),
        ("price", { _ = try Boat.where("name = ? AND price = ?", "a", fine).all() }),
        ("limit", { _ = try Boat.where { $0.limit == Decimal.nan }.all() }),
        ("limit", { _ = try Boat.where { $0.name == "a" && $0.limit != Decimal.nan }.all() }),
        ("length", { _ = try Boat.where { $0.length.isIn([1, .nan]) }.all() }),
        ("built", { _ = try Boat.where { $0.built < noDate }.all() }),
        ("price", { _ = try Sail.where { $0.boat.price == fine }.all() }),
        ("limit", { _ = try Sail.where { $0.boat.limit == .nan }.all() }),
        ("price", { _ = try Boat.findByPrice(fine) }),
        ("price", { _ = try Boat.findBy.price(fine) }),
    ]

    @Test(arguments: refused.indices)
    func `the error of a compared value names the class and the property`(index: Int) throws {
        let (property, find) = ComparedValueErrorTests.refused[index]
        try withTemporarySession { _, _ in
            let error = try #require(throws: StoreError.self, performing: find)
            #expect(
                error.code == .notRepresentable && error.className == "Boat" && error.property == property, "\(error)")
        }
    }

    @Test func `a value compared with a calculation names no property of another operand`() throws {
        try withTemporarySession { _, _ in
            let query = Boat.where { $0.length + 1 == Double.nan }
            let error = try #require(throws: StoreError.self) { try query.all() }
            #expect(error.code == .notRepresentable && error.className == "Boat" && error.property == nil, "\(error)")
        }
    }
}

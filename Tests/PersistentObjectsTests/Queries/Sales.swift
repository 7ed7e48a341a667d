import Foundation
import PersistentObjects
import TestSupport

/// Rows with values of every type that can be added, compared and grouped, some of them nil.
enum Sales {
    enum Grade: String, Codable, Comparable, CaseIterable {
        case high, middle, low
        /// Differs from the order of the raw values.
        static func < (a: Grade, b: Grade) -> Bool { a.rank < b.rank }
        private var rank: Int { self == .low ? 0 : self == .middle ? 1 : 2 }
    }

    final class Customer: PersistentObject {
        override class var tableName: String { "customer" }
        var name = ""
        var size: Int?
    }

    final class Sale: PersistentObject {
        override class var tableName: String { "sale" }
        var region = ""
        var note: String?
        var amount = 0
        var rebate: Int?
        var level: Int8 = 0
        var count: UInt64 = 0
        var price = Decimal()
        var tip: Decimal?
        var weight: Double?
        var rate: Float = 0
        var day = Date(timeIntervalSinceReferenceDate: 0)
        var paid: Date?
        var grade = Grade.low
        var mood: Grade?
        var isOpen = false
        var token = UUID()
        var tags: [String] = []
        var customer: Customer?
        @Indexed var code = 0
    }

    /// Saves rows that depend only on the seed.
    static func save(_ count: Int, seed: UInt64, _ session: Session) throws -> [Sale] {
        var random = SeededGenerator(seed: seed)
        func maybe<V>(_ value: V?) -> V? { Bool.random(using: &random) ? value : nil }
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let customers = ["Acme", "Zorg", "Acme"].map { name in
            let customer = Customer()
            customer.name = name
            customer.size = maybe(number(0...2))
            return customer
        }
        let texts = ["north", "South", "", "ö", "日本", "O'Neil", "%"]
        let sales = (0..<count).map { _ in
            let sale = Sale()
            sale.region = texts[number(0...3)]
            sale.note = maybe(texts[number(0...6)])
            sale.amount = number(-3...3)
            sale.rebate = maybe(number(-9...9))
            sale.level = Int8(number(-2...2))
            sale.count = UInt64(number(0...5))
            sale.price = Decimal(number(-999...999)) / 100
            sale.tip = maybe(Decimal(number(0...99)) / 10)
            sale.weight = maybe(Double(number(-8...8)) / 4)
            sale.rate = Float(number(0...9)) / 2
            sale.day = Date(timeIntervalSinceReferenceDate: Double(number(-99...99)))
            sale.paid = maybe(Date(timeIntervalSinceReferenceDate: Double(number(-99...99)) / 8))
            sale.grade = Grade.allCases[number(0...2)]
            sale.mood = maybe(Grade.allCases[number(0...2)])
            sale.isOpen = number(0...1) == 1
            sale.customer = maybe(customers[number(0...2)])
            sale.code = number(0...9)
            return sale
        }
        try session.save(customers)
        try session.save(sales)
        return sales
    }
}

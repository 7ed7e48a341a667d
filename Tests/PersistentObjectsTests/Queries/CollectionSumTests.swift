import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Sums, averages and extremes of collections, dictionaries and inverses, and values by key, equal the results that
/// Swift computes from the same objects.
struct CollectionSumTests {
    final class Order: PersistentObject {
        override class var tableName: String { "sum_order" }
        var total = 0.0
        var count = 0
        var rebate: Int?
        var note: String?
        var price = Decimal()
        var customer: Customer?
        var agent: Customer?
    }

    class Customer: PersistentObject {
        override class var tableName: String { "sum_customer" }
        var name = ""
        var age = 0
        var scores: [Int] = []
        var weights: Set<Double> = []
        var marks: [String: Int] = [:]
        var hints: [Int: String]?
        var gaps: [String: Int?] = [:]
        var flags: [String: Bool] = [:]
        var boss: Customer?
        var friends: [Customer] = []
        var roles: [String: Customer] = [:]
        @Inverse(\Order.customer) var orders: [Order]
    }

    final class Company: Customer {
        var size = 0
    }

    private func customers(_ random: inout SeededGenerator, _ session: Session) throws -> [Customer] {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let keys = ["a", "b", "ä", ""]
        let customers = (0..<24).map { place in
            let customer = place % 4 == 0 ? Company() : Customer()
            customer.name = "c\(place % 7)"
            customer.age = number(0...4)
            customer.scores = (0..<number(0...3)).map { _ in number(-5...5) }
            customer.weights = Set((0..<number(0...3)).map { _ in Double(number(-8...8)) / 4 })
            for key in keys where number(0...1) == 1 { customer.marks[key] = number(-3...3) }
            if number(0...2) > 0 { customer.hints = number(0...1) == 1 ? [1: "x", -2: "y"] : [:] }
            for key in keys where number(0...1) == 1 {
                customer.gaps.updateValue(number(0...1) == 1 ? nil : number(0...2), forKey: key)
            }
            for key in keys where number(0...1) == 1 { customer.flags[key] = number(0...1) == 1 }
            return customer
        }
        for customer in customers {
            if number(0...1) == 1 { customer.boss = customers[number(0...23)] }
            customer.friends = (0..<number(0...3)).map { _ in customers[number(0...23)] }
            for key in keys where number(0...2) == 0 { customer.roles[key] = customers[number(0...23)] }
        }
        let orders = (0..<60).map { _ in
            let order = Order()
            order.total = Double(number(-40...40)) / 4
            order.count = number(-3...3)
            order.rebate = number(0...1) == 1 ? number(0...5) : nil
            order.note = number(0...1) == 1 ? keys[number(0...3)] : nil
            order.customer = number(0...5) > 0 ? customers[number(0...19)] : nil
            order.agent = number(0...2) > 0 ? customers[number(0...23)] : nil
            return order
        }
        try session.save(customers as [PersistentObject] + orders)
        // Objects that refer to other objects are saved after them.
        return customers.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
    }

    private func check(
        _ all: [Customer], _ condition: (Columns<Customer>) -> Condition, _ filter: (Customer) -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        try expect(Customer.where(condition).all(), all.filter(filter), sourceLocation: location)
        try expect(Customer.where { !condition($0) }.all(), all.filter { !filter($0) }, sourceLocation: location)
        try expect(
            Customer.where { $0.age > 2 || condition($0) }.count(), all.count { $0.age > 2 || filter($0) },
            sourceLocation: location)
    }

    private func sum<V: Numeric>(_ values: [V]) -> V? { values.isEmpty ? nil : values.reduce(0, +) }
    private func average(_ values: [Int]) -> Double? { sum(values).map { Double($0) / Double(values.count) } }

    @Test(arguments: SeededGenerator.seeds(4)) func `aggregates of related objects equal those of Swift`(seed: UInt64)
        throws
    {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let all = try customers(&random, session)
            try check(all, { $0.orders.sum(\.total) > 3 }, { sum($0.orders.map(\.total)).map { $0 > 3 } ?? false })
            try check(all, { $0.orders.sum(\.count) == nil }, { $0.orders.isEmpty })
            try check(all, { ($0.orders.sum(\.total) ?? 0) < 1 }, { $0.orders.map(\.total).reduce(0, +) < 1 })
            try check(
                all, { $0.orders.sum(\.rebate) == 5 }, { self.sum($0.orders.compactMap(\.rebate)) == 5 })
            try check(
                all, { $0.orders.sum { $0.total * 2 } != $0.orders.max(\.total) },
                { self.sum($0.orders.map { $0.total * 2 }) != $0.orders.map(\.total).max() })
            try check(
                all, { me in me.orders.sum { $0.count * me.age } == 4 },
                { me in self.sum(me.orders.map { $0.count * me.age }) == 4 })
            try check(
                all, { $0.orders.sum(\.agent.age) > 3 },
                { self.sum($0.orders.compactMap { $0.agent?.age }).map { $0 > 3 } ?? false })
            try check(
                all, { $0.orders.average(\.count) > 0.4 },
                { self.average($0.orders.map(\.count)).map { $0 > 0.4 } ?? false })
            try check(
                all, { $0.orders.min(\.note) == "a" }, { $0.orders.compactMap(\.note).min { self.less($0, $1) } == "a" }
            )
            try check(
                all, { $0.orders.max(\.note) == $0.orders.min(\.note) },
                { customer in
                    let notes = Set(customer.orders.map(\.note)).compactMap { $0 }
                    return notes.count < 2
                })
            try check(all, { $0.friends.sum(\.age) > 4 }, { self.sum($0.friends.map(\.age)).map { $0 > 4 } ?? false })
            try check(
                all, { $0.boss.orders.sum(\.count) > 0 },
                { self.sum($0.boss?.orders.map(\.count) ?? []).map { $0 > 0 } ?? false })
            try check(
                all, { $0.friends.any { $0.orders.sum(\.count) > 0 } },
                { $0.friends.contains { self.sum($0.orders.map(\.count)).map { $0 > 0 } ?? false } })
            try check(
                all, { $0.friends.sum { $0.orders.count } > 5 },
                { self.sum($0.friends.map(\.orders.count)).map { $0 > 5 } ?? false })
            try check(
                all, { $0.roles.sum(\.age) > 2 }, { self.sum($0.roles.values.map(\.age)).map { $0 > 2 } ?? false })
            try check(all, { $0.roles.average(\.age) == 2 }, { self.average($0.roles.values.map(\.age)) == 2 })
            try check(
                all, { $0.roles.max(\.age) == $0.roles.min(\.age) },
                { customer in
                    Set(customer.roles.values.map(\.age)).count < 2
                })
        }
    }

    private func less(_ a: String, _ b: String) -> Bool { a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars) }

    @Test(arguments: SeededGenerator.seeds(4)) func `aggregates of value collections equal those of Swift`(seed: UInt64)
        throws
    {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let all = try customers(&random, session)
            try check(all, { $0.scores.sum() > 2 }, { self.sum($0.scores).map { $0 > 2 } ?? false })
            try check(all, { $0.scores.average() < 1.5 }, { self.average($0.scores).map { $0 < 1.5 } ?? false })
            try check(all, { $0.scores.min() == -2 }, { $0.scores.min() == -2 })
            try check(all, { $0.scores.max() == nil }, { $0.scores.isEmpty })
            try check(all, { $0.weights.sum() == 0.5 }, { self.sum(Array($0.weights)) == 0.5 })
            try check(all, { $0.weights.max() > 1 }, { $0.weights.max().map { $0 > 1 } ?? false })
            try check(all, { $0.marks.sum() > 1 }, { self.sum(Array($0.marks.values)).map { $0 > 1 } ?? false })
            try check(all, { $0.marks.average() == 1 }, { self.average(Array($0.marks.values)) == 1 })
            try check(all, { $0.marks.min() == $0.marks.max() }, { Set($0.marks.values).count < 2 })
            try check(all, { $0.boss.scores.sum() == 3 }, { self.sum($0.boss?.scores ?? []) == 3 })
            try check(all, { $0.hints.max() == "y" }, { $0.hints?.values.max() == "y" })
        }
    }

    @Test(arguments: SeededGenerator.seeds(4)) func `dictionary values by key are compared as in Swift`(seed: UInt64)
        throws
    {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let all = try customers(&random, session)
            for key in ["a", "ä", "", "none", "' OR 1=1"] {
                try check(all, { $0.marks[key] > 1 }, { $0.marks[key].map { $0 > 1 } ?? false })
                try check(all, { $0.marks[key] == nil }, { $0.marks[key] == nil })
                try check(all, { $0.marks[key] != 2 }, { $0.marks[key] != 2 })
                try check(all, { $0.gaps[key] == 1 }, { $0.gaps[key] == .some(1) })
                try check(all, { $0.gaps[key] == nil }, { ($0.gaps[key] ?? nil) == nil })
                try check(all, { $0.flags[key] }, { $0.flags[key] ?? false })
                try check(all, { $0.boss.marks[key] <= 0 }, { ($0.boss?.marks[key]).map { $0 <= 0 } ?? false })
                try check(all, { $0.roles[key] == all[3] }, { $0.roles[key] == all[3] })
                try check(
                    all, { me in me.friends.any { $0.marks[key] == me.age } },
                    { me in me.friends.contains { $0.marks[key] == me.age } })
            }
            try check(all, { $0.hints[1] == "x" }, { $0.hints?[1] == "x" })
            try check(all, { ($0.marks["a"] ?? 0) + $0.age == 2 }, { ($0.marks["a"] ?? 0) + $0.age == 2 })
        }
    }

    @Test(arguments: SeededGenerator.seeds(3))
    func `aggregates and dictionary values work in orders, selected values and sums`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            var random = SeededGenerator(seed: seed)
            let all = try customers(&random, session)
            let counts = try Customer.query.values { $0.orders.sum(\.count) }
            expect(counts, all.map { self.sum($0.orders.map(\.count)) })
            try expect(Customer.query.values { $0.marks["b"] }, all.map { $0.marks["b"] })
            try expect(Customer.query.values { $0.scores.max() ?? 9 }, all.map { $0.scores.max() ?? 9 })
            let sorted = all.sorted { a, b in
                let (x, y) = (a.orders.map(\.total).reduce(0, +), b.orders.map(\.total).reduce(0, +))
                return (y, a.id ?? 0) < (x, b.id ?? 0)
            }
            try expect(Customer.query.order(.descending) { $0.orders.sum(\.total) ?? 0 }.all(), sorted)
            let busy = all.filter { customer in customer.orders.map(\.count).reduce(0, +) > 0 }
            let found = try Customer.where { $0.orders.sum(\.count) > 0 }.sum { $0.age + $0.orders.count }
            expect(found, self.sum(busy.map { $0.age + $0.orders.count }))
        }
    }

    @Test func `min and max of Decimals compare them as numbers`() throws {
        try withTemporarySession { session, _ throws in
            let customer = Customer()
            customer.orders = ["9.5", "10", "-3", "10.25"].map { text in
                let order = Order()
                order.price = Decimal(string: text) ?? 0
                return order
            }
            try session.save([customer, Customer()])
            let (least, greatest) = (Decimal(-3), Decimal(string: "10.25"))
            #expect(try Customer.where { $0.orders.max(\.price) > 10 }.all() == [customer])
            #expect(try Customer.where { $0.orders.max(\.price) > 11 }.all().isEmpty)
            #expect(try Customer.query.values { $0.orders.min(\.price) } == [least, nil])
            #expect(try Customer.query.values { $0.orders.max(\.price) } == [greatest, nil])
        }
    }

    @Test func `a sum or average of Decimals is refused before any SQL runs`() throws {
        try withTemporarySession { session, _ throws in
            try Customer().save()
            let log = statements(of: session) {
                for query in [
                    Customer.where { $0.orders.sum(\.price) > 1 }, Customer.where { $0.orders.average(\.price) == 1 },
                ] {
                    let error = #expect(throws: QueryError.self) { try query.count() }
                    #expect("\(String(describing: error))".contains("Decimal"))
                }
            }
            #expect(log.isEmpty, "\(log)")
        }
    }

    @Test func `a sum that overflows 64 bits in between throws`() throws {
        try withTemporarySession { session, _ throws in
            let customer = Customer()
            customer.scores = [.max, 1]
            try customer.save()
            #expect(throws: StoreError.self) { try Customer.where { $0.scores.sum() > 1 }.count() }
            #expect(try Customer.where { $0.scores.max() > 1 }.count() == 1)
            withExtendedLifetime(session) {}
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Increments by several sessions: none is lost, even if two sessions arrive at the same number.
struct CounterTests {
    enum Level: Int, Codable { case low, high }

    struct Points: PersistentValue, AdditiveArithmetic {
        var value = 0.0
        init(_ value: Double) { self.value = value }
        init(databaseValue: DatabaseValue) throws {
            guard case .real(let value) = databaseValue else { throw CocoaError(.coderInvalidValue) }
            self.value = value
        }
        var databaseValue: DatabaseValue { .real(value) }
        static var columnType: ColumnType { .real }
        static var zero: Points { Points(0) }
        static func + (a: Points, b: Points) -> Points { Points(a.value + b.value) }
        static func - (a: Points, b: Points) -> Points { Points(a.value - b.value) }
    }

    final class Counter: PersistentObject {
        override class var tableName: String { "counter" }
        var n = 0
        var small: UInt8 = 0
        var real = 0.0
        var single: Float?
        var price = Decimal(0)
        var points = Points(0)
        var isOn = false
        var level = Level.low
        var text = ""
        var day = Date(timeIntervalSinceReferenceDate: 0)
        var tags: [String] = []
        @Lazy var late = 0
    }

    private static let numbers: [@Sendable (Counter) -> Void] = [
        { $0.n += 1 }, { $0.small += 1 }, { $0.real += 1 }, { $0.single = ($0.single ?? 0) + 1 }, { $0.price += 1 },
        { $0.points += Points(1) },
    ]

    private static let others: [@Sendable (Counter) -> Void] = [
        { $0.isOn = true }, { $0.level = .high }, { $0.text = "x" },
        { $0.day = Date(timeIntervalSinceReferenceDate: 9) }, { $0.tags.append("x") },
    ]

    /// Whether a save conflicts if two sessions made the same change.
    private func conflicts(_ change: (Counter) -> Void) throws -> Bool {
        try withTemporaryStore { store, _ in
            try store.withSession { _ in
                let mine = Counter()
                try mine.save()
                try store.withSession { _ throws in
                    let theirs = try #require(try Counter.find(1))
                    change(theirs)
                    try theirs.save()
                }
                change(mine)
                do {
                    try mine.save()
                    return false
                } catch let error as StoreError where error.code == .staleObject {
                    return true
                }
            }
        }
    }

    @Test(arguments: numbers.indices) func `equal changes of numbers are a conflict`(kind: Int) throws {
        #expect(try conflicts(Self.numbers[kind]))
    }

    @Test(arguments: others.indices) func `equal changes of other values are not a conflict`(kind: Int) throws {
        #expect(try !conflicts(Self.others[kind]))
    }

    @Test func `no increment of tasks that retry is lost`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(durability: .relaxed, busyTimeout: .seconds(60)))
        try store.withSession { _ in try Counter().save() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<20 {
                        try await store.perform { session in
                            if (task + round).isMultiple(of: 2) {
                                try session.transaction(retries: 100) { try Counter.find(1)?.n += 1 }
                            } else {
                                let counter = try #require(try Counter.find(1))
                                counter.n += 1
                                while true {
                                    do {
                                        try counter.save()
                                        break
                                    } catch let error as StoreError where error.code == .staleObject {
                                        try counter.reload()
                                        counter.n += 1
                                    }
                                }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try expect(file.sqlite("SELECT n FROM counter"), "80")
    }
}

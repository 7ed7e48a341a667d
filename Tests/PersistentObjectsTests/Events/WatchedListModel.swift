import Foundation
import PersistentObjects

/// The classes for the random tests of watched lists and of conditions in memory.
enum WatchedList {
    class Bird: PersistentObject {
        override class var tableName: String { "listed_bird" }
        override class var softDeletes: Bool { true }
        var name = ""
        var nick: String?
        var size = 0
        var weight: Double?
        var isRare = false
        @Column(format: .day) var seen: Date?
        @Column(scale: 2) var price: Decimal?
        var data: Data?
        var nest: Nest?
        var mate: Bird?
        var deletedAt: Date?
    }

    final class Owl: Bird {
        var hunts: Int?
    }

    final class Nest: PersistentObject {
        override class var tableName: String { "listed_nest" }
        var place = ""
        @OnDelete(.cascade) var guest: Bird?
    }

    /// A class with keys, for which the store chooses the order of equal rows.
    final class Ring: PersistentObject {
        override class var tableName: String { "listed_ring" }
        override class var identity: Identity { .string }
        var label = ""
        var rank: Int?
    }

    static let texts = ["", "a", "A", "ab", "b", "B\u{e9}", "Be\u{301}", "\u{10348}", "z", "10", "9"]
    static let numbers = [0, -1, 1, 2, 3, 1 << 53, Int.max, Int.min]
    static let reals: [Double?] = [nil, -0.0, 0, 0.5, 1, 2, 1e300, -.infinity]
    static let dates: [Date?] = [
        nil, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 864e5),
    ]
    static let prices: [Decimal?] = [nil, 0, 1, Decimal(string: "9.99"), Decimal(string: "10.5")]

    /// Gives a bird random values.
    static func change(_ bird: Bird, _ random: inout some RandomNumberGenerator) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: bird.name = pick(texts, &random)
        case 1: bird.nick = pick(texts + [nil], &random)
        case 2: bird.size = pick(numbers, &random)
        case 3: bird.weight = pick(reals, &random)
        case 4: bird.isRare.toggle()
        case 5: bird.seen = pick(dates, &random)
        case 6: bird.price = pick(prices, &random)
        case 7: bird.data = pick([nil, Data(), Data([0]), Data([0, 255])], &random)
        default: if let owl = bird as? Owl { owl.hunts = pick([nil, 1, 2], &random) } else { bird.size = 2 }
        }
    }

    static func newBird(_ random: inout some RandomNumberGenerator) -> Bird {
        let bird = pick([true, false], &random) ? Bird() : Owl()
        for _ in 0..<8 { change(bird, &random) }
        return bird
    }

    static func pick<T>(_ all: [T], _ random: inout some RandomNumberGenerator) -> T {
        all[Int.random(in: 0..<all.count, using: &random)]
    }
}

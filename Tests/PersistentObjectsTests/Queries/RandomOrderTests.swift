import TestSupport
import Testing

@testable import PersistentObjects

/// Random orders, with and without a seed.
struct RandomOrderTests {
    final class Card: PersistentObject {
        override class var tableName: String { "random_card" }
        var suit = 0
    }

    private func withCards(_ count: Int, _ body: (Session, [Card]) throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            let cards = (0..<count).map { number in
                let card = Card()
                card.suit = number % 4
                return card
            }
            try session.save(cards)
            try body(session, cards)
        }
    }

    @Test func `each random query returns the same objects in another order`() throws {
        try withCards(60) { _, cards throws in
            let orders = try (0..<4).map { _ in try Card.query.order(by: .random).ids() }
            // The probability that two orders of 60 cards are equal is about 1 in 10⁸¹.
            #expect(Set(orders).count == 4)
            for order in orders { #expect(order.sorted() == cards.compactMap(\.id)) }
            let found = try Card.where { $0.suit == 1 }.order(by: .random).limit(5).all()
            #expect(Set(found.map(\.id)).count == 5 && found.allSatisfy { $0.suit == 1 })
            #expect(try Card.query.order(by: .random).first() != nil && Card.query.order(by: .random).last() != nil)
            // Random order after another order.
            let suits = try Card.query.order(by: \.suit).order(by: .random).all()
            #expect(suits.map(\.suit) == cards.map(\.suit).sorted())
        }
    }

    @Test func `the same seed gives the same order, and other seeds give other orders`() throws {
        try withCards(200) { _, cards throws in
            let ids = cards.compactMap(\.id)
            var orders: Set<[Int64]> = []
            for seed in [0, 1, 2, -1, .max, .min] {
                let order = try Card.query.order(by: .random(seed: seed)).ids()
                #expect(order.sorted() == ids && order != ids)
                #expect(try Card.query.order(by: .random(seed: seed)).ids() == order)
                #expect(try Card.query.order(by: .random(seed: seed)).last()?.id == order.last)
                let pages = try (1...4).map { page in
                    try Card.query.order(by: .random(seed: seed)).page(page, of: 50).items.map(\.id)
                }
                #expect(pages.flatMap { $0 } == order)
                orders.insert(order)
                // Adjacent ids are separated, and small ids are not kept at the front.
                let neighbours = zip(order, order.dropFirst()).count { abs($0 - $1) == 1 }
                #expect(neighbours < 15)
                #expect((30...70).contains(order.prefix(100).count { $0 <= ids[99] }))
            }
            #expect(orders.count == 6)
        }
    }

    @Test func `after(_:limit:) throws in a random order`() throws {
        try withCards(3) { _, cards throws in
            for order in [RandomOrder.random, .random(seed: 1)] {
                #expect(throws: QueryError.self) { try Card.query.order(by: order).after(cards[0], limit: 2) }
            }
        }
    }
}

// A class may define its own `==`, `hash` and `description`.
import PersistentObjects

final class Card: PersistentObject {
    var number = 0

    static func == (a: Card, b: Card) -> Bool { a.number == b.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
    var description: String { "card \(number)" }
}

final class Ordered: PersistentObject, Comparable {
    var rank = 0
    static func < (a: Ordered, b: Ordered) -> Bool { a.rank < b.rank }
}

// Without `nonisolated`, a module whose default isolation is the main actor would isolate `name` in each conforming
// class.
nonisolated protocol Named { var name: String { get } }

final class Company: PersistentObject, Named, CustomStringConvertible {
    var name = ""
    var description: String { name }
}

func compare() throws -> Bool {
    print(Card().description, try Ordered.all().sorted(), try Ordered.all().max() as Any)
    let named: [any Named] = try Company.all()
    let company = named.first as? Company
    print(named, company as Any)
    return Card() == Card() && Card() != Card()
}

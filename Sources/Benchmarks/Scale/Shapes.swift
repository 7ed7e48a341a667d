import PersistentObjects

/// An enumeration whose cases have values.
enum Figure: Codable, Equatable {
    case circle(Double)
    case text(String)
    case none
}

final class Drawing: PersistentObject {
    var title = ""
    var figure = Figure.none
}

/// A structure that is stored in a column.
struct Address: Codable, Equatable {
    var street = ""
    var city = ""
    var number = 0
}

final class House: PersistentObject {
    var name = ""
    var address = Address()
}

final class Bag: PersistentObject {
    var name = ""
    var items: [Item] = []
}

final class Item: PersistentObject {
    var title = ""
}

final class Account: PersistentObject {
    var name = ""
    @Inverse(\Entry.account) var entries: [Entry]
}

final class Entry: PersistentObject {
    var amount = 0
    var account: Account?
}

final class PriceList: PersistentObject {
    var prices: [String: Int] = [:]
    var numbers: [Int] = []
}

/// A chain of objects, each of which refers to the next.
final class Ring: PersistentObject {
    var number = 0
    var next: Ring?
}

/// A generic class, which is a separate class for each pair of types.
final class Shelf<A, B>: PersistentObject {
    var title = ""
    @Indexed var place = 0
    var weight: Double?

    override class var tableName: String { "shelf_\(A.self)_\(B.self)".lowercased() }
}

enum ShapeData {
    static let prices = 1_000

    static func save(rows: Int, in session: Session) throws {
        try session.save(
            (0..<rows).map { number in
                let drawing = Drawing()
                drawing.title = "Drawing \(number)"
                drawing.figure =
                    number.isMultiple(of: 2) ? .circle(Double(number)) : .text("A text of some length \(number)")
                return drawing
            })
        try session.save(
            (0..<max(1, rows / 10)).map { number in
                let house = House()
                house.name = "House \(number)"
                house.address = Address(street: "Long Street \(number)", city: "Vienna", number: number)
                return house
            })
        let bag = Bag()
        bag.name = "Bag"
        bag.items = (0..<max(1, rows / 5)).map { number in
            let item = Item()
            item.title = "Item \(number)"
            return item
        }
        try session.save(bag)
        let account = Account()
        try session.save(
            (0..<max(1, rows / 25)).map { _ in
                let entry = Entry()
                entry.account = account
                return entry
            })
        try session.save(
            (0..<20).map { number in
                let list = PriceList()
                list.prices = Dictionary(uniqueKeysWithValues: (0..<prices).map { ("Article \($0)", $0 + number) })
                list.numbers = Array(0..<prices)
                return list
            })
        var head = Ring()
        for number in 0..<max(1, rows / 10) {
            let ring = Ring()
            (ring.number, ring.next) = (number, head)
            head = ring
        }
        try session.save(head)
    }
}

func shapeWorks() -> [Comparison] {
    [
        Comparison(
            "dictionary of 1,000, one changed, beside an array", .shapes, .ratio(2), on: .shapes,
            operations: { _ in 20 },
            ours: { try changeOne($0) { $0.prices["Article 500"] = -1 } },
            floor: { try changeOne($0) { $0.numbers[500] = -1 } }),
        Comparison(
            "load objects with a structure of three", .shapes, .nanosecondsEach(1_500), on: .shapes,
            operations: { $0 / 10 },
            ours: { trial in
                try trial.inSession(using: House.self, House.self) { _ in
                    try Measurement.timing { try House.all().reduce(0) { $0 &+ $1.address.number } }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let statement = try database.prepare(
                        "SELECT id, name, address ->> 'street', address ->> 'city', address ->> 'number' FROM house")
                    return try Measurement.timing {
                        try statement.rows { row in
                            (
                                FloorNamed(row),
                                Address(street: row.text(2), city: row.text(3), number: Int(row.integer(4)))
                            )
                        }.reduce(0) { $0 &+ $1.1.number }
                    }
                }
            }),
        Comparison(
            "prepare 200 classes whose tables are there", .shapes, .nanosecondsEach(75_000), on: .nothing,
            operations: { _ in manyClasses.count },
            ours: { trial in
                _ = try prepareMany(trial)
                return try Measurement.timing { try prepareMany(trial) }
            },
            floor: { trial in
                _ = try prepareMany(trial)
                return try trial.onDatabase { database in
                    let names = try database.prepare("SELECT name, sql FROM sqlite_schema").rows { $0.text(0) }
                    return try Measurement.timing {
                        for name in names {
                            _ = try database.text("SELECT count(*) FROM pragma_table_xinfo('\(name)')")
                        }
                        return manyClasses.count
                    }
                }
            }),
        Comparison(
            "head of a chain of n/10", .shapes, .ratio(4), on: .shapes, operations: { $0 / 10 },
            ours: { trial in
                try trial.inSession(using: Ring.self, Ring.self) { _ in
                    let last = try Ring.query.max(\.number)
                    return try Measurement.timing {
                        var sum = 0
                        var ring = try Ring.where { $0.number == last ?? 0 }.first()
                        let head = ring
                        while let each = ring { (sum, ring) = (sum &+ each.number, each.next) }
                        return withExtendedLifetime(head) { sum }
                    }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let chain = try database.prepare(
                        """
                        WITH RECURSIVE chain (id, number, next_id) AS (
                            SELECT id, number, next_id FROM ring WHERE number = (SELECT max(number) FROM ring)
                            UNION ALL SELECT ring.id, ring.number, ring.next_id FROM chain JOIN ring ON ring.id = chain.next_id)
                        SELECT id, number, next_id FROM chain
                        """)
                    return try Measurement.timing {
                        try chain.rows { Int($0.integer(1)) }.reduce(0, &+)
                    }
                }
            }),
    ]
}

private func changeOne(_ trial: Trial, _ change: (PriceList) -> Void) throws -> Measurement {
    try trial.inSession(using: PriceList.self, PriceList.self) { session in
        let lists = try PriceList.all()
        return try Measurement.timing {
            try session.transaction(keepingEdits: false) {
                for list in lists {
                    change(list)
                    try list.save()
                }
            }
            return lists.count
        }
    }
}

/// 14 × 15 classes.
let manyClasses: [PersistentObject.Type] = {
    func row<A>(_: A.Type) -> [PersistentObject.Type] {
        [
            Shelf<A, Int>.self, Shelf<A, Int8>.self, Shelf<A, Int16>.self, Shelf<A, Int32>.self, Shelf<A, Int64>.self,
            Shelf<A, UInt>.self, Shelf<A, UInt8>.self, Shelf<A, UInt16>.self, Shelf<A, UInt32>.self,
            Shelf<A, Bool>.self, Shelf<A, Float>.self, Shelf<A, Double>.self, Shelf<A, String>.self,
            Shelf<A, Character>.self, Shelf<A, Void>.self,
        ]
    }
    return row(Int.self) + row(Int8.self) + row(Int16.self) + row(Int32.self) + row(Int64.self) + row(UInt.self)
        + row(UInt8.self) + row(UInt16.self) + row(UInt32.self) + row(Bool.self) + row(Float.self)
        + row(Double.self) + row(String.self) + row(Character.self)
}()

private func prepareMany(_ trial: Trial) throws -> Int {
    let store = try Store(trial.path)
    defer { store.close() }
    try store.prepare(manyClasses)
    return manyClasses.count
}

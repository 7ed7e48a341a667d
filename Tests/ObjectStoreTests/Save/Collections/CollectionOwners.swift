import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Owners of each kind of collection, their tables, and helpers that write their rows as a save does.
enum CollectionOwners {
    final class Target: PersistentObject {
        override class var tableName: String { "target" }
        var name = ""
    }

    final class SharedText: Codable {
        var text: String
        init(_ text: String) { self.text = text }
    }

    final class Owner: PersistentObject {
        override class var tableName: String { "owner" }
        var name = ""
        var tags: [String] = []
        var numbers: Set<Double> = []
        var prices: [String: Int?] = [:]
        var maybe: [Int]?
        var nested: [[Int]] = []
        var shared: [SharedText] = []
        var friends: [Target] = []
        var group: Set<Target> = []
        var roles: [Int: Target] = [:]
        @Lazy var later: [String] = []
    }

    static let properties = [
        "tags", "numbers", "prices", "maybe", "nested", "shared", "friends", "group", "roles", "later",
    ]

    static func place(_ name: String, _ space: ClassSpace) throws -> Int {
        try #require(space.map.ordinal(of: name))
    }

    /// Creates the tables as the schema does.
    static func makeTables(_ session: Session) throws -> ClassSpace {
        _ = try session.space(of: Target.self)
        let space = try session.space(of: Owner.self)
        for name in properties {
            let property = space.map.properties[try place(name, space)]
            let table = try #require(ChildTable(property, of: space.map))
            let dialect = session.connection.dialect
            let order: SQL
            switch table.style {
            case .array: order = ", position INTEGER NOT NULL"
            case .set: order = ""
            case .dictionary: order = ", key \(dialect.declaredType(try #require(table.keyType))) NOT NULL"
            }
            try session.connection.execute(
                """
                CREATE TABLE IF NOT EXISTS \(name: table.name) (owner_id INTEGER NOT NULL\(order), \
                \(name: table.valueColumn) \(dialect.declaredType(table.valueType)) \
                \(table.valueAcceptsNull ? "" : "NOT NULL"), \
                PRIMARY KEY (owner_id, \(name: table.orderColumn))) STRICT, WITHOUT ROWID
                """)
        }
        return space
    }

    static func withOwners(_ body: (Session, ClassSpace, TemporaryStore) throws -> Void) throws {
        try withTemporarySession { session, file in
            let space = try makeTables(session)
            try body(session, space, file)
        }
    }

    /// Saves new owners and their collections.
    static func insert(_ owners: [Owner], _ session: Session, _ space: ClassSpace) throws {
        try session.save(owners)
    }

    /// Writes one collection of an owner, and returns the statements without those of the transaction.
    @discardableResult
    static func update(_ owner: Owner, _ name: String, _ session: Session, _ space: ClassSpace) throws
        -> [String]
    {
        let place = try place(name, space)
        let log = try statements(of: session) {
            try session.write { try Save(session).updateCollection(space, place, of: owner) }
        }
        var changed = ColumnSet()
        changed.insert(place)
        let block = try #require(owner.baseline)
        space.map.baseline.recapture(changed, of: ObjectMemory.start(of: owner), in: block)
        return log.filter { !["BEGIN IMMEDIATE", "COMMIT"].contains($0) }
    }

    static func writes(_ log: [String]) -> [String] {
        log.filter { !$0.hasPrefix("SELECT") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    static func targets(_ count: Int) throws -> [Target] {
        try (0..<count).map { number in
            let target = Target()
            target.name = "t\(number)"
            try target.save()
            return target
        }
    }
}

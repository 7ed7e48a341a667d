// A library of classes for other modules: public and open classes, with public extensions.
public import PersistentObjects

open class Account: PersistentObject {
    public var name = ""
    @Indexed public var number = 0
    @Transient public internal(set) var note = ""
    public private(set) var balance = 0
    open override class var tableName: String { "accounts" }
    open override class var indexes: [Index] { [Index(\Account.name)] }

    public func pay(_ amount: Int) throws {
        balance += amount
        try save()
    }
}

public final class Savings: Account {
    public var interest = 0.0
    public override class var indexes: [Index] { super.indexes + [Index("interest")] }
}

extension Account {
    public static func worth(_ balance: Int) throws -> [Account] { try findBy.balance(balance) }
    public var isEmpty: Bool { balance == 0 }
}

public func accounts(named name: String) throws -> [Account] { try Account.findByName(name) }
public func savings(_ id: PersistentID<Savings>) throws -> Savings? { try Savings.find(id) }

public struct Bank: Sendable {
    public let store: Store
    public init(_ path: String) throws { store = try Store(path) }
    public func names() async throws -> [String] { try await store.perform { _ in try Account.all().map(\.name) } }
}

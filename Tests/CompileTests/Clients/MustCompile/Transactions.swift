// Transactions, conflicts and hooks, as listed in the public API.
import PersistentObjects

final class Account: PersistentObject {
    var owner = ""
    var balance = 0
    var version = 0
    override class var versionProperty: AnyKeyPath? { \Account.version }
    override func didInsert() {}
    override func didUpdate() { print(previousChanges.map(\.name)) }
    override func didDelete() {}
    override func didSave() {}
}

struct Veto: Error {}

func transactions(_ store: Store) throws {
    let account = Account()
    try Store.transaction { try account.save() }
    let count: Int = try Store.transaction {
        account.balance += 1
        try account.save()
        return try Account.count()
    }
    try store.withSession { session in
        let found: Account? = try session.transaction(retries: 3) {
            try session.transaction { session.rollBack() }
            return try Account.first()
        }
        print(found?.balance ?? count, session.isInTransaction)
        try session.transaction {
            try account.delete()
            throw Veto()
        }
        session.conflictPolicy = .fail
        session.loadsStrictly = true
        session.conflictPolicy = .resolve { conflict in conflict.property == "owner" ? .theirs : .value(3) }
        try account.save(.onConflict(.mine))
        try session.saveChanges([.withoutHooks, .onConflict(.theirs)])
    }
    do { try account.save() } catch let error as StoreError where error.code == .staleObject {
        for conflict in error.conflicts { print(conflict.property, conflict.base as Any, conflict.theirs as Any) }
    }
}

func inBackground(_ store: Store) async throws -> Int {
    try await store.perform { session in
        try session.transaction {
            try Account().save()
            return try Account.count()
        }
    }
}

@MainActor func onMain() throws -> [Account] {
    try Store.transaction {
        let all = try Account.all()
        for account in all { account.balance += 1 }
        return all
    }
}

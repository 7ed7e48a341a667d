internal import PersistentObjects
internal import PersistentSync
internal import Sealing
internal import StoreEngine

/// A user of the service, with the space that it may use.
final class ServiceAccount: PersistentObject {
    @Unique var name = ""
    /// A hash of the token, which is stored nowhere.
    @Unique var tokenHash: [UInt8] = []
    /// How many bytes it may store, and stores.
    var space = 0
    var used = 0
}

/// The accounts and entries of a service, in a store's file. Each call is one transaction.
struct EntryStore: Sendable {
    /// An account of a request.
    struct Account: Sendable {
        let id: Int64
    }

    private let store: Store

    /// Opens or creates a file. A commit is durable when a call returns.
    init(_ path: String) throws {
        store = try Store(path)
        try store.prepare(ServiceAccount.self)
        try StoredEntries.prepare(store)
    }

    func close() { store.close() }

    // MARK: Accounts

    /// Adds an account; returns its token.
    func addAccount(_ name: String, space: Int) throws -> String {
        let token = Sealing.random(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try store.withSession { _ in
            let account = ServiceAccount()
            (account.name, account.tokenHash, account.space) = (name, Self.hash(token), space)
            try account.save()
        }
        return token
    }

    /// Removes an account, whose token is then refused; false if there is none. Its entries stay.
    func removeAccount(_ name: String) throws -> Bool {
        try store.withSession { session in
            try session.transaction {
                guard let account = try ServiceAccount.where({ $0.name == name }).first() else { return false }
                let id = account.id
                try TransportEntry.where { $0.owner == id }.update { $0.owner = nil }
                try account.delete()
                return true
            }
        }
    }

    /// The accounts: name, used and granted bytes.
    func accounts() throws -> [(name: String, used: Int, space: Int)] {
        try store.withSession { _ in try ServiceAccount.all().map { ($0.name, $0.used, $0.space) } }
    }

    /// The account of a token; nil if there is none.
    func account(token: String) throws -> Account? {
        try store.withSession { session in
            let rows = try session.rows("SELECT id FROM service_account WHERE token_hash = ?", Self.hash(token))
            return try rows.first.map { Account(id: try $0.value("id")) }
        }
    }

    /// Tokens are random, so a plain hash protects them.
    private static func hash(_ token: String) -> [UInt8] {
        Sealing.hash(Array(token.utf8), key: Array("sync-service".utf8))
    }

    // MARK: Entries

    /// Adds an entry, unless there is one of that path. It is refused if the account has no space left.
    func add(
        _ path: String, of group: String, _ bytes: [UInt8], by account: Account, key: [UInt8]
    ) throws -> StoredEntries.Addition {
        try store.withSession { session in
            let writer = StoredEntries.Writer(account: account.id, key: key)
            return try StoredEntries.add(path, of: group, bytes, by: writer, in: session) {
                try session.execute(
                    "UPDATE service_account SET used = used + ? WHERE id = ? AND used + ? <= space", bytes.count,
                    account.id, bytes.count) == 1
            }
        }
    }

    /// The entries of a group after a number, in the order of arrival.
    func list(_ group: String, after number: Int, limit: Int) throws -> [StoredEntries.Item] {
        try store.withSession { _ in try StoredEntries.list(group, after: number, limit: limit) }
    }

    /// The number of the latest entry of a group.
    func latest(_ group: String) throws -> Int { try store.withSession { _ in try StoredEntries.latest(group) } }

    /// The bytes of an entry; nil if there is no such entry.
    func read(_ path: String) throws -> [UInt8]? {
        try store.withSession { _ in try StoredEntries.bytes(of: path) }
    }

    /// Removes an entry, if there is one; false if another account has added it, with the key of another device.
    func remove(_ path: String, by account: Account, key: [UInt8]) throws -> Bool {
        try store.withSession { session in
            try session.transaction {
                guard let (size, writer) = try StoredEntries.space(of: path) else { return true }
                guard writer.account == account.id || writer.key == key else { return false }
                try session.execute("UPDATE service_account SET used = used - ? WHERE id = ?", size, writer.account)
                try StoredEntries.remove(path, in: session)
                return true
            }
        }
    }
}

internal import PersistentObjects
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

/// An entry with its bytes. Ids are given in the order of arrival and are never reused, so they are cursors.
final class ServiceEntry: PersistentObject {
    @Unique var path = ""
    @Indexed var groupName = ""
    var size = 0
    /// The account whose space it uses; nil if the account was removed.
    var account: ServiceAccount?
    var bytes: [UInt8] = []
}

/// The accounts and entries of a service, in a store's file. Each call is one transaction.
struct EntryStore: Sendable {
    /// An account of a request.
    struct Account: Sendable {
        let id: Int64
    }

    struct Item: Sendable {
        let number: Int64
        let path: String
        let size: Int
    }

    enum Addition: Sendable {
        case added, present, differs, full
    }

    private let store: Store

    /// Opens or creates a file. A commit is durable when a call returns.
    init(_ path: String) throws {
        store = try Store(path)
        try store.prepare(ServiceAccount.self, ServiceEntry.self)
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
                try session.execute("UPDATE service_entry SET account_id = NULL WHERE account_id = ?", account.id)
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

    /// Adds an entry, unless there is one of that path.
    func add(_ path: String, of group: String, _ bytes: [UInt8], by account: Account) throws -> Addition {
        try store.withSession { session in
            try session.transaction {
                let found = try session.rows("SELECT bytes = ? AS same FROM service_entry WHERE path = ?", bytes, path)
                if let row = found.first { return try row.value("same", as: Int.self) == 1 ? .present : .differs }
                let changed = try session.execute(
                    "UPDATE service_account SET used = used + ? WHERE id = ? AND used + ? <= space", bytes.count,
                    account.id, bytes.count)
                guard changed == 1 else { return .full }
                try session.execute(
                    "INSERT INTO service_entry (path, group_name, size, account_id, bytes) VALUES (?, ?, ?, ?, ?)",
                    path, group, bytes.count, account.id, bytes)
                return .added
            }
        }
    }

    /// The entries of a group after a number, in the order of arrival.
    func list(_ group: String, after number: Int64, limit: Int) throws -> [Item] {
        let sql = "SELECT id, path, size FROM service_entry WHERE group_name = ? AND id > ? ORDER BY id LIMIT ?"
        return try store.withSession { session in
            try session.rows(sql, group, number, limit).map { row in
                Item(number: try row.value("id"), path: try row.value("path"), size: try row.value("size"))
            }
        }
    }

    /// The number of the latest entry of a group.
    func latest(_ group: String) throws -> Int64 {
        try store.withSession { session in
            let rows = try session.rows("SELECT max(id) AS latest FROM service_entry WHERE group_name = ?", group)
            return try rows.first?.value("latest", as: Int64?.self) ?? 0
        }
    }

    /// The bytes of an entry from an offset, and its size; nil if there is no such entry.
    func read(_ path: String, from offset: Int) throws -> (bytes: [UInt8], size: Int)? {
        try store.withSession { session in
            let sql = "SELECT substr(bytes, ?) AS part, size FROM service_entry WHERE path = ?"
            let rows = try session.rows(sql, offset + 1, path)
            guard let row = rows.first, case .blob(let bytes)? = row["part"] else { return nil }
            return (bytes, try row.value("size"))
        }
    }

    /// Removes an entry, if there is one.
    func remove(_ path: String) throws {
        try store.withSession { session in
            try session.transaction {
                let rows = try session.rows("SELECT size, account_id FROM service_entry WHERE path = ?", path)
                guard let row = rows.first else { return }
                try session.execute(
                    "UPDATE service_account SET used = used - ? WHERE id = ?", try row.value("size", as: Int.self),
                    try row.value("account_id", as: Int64?.self))
                try session.execute("DELETE FROM service_entry WHERE path = ?", path)
            }
        }
    }
}

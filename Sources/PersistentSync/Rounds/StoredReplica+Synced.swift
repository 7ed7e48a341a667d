internal import PersistentObjects
internal import StoreEngine

// The replica of a store is what rounds use.
extension StoredReplica: SyncedStore {
    private enum Name {
        static let token = "token"
        static let number = "token number"
    }

    package var token: RoundToken? {
        get throws {
            try withSession { session in
                let tables = StateTables(session.connection)
                guard let token = try tables.value(Name.token)?.integer,
                    let number = try tables.value(Name.number)?.integer
                else { return nil }
                return RoundToken(token, at: number)
            }
        }
    }

    package func setToken(_ token: RoundToken) throws {
        try withSession { session in
            try session.applyRemote(author: nil) { changes in
                let tables = StateTables(changes.connection)
                try tables.set(Name.token, to: .integer(token.value))
                try tables.set(Name.number, to: .integer(token.number))
            }
        }
    }
}

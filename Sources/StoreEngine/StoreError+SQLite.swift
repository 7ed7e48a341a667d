internal import CSQLite

extension StoreError {
    /// The error for a result code of SQLite.
    package static func engine(_ code: Int32, message: String, sql: String? = nil) -> StoreError {
        let (kind, advice) = kindAndAdvice(code)
        let text = advice.isEmpty ? message : "\(message); \(advice)"
        return StoreError(kind, text, sql: sql, resultCode: code)
    }

    private static func kindAndAdvice(_ code: Int32) -> (Code, String) {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "another process or session holds the store")
        case SQLITE_READONLY: (.readOnly, "the file or its folder cannot be written")
        case SQLITE_IOERR: (.inputOutput, "")
        case SQLITE_CORRUPT: (.corrupt, "the file may be damaged; check it, or use a backup")
        case SQLITE_NOTADB: (.notADatabase, "")
        case SQLITE_FULL: (.diskFull, "nothing was written; make room and save again")
        case SQLITE_CANTOPEN: (.cannotOpen, "")
        case SQLITE_NOMEM: (.outOfMemory, "")
        case SQLITE_TOOBIG: (.tooBig, "")
        case SQLITE_CONSTRAINT: (isUniqueness(code) ? .notUnique : .constraint, "")
        default: (.sqlite, "")
        }
    }

    private static func isUniqueness(_ code: Int32) -> Bool {
        // SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY: macros that the importer does not take over.
        code == SQLITE_CONSTRAINT | (8 << 8) || code == SQLITE_CONSTRAINT | (6 << 8)
    }

    /// The error for a value that a column and a property do not agree on.
    package static func value(_ fault: ValueFault) -> StoreError {
        switch fault {
        case .typeMismatch, .outOfRange, .invalidText, .rejected: StoreError(.typeMismatch, fault.description)
        case .notStorable: StoreError(.notRepresentable, fault.description)
        case .engine(let code): .engine(code, message: "the value cannot be bound")
        }
    }

    /// This error with what the caller knows of its place; what is known already stays.
    package func at(
        className: String? = nil, property: String? = nil, rowID: Int64? = nil, sql: String? = nil
    ) -> StoreError {
        var error = self
        error.className = error.className ?? className
        error.property = error.property ?? property
        error.rowID = error.rowID ?? rowID
        error.sql = error.sql ?? sql
        return error
    }
}

internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension StoreError {
    /// The error of an insert if a row of the table has or had the largest id.
    package static let idsUsedUp = StoreError(
        .constraint,
        "There are no ids left, because a row has or had the largest one, Int64.max. Nothing was changed. Export "
            + "the rows, change that id in the exported file, and import them into a new store")

    /// The error for a result code of SQLite; `systemError` is the underlying `errno`, if it is known.
    package static func engine(
        _ code: Int32, message: String, sql: String? = nil, systemError: Int32 = 0
    ) -> StoreError {
        let (kind, advice) = adviceByMessage(code, message) ?? kindAndAdvice(code, systemError)
        let text = advice.isEmpty ? message : "\(message). \(advice)"
        var error = StoreError(kind, text, sql: sql, resultCode: code)
        error.constraint = ConstraintFailure(code, message)
        error.isIntegerOverflow = code == SQLITE_ERROR && message == "integer overflow"
        return error
    }

    /// `errno`, which distinguishes a full disk from other write failures.
    static var lastSystemError: Int32 { errno }

    /// Details that SQLite's code alone does not provide.
    private static func adviceByMessage(_ code: Int32, _ message: String) -> (Code, String)? {
        if code == SQLITE_ERROR, message.hasSuffix(RegularExpression.refusal) { return (.misuse, "") }
        guard code & 0xff == SQLITE_CORRUPT, message.contains("unsafe use of") else { return nil }
        return (
            .foreignFile,
            "The file is not damaged: a generated column, index or check of another program calls this function, "
                + "which a file may not do here. Remove it from the table with the program that created it"
        )
    }

    private static func kindAndAdvice(_ code: Int32, _ systemError: Int32) -> (Code, String) {
        let full = (Code.diskFull, "Nothing was written. Free some disk space and save again")
        return switch code & 0xff {
        // PROTOCOL means that other processes held the log's locks at each attempt, for many seconds.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: (.busy, "Another process or session holds the store")
        case SQLITE_READONLY where code == ExtendedCode.readOnlyMoved:
            (.fileMoved, "The store's file was moved or deleted while the store was open")
        case SQLITE_READONLY: (.readOnly, "The file or its folder cannot be written")
        case SQLITE_IOERR where code == ExtendedCode.inputOutputMemory: (.outOfMemory, "")
        case SQLITE_IOERR where code == ExtendedCode.inputOutputWrite && [EFBIG, EDQUOT].contains(systemError): full
        // The index of the log cannot grow. On a full disk, this is the first failure, when the file is opened.
        case SQLITE_IOERR where code == ExtendedCode.inputOutputLogIndexSize:
            (
                .diskFull,
                "There is no disk space for the file's log. Nothing was written. Free some disk space and try "
                    + "again"
            )
        case SQLITE_IOERR where code == ExtendedCode.inputOutputData:
            (.damaged, "Encrypted bytes of the file were changed. Use a backup")
        case SQLITE_IOERR where code == ExtendedCode.wrongKey:
            (.wrongKey, "The keyring lacks a key that encrypts a page of the file, or has another key with its number")
        case SQLITE_IOERR: (.inputOutput, "")
        case SQLITE_CORRUPT: (.corrupt, "The file may be damaged. Check it, or use a backup")
        case SQLITE_NOTADB: (.notADatabase, "")
        case SQLITE_FULL: full
        case SQLITE_CANTOPEN: (.cannotOpen, "")
        case SQLITE_NOMEM: (.outOfMemory, "")
        case SQLITE_TOOBIG: (.tooBig, "")
        case SQLITE_INTERRUPT: (.cancelled, "")
        case SQLITE_CONSTRAINT: (ExtendedCode.uniqueness.contains(code) ? .notUnique : .constraint, "")
        default: (.sqlite, "")
        }
    }
}

/// Result codes that SQLite's header defines with macros, which are not imported.
enum ExtendedCode {
    static let readOnlyMoved = SQLITE_READONLY | (4 << 8)
    static let inputOutputShortRead = SQLITE_IOERR | (2 << 8)
    static let inputOutputWrite = SQLITE_IOERR | (3 << 8)
    static let inputOutputMemory = SQLITE_IOERR | (12 << 8)
    /// SQLITE_IOERR_SHMSIZE.
    static let inputOutputLogIndexSize = SQLITE_IOERR | (19 << 8)
    /// SQLITE_IOERR_DATA: encrypted bytes were changed.
    static let inputOutputData = SQLITE_IOERR | (32 << 8)
    /// Not a code of SQLite: see CSealedFile.h.
    static let wrongKey = SQLITE_IOERR | (0x70 << 8)
    /// UNIQUE, PRIMARYKEY and ROWID.
    static let uniqueness = [8, 6, 10].map { SQLITE_CONSTRAINT | ($0 << 8) }
    static let constraintCheck = SQLITE_CONSTRAINT | (1 << 8)
    static let constraintForeignKey = SQLITE_CONSTRAINT | (3 << 8)
    static let constraintNotNull = SQLITE_CONSTRAINT | (5 << 8)
    static let constraintTrigger = SQLITE_CONSTRAINT | (7 << 8)
}

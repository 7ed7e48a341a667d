/// An error of a store, with its class, property, row and statement as far as they are known.
///
/// ```swift
/// do {
///     try joe.save()
/// } catch let error as StoreError where error.code == .diskFull {
///     print(error)    // one line: what, where, what to do
/// }
/// ```
///
/// An error's description contains no values, so it is safe to log.
public struct StoreError: Error, Sendable {
    /// The kind of failure.
    public var code: Code
    /// The problem, what happened to the data, and what to do, in at most three sentences.
    public var message: String
    /// The class concerned, if there is one.
    public var className: String?
    /// The property concerned, if there is one.
    public var property: String?
    /// The id of the row concerned, if there is one.
    public var rowID: Int64?
    /// The statement that failed, if there is one; its values are bound and not included.
    public var sql: String?
    /// SQLite's extended result code, if SQLite failed.
    public var resultCode: Int32?
    /// The conflicting changes of other sessions, with `staleObject`.
    ///
    /// Their values are not part of the description.
    public var conflicts: [Conflict] = []
    /// All problems of the objects of a save; see ``StoreError/Problem``.
    public var problems: [Problem] = []

    /// The violated constraint, if a constraint failed.
    package var constraint: ConstraintFailure?
    /// Whether an integer calculation exceeded 64 bits.
    package var isIntegerOverflow = false
    /// A server's own error code, if a server failed.
    package var serverState: String?
    /// How to repeat the transaction that the error has ended; see `Pace.together` and
    /// `Capabilities.concurrentWriters`.
    package var repetition: Repetition?

    /// How a transaction is repeated.
    package enum Repetition: Sendable {
        /// Unchanged: it conflicted with a concurrent transaction, and has ended completely.
        case again
        /// After reading again, because other sessions have written the rows concerned.
        case afterReading
        /// Each statement alone, so that the failing statement reports the reason, or each row alone.
        case oneByOne
    }

    /// Creates an error; the other properties can be set later by callers that know them.
    public init(
        _ code: Code, _ message: String, className: String? = nil, property: String? = nil, rowID: Int64? = nil,
        sql: String? = nil, resultCode: Int32? = nil
    ) {
        self.code = code
        self.message = message
        self.className = className
        self.property = property
        self.rowID = rowID
        self.sql = sql
        self.resultCode = resultCode
    }
}

extension StoreError {
    /// A kind of failure; new versions may add kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        private init(_ name: String) { description = name }

        /// The file or folder does not exist, or cannot be opened.
        public static let cannotOpen = Code("cannotOpen")
        /// The file is not an SQLite database.
        public static let notADatabase = Code("notADatabase")
        /// The file is truncated or damaged.
        public static let corrupt = Code("corrupt")
        /// Encrypted bytes of the file or of a keyring were changed.
        public static let damaged = Code("damaged")
        /// A value is encrypted with a key that the keyring lacks.
        public static let locked = Code("locked")
        /// The keyring lacks a key of the file, or only one of file and configuration is encrypted.
        public static let wrongKey = Code("wrongKey")
        /// The file belongs to another program, or to a newer version of this one.
        public static let foreignFile = Code("foreignFile")
        /// The file, folder or file system cannot be written, or a class or property is read-only.
        public static let readOnly = Code("readOnly")
        /// The role of a server's connection lacks a privilege, or a row-level security policy rejects a row.
        public static let notPermitted = Code("notPermitted")
        /// The file was moved or deleted while the store was open.
        public static let fileMoved = Code("fileMoved")
        /// The disk, or a quota, is full.
        public static let diskFull = Code("diskFull")
        /// Reading or writing the file failed.
        public static let inputOutput = Code("inputOutput")
        /// Another process or session held the store for longer than the busy timeout.
        public static let busy = Code("busy")
        /// A statement ran for longer than the query timeout, and was interrupted.
        public static let timedOut = Code("timedOut")
        /// The task was cancelled; thrown as `CancellationError`.
        package static let cancelled = Code("cancelled")
        /// Memory ran out.
        public static let outOfMemory = Code("outOfMemory")
        /// A value is too large for SQLite.
        public static let tooBig = Code("tooBig")
        /// A value that must be unique already exists.
        public static let notUnique = Code("notUnique")
        /// Objects do not satisfy their classes' `validate`; see `problems`.
        public static let invalid = Code("invalid")
        /// The change violates another constraint of the table.
        public static let constraint = Code("constraint")
        /// A column has a value that the property's type cannot represent.
        public static let typeMismatch = Code("typeMismatch")
        /// A value cannot be stored.
        public static let notRepresentable = Code("notRepresentable")
        /// The object's row no longer exists.
        public static let rowGone = Code("rowGone")
        /// A property that is not loaded was accessed, in a session that loads strictly.
        public static let notLoaded = Code("notLoaded")
        /// Other sessions changed values that a save would overwrite; see `conflicts`.
        public static let staleObject = Code("staleObject")
        /// Exactly one row was expected, but none was found.
        public static let notFound = Code("notFound")
        /// Exactly one row was expected, but several were found.
        public static let severalFound = Code("severalFound")
        /// A row refers to a row that does not exist, or to a row of another class.
        public static let brokenReference = Code("brokenReference")
        /// The class of a row does not exist in the program.
        public static let unknownClass = Code("unknownClass")
        /// A deletion is refused by a property's delete rule.
        public static let deletionDenied = Code("deletionDenied")
        /// The object was deleted.
        public static let objectIsDeleted = Code("objectIsDeleted")
        /// The object belongs to another session.
        public static let otherSession = Code("otherSession")
        /// The class has no such property, or the property cannot take the value.
        public static let noSuchProperty = Code("noSuchProperty")
        /// The session's `withSession` has ended, or the store is closed.
        public static let sessionEnded = Code("sessionEnded")
        /// One session was used from two threads at once.
        public static let overlappingUse = Code("overlappingUse")
        /// The call is not allowed at this moment.
        public static let misuse = Code("misuse")
        /// The store's engine does not support the request.
        public static let unsupported = Code("unsupported")
        /// A statement is not valid SQL, or is more than one statement.
        public static let invalidSQL = Code("invalidSQL")
        /// The connection to the server was lost; nothing in progress was kept.
        public static let connectionLost = Code("connectionLost")
        /// The connection to the server was lost during a commit, and its outcome is unknown.
        public static let commitUnknown = Code("commitUnknown")
        /// SQLite failed in another way; see `resultCode`.
        public static let sqlite = Code("sqlite")
    }
}

extension StoreError {
    /// A property that was changed on both sides after it was read.
    public struct Conflict: Sendable {
        /// The property's name.
        public let property: String
        /// The original value that both sides changed; nil for NULL.
        public let base: (any Sendable)?
        /// The value that the save would write.
        public let mine: (any Sendable)?
        /// The value in the database.
        public let theirs: (any Sendable)?

        /// Creates a conflict from its values.
        public init(
            property: String, base: (any Sendable)?, mine: (any Sendable)?, theirs: (any Sendable)?
        ) {
            self.property = property
            self.base = base
            self.mine = mine
            self.theirs = theirs
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// One line with the class, property and row, the problem, and SQLite's code.
    public var description: String {
        var place = className ?? ""
        let isTaken = code == .notUnique && problems.count == 1
        let names = property ?? (isTaken ? problems[0].properties.joined(separator: ", ") : nil)
        if let names { place += place.isEmpty ? names : ".\(names)" }
        if let rowID { place += place.isEmpty ? "row \(rowID)" : " #\(rowID)" }
        var line = place.isEmpty ? message : "\(place): \(message)"
        // Programs display the message to the person who entered a duplicate value, so it has no technical details.
        if let resultCode, !isTaken { line += " (SQLite code \(resultCode))" }
        if let sql, !isTaken { line += " [\(StoreError.shortened(sql))]" }
        // Paths and statements may contain line breaks.
        return String(line.map { $0.isNewline ? " " : $0 })
    }

    /// The start of a statement, because megabytes of SQL are not useful in a log. `sql` has the whole statement.
    private static func shortened(_ sql: String) -> String {
        let shown = 2000
        guard sql.utf8.count > shown else { return sql }
        return "\(sql.prefix(shown))… (\(sql.utf8.count) bytes in total)"
    }
}

internal import Foundation
public import StoreEngine

extension Store {
    /// The configuration of a store.
    ///
    /// ```swift
    /// let store = try Store("people.sqlite", configuration: .init(durability: .relaxed, busyTimeout: .seconds(1)))
    /// ```
    public struct Configuration: Sendable {
        /// The commits that survive a loss of power.
        public enum Durability: Sendable {
            /// Every commit that `save()` has returned from.
            case full
            /// A consistent state, perhaps without the last saves; commits are faster.
            case relaxed
        }

        /// The treatment of unsaved edits when the last reference to their object is released.
        public enum LostEditsPolicy: Sendable {
            /// The edits stay with the session.
            ///
            /// The next fetch of the row includes them, and `saveChanges()` and the commit of a transaction save them.
            /// Edits that remain when the session ends are reported to `onNote`.
            case keep
            /// The edits are dropped and passed to the closure, which may be called on any thread.
            case report(@Sendable (LostEdits) -> Void)
            /// The edits are dropped.
            case ignore
        }

        /// The isolation of writing transactions on a server. In a file, only one transaction writes at a time.
        public enum Isolation: Sendable {
            /// Transactions run concurrently and are serializable.
            ///
            /// If two transactions each read data that the other writes, one of them is rolled back. A save or a
            /// deletion is then repeated automatically. A `transaction { }` is repeated as often as its `retries:`
            /// allows, and then throws `busy`.
            case serializable
            /// Transactions run one at a time, as in a file.
            ///
            /// Other transactions wait for `busyTimeout`, and no transaction has to be repeated.
            case exclusive
        }

        /// The commits that survive a loss of power.
        public var durability: Durability
        /// The isolation of writing transactions on a server; `.serializable` by default.
        ///
        /// ```swift
        /// var configuration = Store.Configuration()
        /// configuration.isolation = .exclusive
        /// ```
        public var isolation: Isolation
        /// The time that a save waits for another session or process that is writing.
        public var busyTimeout: Duration
        /// The time limit of a single statement, a query or raw SQL; nil, the default, for no limit.
        ///
        /// A statement that exceeds the limit ends with a `StoreError` with the code `timedOut`; a transaction in which
        /// it wrote is rolled back. The time that your program spends between the rows of a query counts; waiting for
        /// other writers, changes to tables, and commits do not count. The limit is checked every thousand steps of
        /// SQLite, usually within a millisecond; a long step, such as sorting or a custom function, finishes first.
        public var queryTimeout: Duration?
        /// The number of `perform` calls that run at once, at least one.
        ///
        /// The default is the number of processors, and at least two. Each call uses a thread and a connection while it
        /// runs. Only one writes at a time. With 1, calls run one after another.
        ///
        /// On a server, calls mostly wait for the server, so the default of a server's store is 16. The setting also
        /// limits the calls of the asynchronous `withSession`, and many calls write at a time.
        public var concurrency: Int {
            get { chosenConcurrency ?? Configuration.standardConcurrency }
            set { chosenConcurrency = newValue }
        }
        /// Nil for the default, which depends on the location.
        private var chosenConcurrency: Int?
        /// The permissions of the files that the store creates, reduced by the process's umask.
        ///
        /// Existing files keep their permissions. By default only the owner can read and write the files. The
        /// permissions apply to the store's file, its log and its index. Use `0o660` for a group that shares the store,
        /// and `0o644` for files that every user may read. The owner must be able to read and write, or the store
        /// cannot be opened.
        public var filePermissions: UInt16
        /// The treatment of unsaved edits of released objects; by default the session keeps them.
        public var lostEdits: LostEditsPolicy
        /// The treatment of a file that does not match the classes.
        ///
        /// By default the file is changed without losing data.
        public var schemaChanges: SchemaChanges
        /// Whether errors about changes of the file contain the values concerned.
        ///
        /// The default is false, so that no data ends up in a log.
        public var showsValuesInErrors: Bool
        /// Receives notes for developers; by default they are written to standard error.
        ///
        /// Errors are thrown and are never sent as notes.
        public var onNote: @Sendable (String) -> Void
        /// Receives each statement that ran, in sessions opened after it is set; nil by default.
        ///
        /// If it is nil, nothing is measured. It is called when the call that ran the statement has ended; in a
        /// transaction, when the transaction has ended. No lock is held then, so it may use the store. Statements that
        /// it runs are not reported to it. It may be called from several threads at once. For one call, 10,000
        /// statements are reported, and a note states how many more there were.
        ///
        /// ```swift
        /// let store = try Store("people.sqlite", configuration: .init(onQuery: { profile in print(profile) }))
        /// ```
        public var onQuery: (@Sendable (StatementProfile) -> Void)?
        /// The minimum duration of the statements that are reported.
        ///
        /// They are reported to `onQuery`, or as a line to `onNote` if there is no `onQuery`.
        public var slowQuery: Duration?
        /// Whether statement profiles contain the bound values.
        ///
        /// The default, false, keeps your users' input out of logs.
        public var showsQueryArguments: Bool
        /// Swift functions that SQL can call, in addition to the built-in functions.
        public var functions: [SQLFunction]
        /// String orders in Swift, for `COLLATE` in SQL, in addition to the built-in `po_nocase`.
        public var collations: [SQLCollation]
        /// The maximum number of bytes of the file that each connection caches; 64 MB by default.
        ///
        /// Memory is used only as pages are read. At least one page is kept.
        public var cacheSize: Int
        /// The page size, in bytes, of a file that the store creates.
        ///
        /// It is a power of two from 512 to 65536; nil, the default, selects SQLite's own default, usually 4096. An
        /// existing file keeps its page size.
        public var pageSize: Int?
        /// The journal mode, which is how the file stores commits; `.wal` by default. See `JournalMode`.
        public var journal: JournalMode
        /// The treatment of free pages; `.none` by default. See `AutoVacuum`.
        ///
        /// It applies to a file that the store creates. An existing file keeps its setting until `vacuum()`, which
        /// applies the new setting.
        public var autoVacuum: AutoVacuum
        /// Whether the store is read-only; false by default.
        ///
        /// No file is created, and calls that would write throw `readOnly` before any SQL. Missing tables and columns
        /// of a class are not created either, so the class cannot be used then.
        public var isReadOnly: Bool
        /// The limits for values and statements; SQLite's defaults unless set.
        public var limits: StoreLimits
        /// The `application_id` of another program's file that the store may write; nil by default.
        ///
        /// Some formats, such as GeoPackage, mark their files with such a number. A marked file is refused unless its
        /// number is given here, so that another program's file is not written by mistake. With `isReadOnly` no number
        /// is needed. A file that the store creates always has the library's own number.
        ///
        /// ```swift
        /// let map = try Store("map.gpkg", configuration: .init(applicationID: 0x4750_4B47))
        /// ```
        public var applicationID: Int?
        /// The initial `author` of each session, for the history of classes with `keepsHistory`.
        ///
        /// Nil, the default, records no author.
        public var author: String?
        /// How long a server keeps changes for a subscriber that does not read; ten minutes by default.
        ///
        /// A subscriber whose connection was away for longer receives one event of the kind `unknown`. A process that ends
        /// without closing its store makes the server keep changes for this time. At least one second. Without effect on
        /// files.
        public var changesAreKept: Duration = .seconds(600)
        /// The interval at which a subscriber of a replica checks for commits; one second by default.
        ///
        /// A replica does not notify its clients. Without effect on files, and on servers that can be written.
        public var pollInterval: Duration = .seconds(1)
        /// The replica of the server, to which queries outside transactions can go; nil by default.
        ///
        /// A session does not see an earlier state than before, and sees its own writes. See the guide *PostgreSQL*.
        /// Opening a file with a replica throws `unsupported`.
        public var replica: Replica?
        /// The encryption of the file; `.none` by default.
        ///
        /// A file that does not exist yet is created in this form. An existing file must have this form; see
        /// ``Store/encrypt(with:)``.
        public var encryption: Encryption
        /// The keys of properties that are declared ``Encrypted``; nil by default.
        ///
        /// With `encryption: .file(keys)`, these are the keys unless another keyring is set here.
        public var keyring: Keyring?

        /// Creates a configuration; omitted settings have the safe default.
        public init(
            durability: Durability = .full, busyTimeout: Duration = .seconds(5), queryTimeout: Duration? = nil,
            filePermissions: UInt16 = 0o600,
            lostEdits: LostEditsPolicy = .keep, schemaChanges: SchemaChanges = .automatic,
            showsValuesInErrors: Bool = false,
            onNote: @escaping @Sendable (String) -> Void = Configuration.noteToStandardError,
            onQuery: (@Sendable (StatementProfile) -> Void)? = nil, slowQuery: Duration? = nil,
            showsQueryArguments: Bool = false,
            functions: [SQLFunction] = [], collations: [SQLCollation] = [], cacheSize: Int = 64_000 * 1024,
            pageSize: Int? = nil, journal: JournalMode = .wal, autoVacuum: AutoVacuum = .none, isReadOnly: Bool = false,
            limits: StoreLimits = StoreLimits(), isolation: Isolation = .serializable,
            concurrency: Int? = nil, author: String? = nil, applicationID: Int? = nil,
            encryption: Encryption = .none, keyring: Keyring? = nil, replica: Replica? = nil
        ) {
            self.durability = durability
            self.busyTimeout = busyTimeout
            self.queryTimeout = queryTimeout
            self.filePermissions = filePermissions
            self.lostEdits = lostEdits
            self.schemaChanges = schemaChanges
            self.showsValuesInErrors = showsValuesInErrors
            self.onNote = onNote
            self.onQuery = onQuery
            self.slowQuery = slowQuery
            self.showsQueryArguments = showsQueryArguments
            self.functions = functions
            self.collations = collations
            self.cacheSize = cacheSize
            self.pageSize = pageSize
            self.journal = journal
            self.autoVacuum = autoVacuum
            self.isReadOnly = isReadOnly
            self.limits = limits
            self.isolation = isolation
            chosenConcurrency = concurrency
            self.author = author
            self.applicationID = applicationID
            self.encryption = encryption
            self.keyring = keyring
            self.replica = replica
        }

        /// The number of processors, and at least two, because one call may wait while another works.
        ///
        /// It is the default for files; see ``concurrency``. The number is determined once, because Linux reads files
        /// for it.
        public static let standardConcurrency = max(2, ProcessInfo.processInfo.activeProcessorCount)

        /// The default for a server, where most calls wait for an answer and occupy no processor.
        private static let serverConcurrency = 16

        /// The configuration with the defaults of a server.
        var onServer: Configuration {
            var result = self
            result.chosenConcurrency = chosenConcurrency ?? Configuration.serverConcurrency
            return result
        }
    }
}

/// Unsaved edits that can no longer be saved.
///
/// Their object was released, and its session has ended or does not keep edits; or another program deleted their row.
public struct LostEdits: Sendable {
    /// The class of the object.
    public let className: String
    /// The id of its row.
    public let id: Int64
    /// The values of the row and of the object, by property.
    public let changes: [PropertyChange]
}

extension LostEdits: CustomStringConvertible {
    /// One line that names the object and the properties, without their values.
    public var description: String {
        "\(className) #\(id) was released with unsaved edits in \(changes.map(\.name).joined(separator: ", ")). "
            + "The edits are lost. Call save(), or saveChanges() before the session ends, or revert() to discard edits "
            + "(a deinit that clears properties counts as edits)"
    }
}

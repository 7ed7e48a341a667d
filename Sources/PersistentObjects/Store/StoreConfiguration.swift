internal import Foundation
public import StoreEngine

extension Store {
    /// How a store behaves.
    ///
    /// ```swift
    /// let store = try Store("people.sqlite", configuration: .init(durability: .relaxed, busyTimeout: .seconds(1)))
    /// ```
    public struct Configuration: Sendable {
        /// What survives a loss of power.
        public enum Durability: Sendable {
            /// Whatever `save()` has returned from.
            case full
            /// A consistent state, perhaps without the last saves; commits are faster.
            case relaxed
        }

        /// What happens when the last reference to an object with unsaved edits is dropped.
        public enum LostEditsPolicy: Sendable {
            /// The edits stay with the session: the next fetch of the row has them, `saveChanges()` and the commit of a
            /// transaction save them. What is left when the session ends is reported to `onNote`.
            case keep
            /// The edits are dropped, and the closure gets them; it may be called on any thread.
            case report(@Sendable (LostEdits) -> Void)
            /// The edits are dropped.
            case ignore
        }

        /// How transactions that write are kept apart on a server. In a file one writes at a time.
        public enum Isolation: Sendable {
            /// They run beside each other, and each is as if it were alone. Where that is not possible, since each has
            /// read what the other writes, one of them is rolled back: a save or a deletion is done again by itself; a
            /// `transaction { }` as often as its `retries:` say, then it throws `busy`.
            case serializable
            /// One at a time, as in a file: others wait for `busyTimeout`, and none has to be done again.
            case exclusive
        }

        /// What survives a loss of power.
        public var durability: Durability
        /// How transactions that write are kept apart on a server; `.serializable` by default.
        ///
        /// ```swift
        /// var configuration = Store.Configuration()
        /// configuration.isolation = .exclusive
        /// ```
        public var isolation: Isolation
        /// How long a save waits for another session or process that is writing.
        public var busyTimeout: Duration
        /// How long one statement may run, a query or SQL of your own; nil, the default, for as long as it takes.
        ///
        /// One that runs longer ends with a `StoreError` of the code `timedOut`; a transaction that it has written in
        /// is rolled back. The time that a query spends in your program, between its rows, counts; waiting for other
        /// writers does not, nor do changes of tables and commits. It is checked every thousand steps of SQLite's,
        /// usually within a millisecond; a step that takes long, such as sorting or a function of your own, finishes
        /// first.
        public var queryTimeout: Duration?
        /// How many `perform` run at once, at least one; by default as many as there are processors, and two at least.
        ///
        /// Each has a thread of its own meanwhile, and a connection. One writes at a time all the same. With 1 they run
        /// one after the other.
        public var concurrency: Int
        /// The permissions of the files that the store makes, less what the process's umask takes away; those that are
        /// there keep theirs. By default only the owner can read and write them.
        ///
        /// The store's file, its log and its index have them. `0o660` is for a group that shares the store, `0o644` for
        /// files that everybody may read. The owner must be able to read and write, or the store cannot be opened.
        public var filePermissions: UInt16
        /// What happens to unsaved edits of an object that nobody holds any more; by default they stay with the session.
        public var lostEdits: LostEditsPolicy
        /// What happens where the file is not what the classes say; by default it is changed, and loses nothing.
        public var schemaChanges: SchemaChanges
        /// Whether errors of changes of the file have the values in them that they are about; by default they have not,
        /// so that no data end in a log.
        public var showsValuesInErrors: Bool
        /// Gets what a developer should know; by default it goes to standard error. Errors are thrown, never noted.
        public var onNote: @Sendable (String) -> Void
        /// Is called for each statement that has run, for sessions that are opened from then on; nil, the default, for
        /// none, and then nothing is measured.
        ///
        /// It is called when the call has ended that ran the statement, for a transaction when that has ended, with no
        /// lock held: it may use the store. What it does there is not reported to it. It may be called from several
        /// threads at once. Of one call 10,000 statements are reported, and a note says how many more there were.
        ///
        /// ```swift
        /// let store = try Store("people.sqlite", configuration: .init(onQuery: { profile in print(profile) }))
        /// ```
        public var onQuery: (@Sendable (StatementProfile) -> Void)?
        /// Only statements that take as long are reported: to `onQuery`, or as a line to `onNote` where there is none.
        public var slowQuery: Duration?
        /// Whether the profiles of statements have the values that are bound to them; false, the default, keeps what
        /// your users entered out of logs.
        public var showsQueryArguments: Bool
        /// Functions in Swift that SQL can call; in addition to the built-in ones.
        public var functions: [SQLFunction]
        /// Orders of texts in Swift, for `COLLATE` in SQL; in addition to the built-in `po_nocase`.
        public var collations: [SQLCollation]
        /// How many bytes of the file each connection keeps in memory at most; 64 MB by default, which is used only as
        /// far as pages are read. At least one page is kept.
        public var cacheSize: Int
        /// The bytes of a page, a power of two from 512 to 65536, where the store makes the file; nil, the default, for
        /// what SQLite takes by itself, which is 4096 as a rule. A file that is there keeps its own.
        public var pageSize: Int?
        /// How the file keeps what a commit writes; `.wal` by default. See `JournalMode`.
        public var journal: JournalMode
        /// What becomes of free pages; `.none` by default. It counts where the store makes the file; a file that is
        /// there keeps its own until `vacuum()`, which gives it this one. See `AutoVacuum`.
        public var autoVacuum: AutoVacuum
        /// Whether the store only reads; false by default. No file is made, and whatever would write throws `readOnly`
        /// before any SQL. Tables and columns that a class misses are not made either, so it cannot be used then.
        public var isReadOnly: Bool
        /// How large values and statements may be; as SQLite has it by default.
        public var limits: StoreLimits
        /// The `application_id` of another program's file that the store may write; nil, the default, for none.
        ///
        /// Some formats mark their files with such a number, as GeoPackage does. A marked file is refused unless its number
        /// is given here, so that no file of another program is written by mistake. With `isReadOnly` no number is needed.
        /// A file that the store makes has the library's own number in any case.
        ///
        /// ```swift
        /// let map = try Store("map.gpkg", configuration: .init(applicationID: 0x4750_4B47))
        /// ```
        public var applicationID: Int?
        /// Who uses the store, for the history of classes with `keepsHistory`: what `author` of each session is at
        /// first. Nil, the default, for nobody in particular.
        public var author: String?

        /// Makes a configuration; what is left out has the safe default.
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
            concurrency: Int = Configuration.standardConcurrency, author: String? = nil, applicationID: Int? = nil
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
            self.concurrency = concurrency
            self.author = author
            self.applicationID = applicationID
        }

        /// As many as there are processors, and two at least: one may wait while another works.
        public static var standardConcurrency: Int { max(2, ProcessInfo.processInfo.activeProcessorCount) }
    }
}

/// Edits that nobody has saved and nobody can save any more: their object was dropped, and its session has ended or keeps
/// none.
public struct LostEdits: Sendable {
    /// The class of the object.
    public let className: String
    /// The id of its row.
    public let id: Int64
    /// What the row has and what the object had, by property.
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

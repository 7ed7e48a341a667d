internal import StoreEngine

/// The changes that a file needs to store some classes: computed, displayed, and then run.
///
/// ```swift
/// let plan = try store.schemaPlan(for: Person.self)
/// print(plan)                     // what changes, with its statements and what would be lost
/// try store.run(plan)
/// ```
public struct SchemaPlan: Sendable {
    /// One change of a table, a column, a collection, an index, or of rows.
    public struct Change: Sendable {
        /// The class that needs the change.
        public let className: String
        /// The property that the change concerns; nil if it concerns the class.
        public let property: String?
        /// A short description of the change.
        public let summary: String
        /// A description of the data that the change loses; nil if none.
        public internal(set) var loss: String?
        /// A description of the encrypted data that is stored without encryption afterwards; nil if none.
        public internal(set) var exposure: String?
        /// The number of rows that are read or written individually; 0 if none, or if not counted.
        public internal(set) var rows = 0

        let phase: Phase
        var steps: SchemaSteps
        /// The table whose rows are processed.
        var countedTable: String?
        /// A query for a row that makes the change necessary for an older version of the class; nil if the phase
        /// decides.
        var obstacle: SQL?
        /// Whether the change runs only if the user asks for it.
        var needsConsent = false
        /// The index that is replaced after the transaction, instead of the steps; nil for all other changes.
        var renewal: IndexRenewal?

        init(
            _ summary: String, _ phase: Phase, className: String, property: String? = nil, loss: String? = nil,
            rowsOf countedTable: String? = nil, _ steps: SchemaSteps
        ) {
            self.summary = summary
            self.phase = phase
            self.className = className
            self.property = property
            self.loss = loss
            self.countedTable = countedTable
            self.steps = steps
        }

        /// The statements; other work is described by SQL comments.
        public var statements: [String] { steps.texts }
    }

    /// The phase in which a change runs.
    enum Phase: Int, Sendable {
        case renames
        /// Drops triggers and indexes that block other changes.
        case release
        /// Rows of classes that became subclasses, or stopped being subclasses.
        case moves
        case tables, columns, collections, classes, drops, indexes, triggers, search
        /// The user's conversions, which may use other classes, whose changes are complete by then.
        case conversions
        /// Indexes over columns that conversions have filled.
        case lateIndexes
        /// Triggers that record row changes, created last because they must not record the plan's changes.
        case history
        /// Triggers that capture row changes for sync, for the same reason.
        case capture
        /// Indexes that are replaced after the transaction, while other sessions write.
        case renewals
    }

    /// The changes, in execution order.
    public internal(set) var changes: [Change] = []
    /// The contents of the file that no class uses any more; they are kept.
    public internal(set) var leftBehind: [String] = []
    /// Declarations of the classes that have no effect on this file.
    ///
    /// These are conversions that do not run, with the reason.
    public internal(set) var notes: [String] = []
    /// Whether running a plan that encrypts values also releases the free pages and empties the log.
    ///
    /// Otherwise both still contain the values in plain text. Earlier backups contain them in any case. An automatic
    /// change at the first use of a class always releases the pages and empties the log. A server has neither.
    public var vacuums = true
    /// Whether values that were in plain text are encrypted.
    var encryptsValues = false
    /// The file's schema version when the plan was made; nil if the engine does not report it.
    var version: Int64?
    /// The classes of the plan.
    var maps: [ClassMap] = []
    /// Tables with a class column, after the plan has run.
    var tablesWithClassColumn: Set<String> = []
    /// The processed tables of collections, folded, because a subclass inherits them.
    var collections: Set<String> = []

    /// Whether there are no changes.
    public var isEmpty: Bool { changes.isEmpty }

    /// All statements in execution order; other work is described by SQL comments.
    public var statements: [String] { changes.flatMap(\.statements) }

    /// The data that would be lost.
    ///
    /// These are requested drops, and rows with nil in a property that becomes required.
    public var losses: [String] { changes.compactMap(\.loss) }

    /// The changes of the transaction.
    var changesInTransaction: [Change] { changes.filter { $0.renewal == nil } }

    /// The indexes that are replaced after the transaction.
    var renewals: [IndexRenewal] { changes.compactMap(\.renewal) }

    /// The encrypted data that the plan stores without encryption.
    ///
    /// It runs only with ``Store/run(_:progress:)`` or with `schemaChanges: .dropping`.
    public var exposes: [String] { changes.compactMap(\.exposure) }

    /// Whether existing rows are read or written individually.
    var changesRows: Bool { changes.contains { $0.countedTable != nil } }

    /// The number of rows that are read or written individually.
    public var rowCount: Int { changes.reduce(0) { $0 + $1.rows } }

    /// The estimated duration, computed from the number of rows: a rough guess for a current machine.
    public var estimatedDuration: Duration {
        .milliseconds(5 * changes.count) + .microseconds(3 * rowCount)
    }

    mutating func add(_ changes: [Change]) { self.changes += changes }

    /// Sorts the changes by phase; changes of one phase keep their order.
    mutating func sort() {
        changes = changes.enumerated().sortedUnspecialized { one, other in
            (one.element.phase.rawValue, one.offset) < (other.element.phase.rawValue, other.offset)
        }.map(\.element)
    }

    /// Counts the rows that changes process.
    mutating func countRows(_ connection: any Connection) throws {
        var counts: [String: Int] = [:]
        for place in changes.indices {
            guard let table = changes[place].countedTable else { continue }
            // A table that the plan creates has no rows yet.
            if counts[table] == nil, try connection.schema.table(table) != nil,
                case .integer(let count)? = try connection.value("SELECT count(*) FROM \(name: table)")
            {
                counts[table] = Int(count)
            }
            changes[place].rows = counts[table] ?? 0
        }
    }
}

extension SchemaPlan: CustomStringConvertible {
    /// Each change with its statements and losses, then the contents that are kept unused, and the notes.
    public var description: String {
        guard !isEmpty else { return (["nothing to change"] + leftBehind + notes).joined(separator: "\n") }
        var lines: [String] = []
        for change in changes {
            let place = [change.className, change.property].compactMap { $0 }.joined(separator: ".")
            let rows = change.rows > 0 ? ", \(change.rows) rows" : ""
            lines.append("\(place): \(change.summary)\(rows)")
            if let loss = change.loss { lines.append("    LOSES \(loss)") }
            if let exposure = change.exposure { lines.append("    EXPOSES \(exposure)") }
            lines += change.statements.map { "    \($0)" }
        }
        lines += leftBehind + notes
        let estimate = estimatedDuration.components
        lines.append("about \(estimate.seconds).\(estimate.attoseconds / 100_000_000_000_000_000) s")
        return lines.joined(separator: "\n")
    }
}

/// The progress of changing a file.
public struct SchemaProgress: Sendable {
    /// A short description of the current change.
    public let change: String
    /// The number of completed rows of this change.
    public let completedRows: Int
    /// The total number of rows of this change, at least the completed number.
    public let totalRows: Int
    /// The completed fraction of all changes, from 0 to 1.
    ///
    /// It never decreases, and is 1 in the last call.
    public let fractionCompleted: Double

    /// - Parameters:
    ///   - before: The completed fraction when the change began.
    ///   - share: The change's fraction of all changes.
    ///   - told: The fraction that was last reported.
    init(
        change: String, completedRows: Int, totalRows: Int, before: Double = 0, share: Double = 1,
        atLeast reported: Double = 0
    ) {
        self.change = change
        self.completedRows = completedRows
        self.totalRows = max(totalRows, completedRows)
        let done = self.totalRows == 0 ? 1 : Double(completedRows) / Double(self.totalRows)
        fractionCompleted = min(1, max(reported, before + share * done))
    }
}

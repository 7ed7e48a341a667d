internal import StoreEngine

/// One run of a plan: the state that its steps share, and their progress.
final class SchemaRun {
    let connection: any Connection
    /// The class of the current change.
    fileprivate(set) var className = ""
    /// Calls user code, which may find and save objects.
    let callUser: (() throws -> Any?) throws -> Any?
    /// Triggers that are temporarily dropped.
    var suspended: [String] = []
    /// The offsets added to the ids of rows that move to another table, by the folded name of their source table.
    var offsets: [String: Int64] = [:]
    /// The current names of the file's columns.
    var columnNames = ColumnNames()
    /// The SQL of other programs' indexes that were dropped with their column, by name.
    var indexTexts: [String: String] = [:]
    /// The SQL of indexes that are recreated together with their column.
    var keptIndexes: [String] = []
    private let settings: SchemaSettings
    private let progress: ((SchemaProgress) throws -> Void)?
    private var done = 0
    private var total = 0
    private var summary = ""
    /// The completed fraction when the change began, the change's fraction, and the fraction that was last reported.
    private var (before, share, reported) = (0.0, 0.0, 0.0)

    /// The number of rows between two checks of progress and cancellation.
    static let batchSize = 1000

    init(
        _ connection: any Connection, _ settings: SchemaSettings, progress: ((SchemaProgress) throws -> Void)? = nil,
        callUser: @escaping (() throws -> Any?) throws -> Any?
    ) {
        self.connection = connection
        self.settings = settings
        self.progress = progress
        self.callUser = callUser
    }

    /// Runs all changes of a plan, in order.
    func run(_ changes: [SchemaPlan.Change]) throws {
        // A change that processes no rows counts as one row.
        let all = Double(changes.reduce(0) { $0 + max(1, $1.rows) })
        for change in changes {
            share = Double(max(1, change.rows)) / all
            try run(change)
            before += share
        }
        // The rounded sum of the fractions may differ from 1.
        (before, share) = (1, 0)
        if !changes.isEmpty { try report() }
    }

    private func run(_ change: SchemaPlan.Change) throws {
        className = change.className
        summary = change.summary
        done = 0
        total = change.rows
        try report()
        do { try change.steps.run(self) } catch let error as StoreError { throw error.at(className: className) }
    }

    private func report() throws {
        guard let progress else { return }
        // Before the first row, the change's own fraction is 0, also if it has no rows.
        let isBegun = done > 0 || share == 0
        let now = SchemaProgress(
            change: summary, completedRows: done, totalRows: total, before: before, share: isBegun ? share : 0,
            atLeast: reported)
        reported = now.fractionCompleted
        try progress(now)
    }

    func execute(_ sql: SQL, _ values: [DatabaseValue]) throws {
        try connection.prepare(sql).execute(values)
    }

    /// The ids that a query returns.
    func ids(_ sql: SQL) throws -> [Int64] {
        try connection.prepare(sql).rows([]).compactMap { row in if case .integer(let id) = row[0] { id } else { nil } }
    }

    /// Calls `body` with the id of each row that meets a condition. Rows are read in batches, so that memory does not
    /// grow with their number.
    ///
    /// - Parameter ids: The condition on the rows of `table`; empty for all rows.
    func forEachID(_ ids: SQL, in table: String, _ body: (Int64) throws -> Void) throws {
        try forEachRow("\"id\"", ids, in: table) { id, _ in try body(id) }
    }

    /// The same with the values of some columns of each row.
    ///
    /// - Parameter property: The property that the columns are for, named in errors; nil if there is no such property.
    func forEachRow(
        _ columns: SQL, _ condition: SQL, in table: String, for property: String? = nil,
        _ body: (Int64, [DatabaseValue]) throws -> Void
    ) throws {
        let condition: SQL = condition.isEmpty ? "" : " AND (\(condition))"
        let statement = try connection.prepare(
            """
            SELECT "id", \(columns) FROM \(name: table) WHERE "id" > ?\(condition) ORDER BY "id" \
            LIMIT \(number: SchemaRun.batchSize)
            """)
        var last = Int64.min
        while true {
            // `body` may write the rows, so a batch is copied from the statement first.
            let rows = try statement.rows([.integer(last)], for: property)
            for row in rows {
                guard case .integer(let id)? = row.first else { continue }
                try body(id, Array(row.dropFirst()))
                last = id
            }
            done += rows.count
            try report()
            if rows.count < SchemaRun.batchSize { return }
        }
    }

    /// The encrypted values; nil without a keyring.
    var sealed: SealedValues? { settings.sealed }

    /// A value for a message, if the configuration shows values.
    func shown(_ value: DatabaseValue) -> String? { settings.showsValues ? value.shown : nil }

    /// The equal values that a unique index rejects: up to ten groups.
    func equalRows(_ names: [SQL], in table: String, where condition: SQL? = nil) throws -> [String] {
        let condition: SQL = condition.map { " AND (\($0))" } ?? ""
        let statement = try connection.prepare(
            """
            SELECT min("id"), max("id"), count(*), \(list: names) FROM \(name: table) \
            WHERE \(list: names.map { "\($0) IS NOT NULL" }, separator: " AND ")\(condition) \
            GROUP BY \(list: names) HAVING count(*) > 1 LIMIT 10
            """)
        return try statement.rows([]).map { row in
            let values = row.dropFirst(3).map { shown($0) ?? "…" }.joined(separator: ", ")
            let (first, last, count) = (row[0].shown, row[1].shown, row[2].shown)
            return settings.showsValues
                ? "\(values) in \(count) rows from \(first) to \(last)" : "\(count) rows from \(first) to \(last)"
        }
    }
}

extension Statement {
    /// Binds values and runs the statement.
    func execute(_ values: [DatabaseValue]) throws {
        try bind(all: values)
        try run()
    }

    /// Binds values and returns all rows.
    ///
    /// - Parameter property: If the first column is a row id, the property that the other columns are for.
    func rows(_ values: [DatabaseValue], for property: String? = nil) throws -> [[DatabaseValue]] {
        var rows: [[DatabaseValue]] = []
        try forEach(values, for: property) { rows.append($0) }
        return rows
    }

    /// Calls `body` with each row. See `rows(_:for:)`.
    func forEach(
        _ values: [DatabaseValue] = [], for property: String? = nil, _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        try bind(all: values)
        while try step() { try body(row(for: property)) }
        reset()
    }

    private func row(for property: String?) throws(StoreError) -> [DatabaseValue] {
        do throws(ValueFault) {
            var row: [DatabaseValue] = []
            for index in 0..<columnCount { row.append(try column(index).value()) }
            return row
        } catch {
            guard let property else { throw .value(error) }
            throw .value(error).at(property: property, rowID: column(0).integer)
        }
    }

    private func bind(all values: [DatabaseValue]) throws {
        beginBinding()
        do throws(ValueFault) {
            for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        } catch { throw StoreError.value(error) }
    }
}

extension DatabaseValue {
    /// The value as messages show it; long values are shortened.
    var shown: String {
        switch self {
        case .null: "nil"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text.utf8.count > 200 ? "\"\(text.prefix(60))…\"" : "\"\(text)\""
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}

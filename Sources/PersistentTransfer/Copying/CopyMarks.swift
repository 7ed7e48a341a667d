internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The target's record of a copy that is not complete: the last row of each table that was copied.
struct CopyMarks {
    static let table = "po_copy"

    /// The position in a table: the key of the last row, and the number of rows with this key.
    ///
    /// The key alone would not do, because an array can be longer than a part.
    struct Mark {
        var key: Int64 = .min
        var count: Int64 = 0
        /// The number of rows so far.
        var rowCount: Int64 = 0
        var isComplete = false

        /// Moves to the next row.
        mutating func advance(to next: Int64) {
            count = next == key ? count + 1 : 1
            key = next
            rowCount += 1
        }
    }

    private let session: Session
    private(set) var marks: [String: Mark] = [:]
    /// The statements that restore the indexes and the rules of the tables.
    private(set) var restorations: [String] = []

    /// Whether the target contains a copy that is not complete.
    static func areThere(_ session: Session) throws -> Bool {
        try session.connection.schema.definition(of: table) != nil
    }

    /// Begins a copy.
    ///
    /// - Throws: `CopyError` if the target contains objects of the classes.
    init(beginning plan: CopyPlan, _ session: Session) throws {
        self.session = session
        let connection = session.connection
        let (text, number) = (connection.dialect.declaredType(.text), connection.dialect.declaredType(.integer))
        try session.write(alone: true) {
            let taken = try plan.tables.filter { table in
                guard table.contents != .elements else { return false }
                return try connection.value("SELECT 1 FROM \(name: table.name) LIMIT 1") != nil
            }
            guard taken.isEmpty else {
                throw CopyError(
                    taken.map { table in
                        table.problem("The target contains objects of this class. Copy to an empty store")
                    })
            }
            try connection.execute(
                """
                CREATE TABLE \(name: CopyMarks.table) (name \(text) PRIMARY KEY, last \(number) NOT NULL, \
                same \(number) NOT NULL, counted \(number) NOT NULL, complete \(number) NOT NULL, \
                restorations \(text) NOT NULL)\(connection.dialect.tableOptions)
                """)
            for table in plan.tables {
                var restorations = try CopyMarks.dropIndexes(of: table, connection)
                if let rules = try connection.loading.suspendRules(of: table.name) { restorations.append(rules) }
                let list = String(decoding: try JSONEncoder().encode(restorations), as: UTF8.self)
                try execute(
                    "INSERT INTO \(name: CopyMarks.table) VALUES (\(placeholders: 6))",
                    [
                        .text(table.name), .integer(.min), .integer(0), .integer(0), .integer(0), .text(list),
                    ])
            }
        }
        try read(plan)
    }

    /// Drops the indexes of a table that its rows would fill in another order, because creating them at the end is
    /// faster and needs less memory. Unique indexes remain, so that a value that is not unique is refused at once.
    ///
    /// - Returns: The statements that create them.
    private static func dropIndexes(of table: CopiedTable, _ connection: any Connection) throws -> [String] {
        // A program that prepares the classes before it continues the copy has created them already.
        let (head, safeHead) = ("CREATE INDEX ", "CREATE INDEX IF NOT EXISTS ")
        var restorations: [String] = []
        for index in try connection.schema.indexes(of: table.name) where !index.isUnique && index.isValid {
            guard let sql = index.sql, sql.hasPrefix(head), index.columns.first != .some(.some(table.key)) else {
                continue
            }
            try connection.execute("DROP INDEX \(name: index.name)")
            restorations.append(safeHead + sql.dropFirst(head.count))
        }
        return restorations
    }

    /// Continues a copy.
    ///
    /// - Throws: `CopyError` if the target contains a copy of other classes.
    init(continuing plan: CopyPlan, _ session: Session) throws {
        self.session = session
        try read(plan)
    }

    private mutating func read(_ plan: CopyPlan) throws {
        let statement = try session.connection.prepare(
            "SELECT name, last, same, counted, complete, restorations FROM \(name: CopyMarks.table) ORDER BY name")
        defer { statement.finish() }
        marks = [:]
        restorations = []
        while try statement.step() {
            marks[try statement.column(0).text()] = Mark(
                key: statement.integer(1), count: statement.integer(2), rowCount: statement.integer(3),
                isComplete: statement.integer(4) != 0)
            restorations += try JSONDecoder().decode(
                [String].self, from: Data(try statement.column(5).text().utf8))
        }
        guard Set(marks.keys) == Set(plan.tables.map(\.name)) else {
            throw CopyError([
                TransferError(
                    "The target contains an unfinished copy of other classes, in the tables "
                        + "\(marks.keys.sorted().joined(separator: ", ")). Copy the same classes, or use an empty store"
                )
            ])
        }
    }

    subscript(table: CopiedTable) -> Mark { marks[table.name] ?? Mark() }

    /// Writes the mark of a table, in the transaction that writes its rows.
    func record(_ mark: Mark, of table: CopiedTable) throws {
        try execute(
            "UPDATE \(name: CopyMarks.table) SET last = ?, same = ?, counted = ?, complete = ? WHERE name = ?",
            [
                .integer(mark.key), .integer(mark.count), .integer(mark.rowCount), .integer(mark.isComplete ? 1 : 0),
                .text(table.name),
            ])
    }

    private func execute(_ sql: SQL, _ values: [DatabaseValue]) throws {
        let statement = try session.connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
        try statement.send()
    }
}

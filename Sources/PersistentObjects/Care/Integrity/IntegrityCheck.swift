internal import StoreEngine

/// One check of a store, step by step.
final class IntegrityCheck {
    typealias Kind = IntegrityReport.Kind

    let session: Session
    /// Nil on a server, which checks its own structure and enforces the foreign keys.
    let upkeep: (any Upkeep)?
    private let limit: Int
    private let progress: (IntegrityProgress) throws -> Void
    private var problems: [IntegrityReport.Problem] = []
    private var notChecked: [String] = []
    private var rowCount = 0
    private var lockedCount = 0
    private var doneSteps = 0
    private var stepCount = 1
    private var step = ""
    /// The existing tables, by folded name.
    private var tables: [String: TableDescription] = [:]
    /// The references that were checked here, as table and column. The foreign key check skips them.
    var checkedReferences: Set<[String]> = []

    private static let rowsBetweenLooks = 4096

    /// Thrown when the limit of problems is reached.
    private struct LimitReached: Error {}

    init(
        _ session: Session, _ upkeep: (any Upkeep)?, limit: Int,
        _ progress: @escaping (IntegrityProgress) throws -> Void
    ) {
        self.session = session
        self.upkeep = upkeep
        self.limit = max(1, limit)
        self.progress = progress
    }

    func run() throws -> IntegrityReport {
        var isComplete = true
        do {
            let maps = session.store.classes.preparedMaps
            let roots = maps.indices.filter { place in
                !maps[..<place].contains { Naming.folded($0.table) == Naming.folded(maps[place].table) }
            }
            let searched = maps.filter { $0.isRoot && !$0.searchColumns.isEmpty }
            stepCount = roots.count + searched.count + 2
            // All steps read one state of the file.
            try session.readTransaction.inOneState(mayBeEarlier: false) {
                try run("the structure of the file") { try checkStructure() }
                for root in roots {
                    let family = maps.filter { Naming.folded($0.table) == Naming.folded(maps[root].table) }
                    try run(maps[root].name) { try check(family) }
                }
                try run("references") { try checkForeignKeys() }
            }
            for map in searched { try run("the search of \(map.name)") { try checkSearch(of: map) } }
        } catch is LimitReached { isComplete = false }
        return IntegrityReport(
            problems: problems, isComplete: isComplete, checkedRowCount: rowCount, lockedValueCount: lockedCount,
            notChecked: notChecked + locked)
    }

    private var locked: [String] {
        guard lockedCount > 0 else { return [] }
        return ["\(lockedCount) encrypted value\(lockedCount == 1 ? "" : "s"), because of missing keys"]
    }

    /// Called for an encrypted value that the keyring cannot decrypt.
    func countLocked() { lockedCount += 1 }

    /// Runs a step; damage that prevents its completion is a problem of the report.
    private func run(_ name: String, _ body: () throws -> Void) throws {
        step = name
        try look()
        do { try body() } catch let error as StoreError where [.corrupt, .notADatabase].contains(error.code) {
            try add(.fileStructure, "\(error.message) (while checking \(name))")
        } catch let error as StoreError where [.invalidSQL, .unsupported].contains(error.code) {
            // A foreign table that can be mapped, but not queried in this way.
            notChecked.append("\(name): \(error.message)")
        }
        doneSteps += 1
        try look()
    }

    /// Gives the user the opportunity to end the check.
    private func look() throws {
        if Task.isCancelled { throw CancellationError() }
        try progress(
            IntegrityProgress(
                step: step, fractionCompleted: Double(doneSteps) / Double(stepCount), checkedRowCount: rowCount,
                problemCount: problems.count))
    }

    /// Called after a row was read.
    func countRow() throws {
        rowCount += 1
        if rowCount % IntegrityCheck.rowsBetweenLooks == 0 { try look() }
    }

    func add(
        _ kind: Kind, _ message: String, _ className: String? = nil, _ property: String? = nil, table: String? = nil,
        rowID: Int64? = nil
    ) throws {
        guard problems.count < limit else { throw LimitReached() }
        problems.append(
            IntegrityReport.Problem(
                kind: kind, className: className, property: property, table: table, rowID: rowID, message: message))
    }

    /// The description of a table; nil if it does not exist.
    func table(_ name: String) throws -> TableDescription? {
        if let known = tables[Naming.folded(name)] { return known }
        let found = try session.connection.schema.table(name)
        tables[Naming.folded(name)] = found
        return found
    }

    /// Calls `body` with each row of a statement without values.
    func forEachRow(_ sql: SQL, _ body: (Statement) throws -> Void) throws {
        let statement = try session.connection.prepare(sql)
        defer { statement.finish() }
        while try statement.step() { try body(statement) }
    }
}

// The engine's checks.
extension IntegrityCheck {
    private func checkStructure() throws {
        for words in try upkeep?.structureProblems(limit: limit + 1) ?? [] {
            let place = place(in: words)
            try add(.fileStructure, words, place.className, place.property, table: place.table, rowID: place.rowID)
        }
    }

    /// The table and row in SQLite's message: "NULL value in person.age", "row 7 missing from index person.age.index".
    private func place(
        in words: String
    ) -> (className: String?, property: String?, table: String?, rowID: Int64?) {
        let parts = words.split(separator: " ")
        guard let name = parts.last.map(String.init) else { return (nil, nil, nil, nil) }
        let rowID = parts.count > 1 && parts[0] == "row" ? Int64(parts[1]) : nil
        let names = ((try? upkeep?.tables()) ?? []).map(\.name).filter { name == $0 || name.hasPrefix($0 + ".") }
        // The longest match, because a name may contain a dot.
        guard let table = names.max(by: { $0.utf8.count < $1.utf8.count }) else { return (nil, nil, nil, rowID) }
        let owner = session.store.classes.owner(of: table)
        let column = String(name.dropFirst(table.count + 1))
        let property = owner?.property ?? owner?.map.properties.first { $0.hasColumn && $0.column == column }
        return (owner?.map.name, property?.name, table, rowID)
    }

    /// Checks the foreign keys of tables and columns that belong to no prepared class.
    private func checkForeignKeys() throws {
        // The result includes references that were already reported.
        for broken in try upkeep?.brokenReferences(limit: limit + problems.count + 1) ?? [] {
            let key = [broken.table, broken.column ?? ""].map(Naming.folded)
            guard !checkedReferences.contains(key) else { continue }
            let owner = session.store.classes.owner(of: broken.table)
            let property =
                owner?.property ?? owner?.map.properties.first { $0.hasColumn && $0.column == broken.column }
            try add(
                .reference,
                "\(broken.column ?? "a column") refers to a row of \(broken.target) that does not exist",
                owner?.map.name,
                property?.name, table: broken.table, rowID: broken.rowID)
        }
    }

    private func checkSearch(of map: ClassMap) throws {
        guard let index = SearchIndex(map) else { return }
        guard try table(index.name) != nil else {
            return try add(
                .search, "its search index, \(index.name), does not exist. Prepare the class", map.name,
                table: map.table)
        }
        guard let upkeep else { return try checkWords(of: map, index) }
        if let refusal = session.connection.writeRefusal {
            notChecked.append("the search of \(map.name): \(refusal.message)")
            return
        }
        try session.writing.takeTurn(for: session)
        defer { session.writing.leaveTurn(of: session) }
        try session.connection.begin()
        // Nothing is written.
        defer { session.connection.rollback() }
        guard let words = try upkeep.problem(with: index) else { return }
        try add(
            .search,
            "its search index does not match its rows: \(words). Rebuild it with execute(\"INSERT INTO "
                + "\(index.name) (\(index.name)) VALUES ('rebuild')\")", map.name, table: index.name)
    }

    /// Compares a search index on a server with the strings of the rows.
    private func checkWords(of map: ClassMap, _ index: SearchIndex) throws {
        let search = session.connection.dialect.search
        guard let difference = search.difference,
            case .integer(let count)? = try session.connection.value(difference(index)), count > 0
        else { return }
        try add(
            .search,
            "its search index does not match \(count) of its rows. Rebuild it with "
                + "execute(\"\(search.rebuilding(index).text)\")", map.name, table: index.name)
    }
}

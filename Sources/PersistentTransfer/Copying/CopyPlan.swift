internal import PersistentObjects
internal import StoreEngine

/// The classes and tables of a copy.
struct CopyPlan {
    /// The listed classes, and their subclasses that have rows or are used.
    let types: [PersistentObject.Type]
    let tables: [CopiedTable]

    /// Prepares the classes in the source.
    ///
    /// - Throws: `CopyError` if the list is incomplete, or some of the classes cannot be copied.
    init(_ types: [PersistentObject.Type], leaving left: Set<String>, _ session: Session) throws {
        guard !types.isEmpty else { throw CopyError([TransferError("The copy names no class. Name at least one")]) }
        var all: [PersistentObject.Type] = []
        var problems: [TransferError] = []
        func add(_ type: PersistentObject.Type) { if !all.contains(where: { $0 == type }) { all.append(type) } }
        for type in types {
            let map = try session.space(of: type).map
            add(type)
            guard map.root != type else { continue }
            if !types.contains(where: { $0 == map.root }) {
                problems.append(
                    TransferError(
                        "The class shares the table of \(map.root). List \(map.root)", className: map.name))
            }
        }
        guard problems.isEmpty else { throw CopyError(problems) }
        for type in types { for name in try CopyPlan.rowClasses(of: type, session) { add(name) } }
        // The spaces know all classes only after all were prepared.
        for type in all { _ = try session.space(of: type) }
        let roots = try types.map { try session.space(of: $0) }.filter { $0.map.root == $0.map.type }
        // The target needs the columns of all classes that the source uses.
        for map in roots.flatMap(\.family) { add(map.type) }
        self.types = all
        problems += try CopyPlan.problems(of: roots)
        problems += try CopyPlan.missing(roots, left, session)
        guard problems.isEmpty else { throw CopyError(problems) }
        let kept = roots.filter { space in space.family.contains { $0.type.keepsHistory } }.map(\.map.table)
        tables =
            try roots.flatMap { try CopiedTable.all(of: $0, session) }
            + (kept.isEmpty ? [] : CopiedTable.history(of: kept, session.dialect))
    }

    /// The classes of the rows in a class's table.
    private static func rowClasses(
        of type: PersistentObject.Type, _ session: Session
    ) throws -> [PersistentObject.Type] {
        let table = try session.space(of: type).map.table
        guard try session.connection.schema.columnNames(of: table).contains("class") else { return [] }
        let statement = try session.connection.prepare("SELECT DISTINCT \"class\" FROM \(name: table)")
        defer { statement.finish() }
        var found: [PersistentObject.Type] = []
        while try statement.step() {
            let name = try statement.column(0).text()
            let known =
                ClassResolver.subclass(named: name, of: type) ?? session.usedSubclass(named: name, of: type)
            guard let known else {
                throw StoreError(
                    .unknownClass,
                    "There are rows of the class \(VisibleText.of(name)), which this program does not have or cannot "
                        + "find by its name. Call try store.prepare(…) with the class first",
                    className: "\(type)")
            }
            found.append(known)
        }
        return found
    }

    /// The classes that cannot be copied row by row.
    private static func problems(of roots: [ClassSpace]) throws -> [TransferError] {
        var problems: [TransferError] = []
        let tables = Set(roots.map(\.map.table))
        for space in roots {
            func add(_ message: String, _ property: Property? = nil) {
                problems.append(TransferError(message, className: space.map.name, property: property?.name))
            }
            if space.map.type.origin != .own {
                add("The class maps an existing table. Copy that table with the tools of the database")
            }
            var seen: Set<String> = []
            for map in space.family {
                for property in map.properties where !property.isInverse && seen.insert(property.name).inserted {
                    if property.isEncrypted {
                        add("The property is encrypted for its store. Use export and import", property)
                    }
                    guard let type = property.linkedClass else { continue }
                    let target = try ClassMap.map(of: type)
                    if !tables.contains(target.table) {
                        add("The property refers to \(target.name), which is not copied. List it", property)
                    }
                }
            }
        }
        return problems
    }

    /// The classes that the store records and that are not listed.
    private static func missing(
        _ roots: [ClassSpace], _ left: Set<String>, _ session: Session
    ) throws -> [TransferError] {
        let tables = Set(roots.map { $0.map.table.lowercased() })
        let missing = try recorded(session).filter { name, table in
            !tables.contains(table.lowercased()) && !left.contains(name)
        }
        return missing.map { name, _ in
            TransferError(
                "The store contains this class, which the copy does not list. List it, or pass leaving: [\"\(name)\"]",
                className: name)
        }
    }

    /// The classes that the store records, with their tables, sorted by name.
    static func recorded(_ session: Session) throws -> [(name: String, table: String)] {
        let schema = session.connection.schema
        guard try schema.definition(of: "po_class") != nil else { return [] }
        let statement = try session.connection.prepare("SELECT name, table_name FROM po_class ORDER BY name")
        defer { statement.finish() }
        var recorded: [(name: String, table: String)] = []
        while try statement.step() { recorded.append((try statement.column(0).text(), try statement.column(1).text())) }
        // The library's own tables are not copied as such, and abstract classes have no tables.
        return try recorded.filter { try !$0.table.hasPrefix("po_") && schema.table($0.table) != nil }
    }
}

internal import PersistentObjects
internal import StoreEngine

/// The problems of a file: damage, dangling references, unreadable values and wrong metadata.
final class Check {
    private let file: InspectedFile
    private let call: CommandCall
    private var count = 0
    private static let limit = 100

    private init(_ file: InspectedFile, _ call: CommandCall) {
        self.file = file
        self.call = call
    }

    static func run(_ call: CommandCall) throws -> Bool {
        // It reads the whole file, so it has no time limit.
        let check = Check(try call.file(isLimited: false), call)
        try check.checkStructure()
        if check.file.origin == .store {
            try check.checkMetadata()
            for aClass in check.file.sortedClasses where check.file.classNames(of: aClass).isEmpty {
                try check.checkValues(of: aClass)
            }
        }
        switch check.count {
        case 0: try call.write("No problems")
        case 1: try call.write("1 problem")
        default: try call.write("\(Bounds.grouped(check.count)) problems")
        }
        return check.count > 0
    }

    private func report(_ problem: String) throws {
        count += 1
        if count <= Check.limit { try call.write(problem) }
        if count == Check.limit { try call.write("… further problems are only counted") }
    }

    private func checkStructure() throws {
        // A server checks its own structure, and enforces the foreign keys.
        if file.isOnServer { return }
        let upkeep = try file.connection.upkeep()
        do {
            for problem in try upkeep.structureProblems(limit: Check.limit) { try report(VisibleText.of(problem)) }
            for reference in try upkeep.brokenReferences(limit: Check.limit) {
                let row = reference.rowID.map { " #\($0)" } ?? ""
                let column = reference.column.map { ".\($0)" } ?? ""
                try report(
                    "table \(reference.table)\(column)\(row): it refers to a row of \(reference.target) that does not "
                        + "exist")
            }
        } catch let error as StoreError { throw InspectorError(error, path: file.path) }
    }

    /// Compares the description with the tables.
    private func checkMetadata() throws {
        let schema = file.connection.schema.readAhead()
        let found = try file.rows(
            """
            SELECT c.name, c.table_name, p.name, p.column_name FROM po_class AS c \
            LEFT JOIN po_property AS p ON p.class = c.id AND p.column_name IS NOT NULL AND p.flags & 1 = 0 \
            ORDER BY c.name, p.position
            """, limit: 1_000_000)
        var missing: Set<String> = []
        for row in found.rows {
            guard let className = row[0].text, let name = row[1].text else { continue }
            guard let table = try schema.table(name) else {
                if missing.insert(name).inserted { try report("\(className): its table \(name) does not exist") }
                continue
            }
            guard let property = row[2].text, let column = row[3].text else { continue }
            if !table.columns.contains(where: { $0.name.lowercased() == column.lowercased() }) {
                try report("\(className).\(property): its column \(column) does not exist")
            }
        }
    }

    /// Reads all values of a class and its subclasses, and the elements of their collections.
    private func checkValues(of root: ClassDescription) throws {
        let family = file.sortedClasses.filter { file.classes.isClass($0.name, root.name) && $0.table == root.table }
        var columns: [String] = []
        for property in family.flatMap(\.properties) where property.hasColumn && !columns.contains(property.storage) {
            columns.append(property.storage)
        }
        let selected = ["id"] + (root.hasClassColumn ? ["class"] : []) + columns
        let first = selected.count - columns.count
        try file.withStatement("SELECT \(names: selected) FROM \(name: root.table) ORDER BY \"id\"") { statement in
            while try statement.step() {
                let row = InspectedFile.row(statement)
                guard case .integer(let id) = row[0] else { continue }
                var own = root
                if root.hasClassColumn {
                    guard let name = row[1].text, let found = family.first(where: { $0.name == name }) else {
                        try report("\(root.name) #\(id): the file does not describe its class")
                        continue
                    }
                    own = found
                }
                let value = { (property: PropertyDescription) in
                    columns.firstIndex(of: property.storage).map { row[first + $0] } ?? .null
                }
                for property in own.properties where property.hasColumn {
                    if let embedding = own.optionalEmbedding(of: property), embedding.presence.name == property.name,
                        value(property) == .null, let field = embedding.fields.first(where: { value($0) != .null })
                    {
                        try report(
                            "\(own.name).\(field.name) #\(id): it has a value, although \(embedding.name) is nil")
                    }
                    guard let place = columns.firstIndex(of: property.storage) else { continue }
                    let value = row[first + place]
                    if let fault = file.classes.fault(of: value, property.name, of: own.name) {
                        try report("\(own.name).\(property.name) #\(id): \(fault)")
                    }
                }
            }
        }
        try checkSequence(of: root)
        var seen: Set<String> = []
        for aClass in family {
            for property in aClass.properties where property.kind.isCollection && seen.insert(property.storage).inserted
            {
                try checkElements(of: property, aClass)
            }
        }
    }

    private func checkSequence(of root: ClassDescription) throws {
        guard !file.isOnServer,
            case .integer(let greatest)? = try file.rows("SELECT max(\"id\") FROM \(name: root.table)").rows.first?[0]
        else { return }
        let recorded = try file.connection.upkeep().greatestID(of: root.table)
        if let recorded, recorded < greatest {
            try report(
                "\(root.name): the recorded largest id is \(recorded), but row \(greatest) exists, so an id could be "
                    + "reused")
        }
    }

    private func checkElements(of property: PropertyDescription, _ aClass: ClassDescription) throws {
        let table = "\(aClass.table)_\(property.storage)"
        let value = property.target == nil ? "value" : "value_id"
        let isDictionary = property.kind == .dictionary
        let columns = ["owner_id", value] + (isDictionary ? ["key"] : [])
        try file.withStatement("SELECT \(names: columns) FROM \(name: table) ORDER BY \"owner_id\"") { statement in
            while try statement.step() {
                let row = InspectedFile.row(statement)
                let owner = ValueText.cell(row[0], type: nil)
                for (place, isKey) in [(1, false), (2, true)] where place < row.count {
                    let fault = file.classes.elementFault(
                        of: row[place], isKey: isKey, property.name, of: aClass.name)
                    if let fault {
                        try report(
                            "\(aClass.name).\(property.name) #\(owner), \(isKey ? "a key" : "an element"): \(fault)")
                    }
                }
            }
        }
    }
}

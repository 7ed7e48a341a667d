internal import PersistentObjects
internal import StoreEngine

/// The result of a finder, which is compiled as in a program with the class.
enum Find {
    static func run(_ call: CommandCall) throws -> Bool {
        let file = try call.file()
        let text = try FinderText(call.words[0])
        let description = try file.description(of: text.className)
        // `Person.all()` is no finder, but a program has it.
        let isAll = text.name == "all" && text.arguments.isEmpty
        let finder = try FinderCall(
            className: text.className, name: isAll ? "listOrderById" : text.name, arguments: text.arguments
        ).compiled(in: file)
        if call.has("--plan") {
            try Plan.write(finder.sql, finder.values, of: file, call)
            return false
        }
        try write(finder, description, file, call)
        return false
    }

    private static func write(
        _ finder: DescribedFinder, _ description: ClassDescription, _ file: InspectedFile, _ call: CommandCall
    ) throws {
        switch finder.results {
        case .objects(let count, let isReversed):
            var limit = try call.limit()
            if let count { limit = min(limit, count) }
            let wanted = count.map { min($0, limit + 1) } ?? limit + 1
            try writeObjects(finder, wanted: wanted, limit: limit, isReversed, description, file, call)
        case .onlyObject:
            let found = try rows(finder, 2, file)
            guard found.rows.count == 1 else {
                throw InspectorError(
                    found.rows.isEmpty
                        ? "No object was found, but exactly one was expected."
                        : "Several objects were found, but exactly one was expected.")
            }
            try writeObjects(finder, wanted: 1, limit: 1, false, description, file, call)
        case .count, .exists, .extreme, .sum, .total, .average:
            try call.write(value(finder, description, file))
        case .ids:
            let limit = try call.limit()
            let found = try file.rows(finder.sql, finder.values)
            var ids = found.rows
            // Without an order in its name, a program sorts the ids.
            if !finder.isOrdered { ids.sort { $0[0].integer ?? 0 < $1[0].integer ?? 0 } }
            let isCut = found.isCut || ids.count > limit
            let rows = TypedRows(columns: [.init(name: "id")], rows: Array(ids.prefix(limit)))
            try call.write(rows, isCut: isCut, limit: limit)
        }
    }

    private static func rows(_ finder: DescribedFinder, _ limit: Int, _ file: InspectedFile) throws -> RowSet {
        try file.rows(finder.limited ?? finder.sql, finder.values + [.integer(Int64(limit))])
    }

    private static func writeObjects(
        _ finder: DescribedFinder, wanted: Int, limit: Int, _ isReversed: Bool, _ description: ClassDescription,
        _ file: InspectedFile, _ call: CommandCall
    ) throws {
        let found = try rows(finder, wanted, file)
        let columns = ["id"] + finder.columns
        let properties = Dictionary(description.properties.map { ($0.name, $0) }) { first, _ in first }
        let typed = columns.map { name in
            TypedRows.Column(
                name: name, type: properties[name]?.shownType, isJSON: properties[name]?.isJSON ?? false)
        }
        var rows = found.rows.prefix(limit).map { Array($0.prefix(columns.count)) }
        if isReversed { rows.reverse() }
        try call.write(TypedRows(columns: typed, rows: rows), isCut: found.rows.count > limit, limit: limit)
    }

    private static func value(
        _ finder: DescribedFinder, _ description: ClassDescription, _ file: InspectedFile
    ) throws -> String {
        let row = try file.rows(finder.sql, finder.values).rows.first ?? [.null]
        let count = row.count > 1 ? row[1].integer ?? 0 : 0
        switch finder.results {
        case .exists: return row[0] == .integer(0) ? "false" : "true"
        case .extreme(let name):
            let property = description.properties.first { $0.name == name }
            return ValueText.cell(row[0], type: property?.shownType)
        case .sum where count == 0: return "nil"
        case .average:
            guard count > 0, let total = row[0].number else { return "nil" }
            return "\(total / Double(count))"
        default: return ValueText.cell(row[0], type: nil)
        }
    }
}

internal import PersistentObjects
internal import StoreEngine

/// The frequent values of a class's properties, among the objects that meet the conditions of a page.
enum Facets {
    /// The number of objects of a class up to which facets are shown at once.
    private static let immediate = 5000
    private static let values = 12

    /// The number of objects that meet conditions, up to the limit and one more.
    static func count(_ conditions: PageConditions, _ description: ClassDescription, _ file: InspectedFile) throws
        -> Int
    {
        guard !conditions.conditions.isEmpty else { return try file.count(of: description) }
        let ids = try conditions.finder("ids", isOrdered: false, in: file).compiled(in: file)
        return try file.count("(\(ids.sql)) AS \"found\"", ids.values)
    }

    static func sections(
        _ conditions: PageConditions, _ description: ClassDescription, count: Int, _ call: PageCall,
        _ file: InspectedFile
    ) throws -> [PageContent.Section] {
        let possible = description.properties.filter { property in
            property.hasColumn && !property.isUnique && !property.isLazy && !property.isEncrypted
                && (property.kind == .reference || property.kind == .scalar && property.columnType != "BLOB")
        }
        let few = possible.filter { $0.kind == .reference || $0.type == "Bool" || $0.type.contains(": ") }
        var chosen = call["facet"].map { [$0] } ?? []
        if chosen.isEmpty, count <= immediate { chosen = few.prefix(4).map(\.name) }
        let facets = try possible.filter { chosen.contains($0.name) }.compactMap {
            try facet($0, conditions, description, count: count, file)
        }
        let others = possible.filter { !chosen.contains($0.name) }.prefix(40).map { property in
            PageContent.Cell(property.name, link: conditions.address(("facet", property.name)))
        }
        guard count > 0, !facets.isEmpty || !others.isEmpty else { return [] }
        return [.heading("Values")] + (facets.isEmpty ? [] : [.facets(facets)])
            + (others.isEmpty ? [] : [.links(Array(others))])
    }

    private static func facet(
        _ property: PropertyDescription, _ conditions: PageConditions, _ description: ClassDescription, count: Int,
        _ file: InspectedFile
    ) throws -> PageContent.Facet? {
        var (source, values): (SQL, [DatabaseValue]) = (try file.source(of: description), [])
        if !conditions.conditions.isEmpty {
            let ids = try conditions.finder("ids", isOrdered: false, in: file).compiled(in: file)
            (source, values) = ("\(name: description.table) WHERE \"id\" IN (\(ids.sql))", ids.values)
        }
        let limit: SQL = "\(number: Bounds.count)"
        let sql: SQL = """
            SELECT "value", count(*) FROM (SELECT \(name: property.storage) AS "value" FROM \(source) LIMIT \(limit)) AS "values" \
            GROUP BY 1 ORDER BY 2 DESC, 1
            """
        let found = try file.rows(sql, values, limit: Facets.values)
        guard !found.rows.isEmpty else { return nil }
        var titles: [Int64: String] = [:]
        if let target = property.target {
            titles = try file.titles(of: found.rows.compactMap { $0[0].integer }, target)
        }
        let shown = found.rows.map { row -> (PageContent.Cell, count: Int) in
            let cell = PropertyValues.cell(row[0], property)
            let text = row[0].integer.flatMap { titles[$0] } ?? cell.text
            let isNil = row[0] == .null
            let full = ValueText.text(row[0], type: property.shownType)
            let next = conditions.adding(property.name, isNil ? .isNil : .equal, isNil ? "" : full)
            // Values of other types are not written as they are read.
            let isPlain = property.kind == .reference || isNil || full.count <= Bounds.characters
            return (.init(text, link: isPlain ? next.address() : nil, cell.kind), Int(row[1].integer ?? 0))
        }
        let remarks =
            (count > Bounds.count ? ["among the first \(Bounds.grouped(Bounds.count)) objects"] : [])
            + (found.isCut ? ["the most frequent \(Facets.values) values"] : [])
        return PageContent.Facet(
            name: property.name, values: shown, remark: remarks.isEmpty ? nil : remarks.joined(separator: ", "))
    }
}

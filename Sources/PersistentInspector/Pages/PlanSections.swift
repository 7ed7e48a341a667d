internal import PersistentObjects
internal import StoreEngine

/// The SQL and the plan of a statement, with the index that would help.
enum PlanSections {
    static func sections(of finder: DescribedFinder, in file: InspectedFile) throws -> [PageContent.Section] {
        try sections(finder.sql, finder.values, advice: finder.indexAdvice, in: file)
    }

    static func sections(
        _ sql: SQL, _ values: [DatabaseValue], advice: String?, in file: InspectedFile
    ) throws -> [PageContent.Section] {
        let lines = try PlanSections.lines(sql, values, in: file)
        let bound = values.enumerated().map { "?\($0 + 1) = \(ValueText.quoted($1, type: nil))" }
        var sections: [PageContent.Section] = [.plan(lines), .lines([sql.text] + bound)]
        if let advice, lines.contains(where: \.isScan) {
            sections.insert(.note("The statement reads all rows. To avoid that, \(advice).", .warning), at: 0)
        }
        return sections
    }

    static func lines(_ sql: SQL, _ values: [DatabaseValue], in file: InspectedFile) throws -> [PageContent.PlanLine] {
        try Plan.lines(sql, values, of: file).map { .init(depth: $0.depth, text: $0.text, isScan: $0.isScan) }
    }
}

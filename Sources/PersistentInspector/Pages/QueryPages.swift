internal import PersistentObjects
internal import StoreEngine

/// A finder with its result, its time and its plan.
enum FinderPage {
    static func content(_ call: PageCall) throws -> PageContent {
        let form = PageForm(
            "/find", .box,
            [
                [
                    .init(
                        name: "q", label: "finder", value: call["q"] ?? "",
                        kind: .line(hint: "Person.findByLastNameAndAge(\"Smith\", 39)"))
                ]
            ], button: "Find")
        guard let text = call["q"] else {
            return PageContent(
                title: "Finder",
                sections: [.form(form), .note("Write a finder as in Swift: CLASS.FINDER(VALUES).", .info)])
        }
        do {
            return PageContent(title: "Finder", sections: [.form(form)] + (try sections(text, call)))
        } catch let error as InspectorError {
            return PageContent(title: "Finder", sections: [.form(form), .note(error.description, .warning)])
        }
    }

    private static func sections(_ text: String, _ call: PageCall) throws -> [PageContent.Section] {
        let file = try call.file()
        let written = try FinderText(text)
        let description = try file.description(of: written.className)
        let isAll = written.name == "all" && written.arguments.isEmpty
        let finder = try FinderCall(
            className: written.className, name: isAll ? "listOrderById" : written.name, arguments: written.arguments
        ).compiled(in: file)
        let start = ContinuousClock.now
        let results = try self.results(finder, description, call, file)
        let time = ContinuousClock.now - start
        return [.note("Time: \(QueryTime.text(time))", .info)] + results + [.heading("Plan")]
            + (try PlanSections.sections(of: finder, in: file))
    }

    private static func results(
        _ finder: DescribedFinder, _ description: ClassDescription, _ call: PageCall, _ file: InspectedFile
    ) throws -> [PageContent.Section] {
        var limit = call.limit
        var isReversed = false
        switch finder.results {
        case .objects(let count, let reversed):
            if let count { limit = min(limit, count) }
            isReversed = reversed
        case .onlyObject: limit = 2
        case .count, .exists, .ids, .extreme, .sum, .total, .average:
            return [.lines(try call.lines(["find", "--limit", "\(limit)", "--", call["q"] ?? ""]))]
        }
        // The ids are read first, so that long bytes of the objects are only measured.
        let found = try file.rows(
            finder.limitedIDs ?? finder.sql, finder.values + [.integer(Int64(limit + 1))], limit: limit)
        var rows = try file.rows(found.rows.compactMap { $0[0].integer }, finder.columns, of: description)
        if isReversed { rows.reverse() }
        if finder.results == .onlyObject, rows.count != 1 {
            let text = rows.isEmpty ? "No object was found" : "Several objects were found"
            return [.note("\(text), but exactly one was expected.", .warning)]
        }
        guard !rows.isEmpty else { return [.note("No objects", .info)] }
        let described = Dictionary(description.properties.map { ($0.name, $0) }) { first, _ in first }
        let properties = finder.columns.map { described[$0] }
        let columns =
            [PageContent.Cell("id", .number)]
            + zip(finder.columns, properties).map { .init($0, PropertyValues.isNumber($1) ? .number : .plain) }
        let table = PageContent.Table(
            columns, try PropertyValues.rows(rows, properties, of: description.name, in: file))
        return [.table(table)] + (found.isCut ? [.note("There are more than \(limit) objects.", .info)] : [])
    }
}

/// A statement that reads, with its result, its time and its plan.
enum StatementPage {
    static func content(_ call: PageCall) throws -> PageContent {
        let form = PageForm(
            "/sql", .editor, [[.init(name: "q", label: "statement", value: call["q"] ?? "", kind: .area)]],
            button: "Run")
        guard let text = call["q"] else { return PageContent(title: "SQL", sections: [.form(form)]) }
        do {
            return PageContent(title: "SQL", sections: [.form(form)] + (try sections(text, call)))
        } catch let error as InspectorError {
            return PageContent(title: "SQL", sections: [.form(form), .note(error.description, .warning)])
        }
    }

    private static func sections(_ text: String, _ call: PageCall) throws -> [PageContent.Section] {
        let file = try call.file()
        let sql: SQL = "\(raw: RawSQL(text))"
        let start = ContinuousClock.now
        let found = try file.shownRows(text, limit: call["limit"] == nil ? 200 : call.limit)
        let time = ContinuousClock.now - start
        let isNumber = found.columns.indices.map { column in
            !found.rows.isEmpty
                && found.rows.allSatisfy { row in
                    switch row[column] {
                    case .integer, .real, .null: true
                    case .text, .blob: false
                    }
                }
        }
        let columns = zip(found.columns, isNumber).map { PageContent.Cell($0, $1 ? .number : .plain) }
        let rows = found.rows.map { row in
            zip(row, isNumber).map { value, isNumber -> PageContent.Value in
                .text(
                    ValueText.cell(value, type: nil), value == .null ? .faint : isNumber ? .number : .plain)
            }
        }
        let count = "\(Bounds.grouped(rows.count)) \(rows.count == 1 ? "row" : "rows")"
        let cut = found.isCut ? "The first \(count). " : "\(count). "
        return [
            .note("\(cut)Time: \(QueryTime.text(time))", .info), .table(.init(columns, rows)), .heading("Plan"),
            .plan(try PlanSections.lines(sql, [], in: file)),
        ]
    }
}

/// The time of a statement.
enum QueryTime {
    /// In milliseconds with one decimal place.
    static func text(_ time: Duration) -> String {
        let tenths = time.components.seconds * 10_000 + time.components.attoseconds / 100_000_000_000_000
        return "\(Bounds.grouped(Int(tenths / 10))).\(tenths % 10) ms"
    }
}

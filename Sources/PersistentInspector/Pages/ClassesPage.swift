internal import PersistentObjects
internal import StoreEngine

/// The classes of the file.
enum ClassesPage {
    /// The size of a file up to which the sizes of tables are measured for this page, which reads the whole file.
    private static let measured = 64 << 20

    static func content(_ call: PageCall) throws -> PageContent {
        let file = try call.file()
        var sections: [PageContent.Section] = []
        if file.origin == .store {
            sections.append(search(nil))
            sections.append(.table(try table(of: file)))
            let classes = file.sortedClasses
            if classes.count <= DiagramPage.limit,
                classes.contains(where: { $0.properties.contains { $0.target != nil } })
            {
                sections.append(.links([.init("diagram of the classes", link: PageLink.path("diagram"))]))
            }
        } else {
            sections.append(.note(file.noDescription, .warning))
        }
        let facts = try call.lines(["summary"]).prefix { !$0.isEmpty }
        return PageContent(title: "Classes", sections: sections + [.heading("File"), .lines(Array(facts))])
    }

    static func search(_ text: String?) -> PageContent.Section {
        .form(
            PageForm(
                "/search", .box,
                [[.init(name: "q", label: "search", value: text ?? "", kind: .line(hint: "a string, or an id"))]],
                button: "Search"))
    }

    private static func table(of file: InspectedFile) throws -> PageContent.Table {
        let isMeasured = try file.isOnServer || file.connection.upkeep().facts().fileSize <= ClassesPage.measured
        let sizes = isMeasured ? try file.tableSizes() ?? [:] : [:]
        var columns = [
            PageContent.Cell("class"), .init("superclass"), .init("table"), .init("properties", .number),
            .init("objects", .number),
        ]
        if !sizes.isEmpty { columns.append(.init("bytes", .number)) }
        let rows = try file.sortedClasses.map { aClass -> [PageContent.Value] in
            var row: [PageContent.Value] = [
                .cell(.aClass(aClass.name)), .cell(aClass.superclass.map { .aClass($0) } ?? .init("")),
                .text(aClass.table, .code), .text("\(aClass.properties.count)", .number),
                .text(Bounds.shown(try file.count(of: aClass)), .number),
            ]
            guard !sizes.isEmpty else { return row }
            // The rows of a subclass are in the table of its superclass.
            let isShared = aClass.superclass.flatMap { file.classes.descriptions[$0] }?.table == aClass.table
            let size = sizes[aClass.table].map { Bounds.grouped($0.rows + $0.indexes) } ?? ""
            row.append(.text(isShared ? "" : size, .number))
            return row
        }
        return PageContent.Table(columns, rows)
    }
}

/// The properties, indexes and statements of a class.
enum DescriptionPage {
    static func content(_ call: PageCall, _ name: String) throws -> PageContent {
        let description = try call.lines(["classes", "--", name])
        return PageContent(
            title: "Description of \(name)", trail: [.aClass(name)],
            sections: [
                .lines(description), .heading("SQL"), .lines(try call.lines(["classes", "--sql", "--", name])),
            ])
    }
}

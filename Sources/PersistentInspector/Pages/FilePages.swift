internal import PersistentObjects
internal import StoreEngine

/// The bytes of each table and its indexes, as bars.
enum SizesPage {
    static func content(_ call: PageCall) throws -> PageContent {
        let file = try call.file(isLimited: false)
        let sizes = try Sizes.sorted(in: file)
        let largest = Double(max(sizes.first.map { $0.rows + $0.indexes } ?? 1, 1))
        let rows = sizes.map { size -> [PageContent.Value] in
            let total = size.rows + size.indexes
            return [
                .text(size.table, .code), .cell(size.className.map { .aClass($0) } ?? .init("")),
                .bar(Double(total) / largest), .text(Bounds.grouped(size.rows), .number),
                .text(Bounds.grouped(size.indexes), .number), .text(Bounds.grouped(total), .number),
            ]
        }
        return PageContent(
            title: "Sizes",
            sections: [
                .table(
                    .init(
                        [
                            .init("table"), .init("class"), .init(""), .init("rows", .number),
                            .init("indexes", .number), .init("bytes", .number),
                        ], rows))
            ])
    }
}

/// The problems of the file.
enum CheckPage {
    static func content(_ call: PageCall) throws -> PageContent {
        // The check reads the whole file, so it runs only on demand.
        guard call["run"] != nil else {
            let form = PageForm(
                "/check", .editor, [[.init(name: "run", label: "", value: "1", kind: .hidden)]],
                button: "Check the file")
            return PageContent(
                title: "Check",
                sections: [
                    .note(
                        "The check reads the whole file. It finds damage, dangling references, and values that are not "
                            + "of their property's type.", .info), .form(form),
                ])
        }
        let lines = try call.lines(["check"])
        guard lines.count > 1 else { return PageContent(title: "Check", sections: [.note("No problems", .good)]) }
        return PageContent(
            title: "Check", sections: [.note(lines.last ?? "", .warning), .lines(lines.dropLast())])
    }
}

/// The changes of the classes.
enum SchemaHistoryPage {
    static func content(_ call: PageCall) throws -> PageContent {
        let file = try call.file()
        let (entries, isCut) = try SchemaHistory.entries(of: file, limit: Bounds.rows)
        guard !entries.isEmpty else {
            return PageContent(title: "History", sections: [.note("The file records no changes of classes.", .info)])
        }
        let changes = entries.reversed().map { entry in
            PageContent.Change(
                time: entry.time, author: "\(entry.app), library version \(entry.library)",
                title: entry.className ?? "file",
                lines: entry.sql.split(whereSeparator: \.isNewline).map {
                    VisibleText.of(String($0), Bounds.characters)
                })
        }
        return PageContent(
            title: "History",
            sections: [.changes(changes)] + (isCut ? [.note("The latest \(Bounds.rows) changes", .info)] : []))
    }
}

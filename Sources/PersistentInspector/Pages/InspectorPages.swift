internal import PersistentObjects
internal import StoreEngine

/// The pages of a file, by their paths.
package struct InspectorPages: Sendable {
    package let path: String
    /// Changes objects; nil if the file is only read.
    package let editor: (any InspectorEditor)?

    package init(path: String, editor: (any InspectorEditor)? = nil) {
        self.path = path
        self.editor = editor
    }

    /// The name of the file, without its folder.
    package var fileName: String {
        ServerAddress.shown(path).split(separator: "/").last.map(String.init) ?? path
    }

    /// The page at a path such as `/object/Person/1`; nil if there is no such page.
    ///
    /// - Throws: `InspectorError` with the reason that the page cannot be shown.
    package func page(_ address: String, _ query: [String: String]) throws -> PageContent? {
        let parts = address.split(separator: "/").map(String.init)
        let call = PageCall(path: path, query: query, editor: editor)
        do {
            switch (parts.first, parts.count) {
            case (nil, _): return try ClassesPage.content(call)
            case ("class", 2): return try ClassPage.content(call, parts[1])
            case ("class", 3) where parts[2] == "description": return try DescriptionPage.content(call, parts[1])
            case ("object", 3): return try ObjectPage.content(call, parts[1], parts[2])
            case ("object", 4) where parts[3] == "graph": return try GraphPage.content(call, parts[1], parts[2])
            case ("object", 4) where parts[3] == "history": return try HistoryPage.content(call, parts[1], parts[2])
            case ("linked", 4): return try LinkedPage.content(call, parts[1], parts[2], parts[3])
            case ("diagram", 1): return try DiagramPage.content(call)
            case ("search", 1): return try SearchPage.content(call)
            case ("find", 1): return try FinderPage.content(call)
            case ("sql", 1): return try StatementPage.content(call)
            case ("sizes", 1): return try SizesPage.content(call)
            case ("check", 1): return try CheckPage.content(call)
            case ("history", 1): return try SchemaHistoryPage.content(call)
            case ("edit", 3) where editor != nil: return try EditPage.content(call, parts[1], parts[2])
            case ("new", 2) where editor?.creates == true: return try EditPage.new(call, parts[1])
            case ("delete", 3) where editor != nil: return try DeletePage.content(call, parts[1], parts[2])
            case ("live", 1): return PageContent(title: "Live changes", sections: [.liveChanges])
            default: return nil
            }
        } catch let error as StoreError { throw InspectorError("\(error)") }
    }

    /// A file that a page shows or offers, such as a picture; nil if there is no such file.
    package func resource(_ address: String, _ query: [String: String]) throws -> PageResource? {
        let parts = address.split(separator: "/").map(String.init)
        let call = PageCall(path: path, query: query, editor: editor)
        do {
            switch (parts.first, parts.count) {
            case ("data", 4): return try PageResource.data(call, parts[1], parts[2], parts[3])
            case ("classes.svg", 1): return try DiagramPage.drawing(call)
            case ("graph.svg", 3): return try GraphPage.drawing(call, parts[1], parts[2])
            default: return nil
            }
        } catch let error as StoreError { throw InspectorError("\(error)") }
    }

    /// Runs the edit of a form that was sent to a path.
    ///
    /// - Returns: The path of the page to show, or the form again with the reason that it was refused; nil if there is
    ///   no such form.
    package func submit(_ address: String, _ form: [String: String]) throws -> EditOutcome? {
        let parts = address.split(separator: "/").map(String.init)
        guard let editor else { return nil }
        let call = PageCall(path: path, query: form, editor: editor)
        do {
            switch (parts.first, parts.count) {
            case ("edit", 3): return try EditPage.submit(call, editor, parts[1], parts[2])
            case ("new", 2) where editor.creates: return try EditPage.submitNew(call, editor, parts[1])
            case ("delete", 3): return try DeletePage.submit(call, editor, parts[1], parts[2])
            case ("undo", 1):
                try editor.undo()
                return .done("/")
            default: return nil
            }
        } catch let error as StoreError { throw InspectorError("\(error)") }
    }

    /// The form that undoes the last edit; nil if there is none.
    package var undo: PageContent.Section? {
        editor?.undoName.map { name in .form(PageForm("/undo", .editor, [], button: "Undo: \(name)", isPost: true)) }
    }
}

/// The outcome of a form that was sent.
package enum EditOutcome: Sendable {
    /// The path of the page to show.
    case done(String)
    /// The form again.
    case refused(PageContent)
}

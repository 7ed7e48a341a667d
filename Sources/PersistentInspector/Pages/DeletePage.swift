internal import PersistentObjects
internal import StoreEngine

/// The effects of a deletion, and the form that deletes.
enum DeletePage {
    static func content(
        _ call: PageCall, _ className: String, _ id: String, problem: String? = nil
    ) throws -> PageContent {
        let file = try call.file()
        let object = try file.object(file.description(of: className), id)
        let name = object.description.name
        let effects = try DeletionEffects(of: object, in: file)
        var sections: [PageContent.Section] = problem.map { [.note($0, .warning)] } ?? []
        if let remark = call.editor?.remark { sections.append(.note(remark, .info)) }
        sections += effects.refusals.map { .note($0, .warning) }
        let lines = effects.lines
        sections.append(
            lines.isEmpty ? .note("The deletion has no effect on other objects.", .info) : .lines(lines))
        if effects.refusals.isEmpty {
            sections.append(
                .form(
                    PageForm(
                        PageLink.path("delete", name, "\(object.id)"), .editor,
                        [[.init(name: "seen", label: "", value: object.state, kind: .hidden)]],
                        button: "Delete \(object.name)", isPost: true, isDangerous: true)))
        }
        return PageContent(
            title: "Delete \(try ObjectPage.title(of: object, in: file))",
            trail: [.aClass(name), .init(object.name, link: PageLink.object(name, object.id))], sections: sections)
    }

    static func submit(
        _ call: PageCall, _ editor: any InspectorEditor, _ className: String, _ id: String
    ) throws -> EditOutcome {
        let object = try call.object(className, id)
        do { try editor.delete(object.description.name, object.id, seen: call["seen"] ?? "") } catch let error
            as InspectorError
        {
            return .refused(try content(call, className, id, problem: error.description))
        }
        return .done(PageLink.path("class", object.description.name))
    }
}

internal import PersistentObjects
internal import StoreEngine

/// The form that changes or creates an object.
enum EditPage {
    static func content(
        _ call: PageCall, _ className: String, _ id: String, problem: String? = nil
    ) throws -> PageContent {
        let file = try call.file()
        let object = try file.object(file.description(of: className), id, isWhole: false)
        let name = object.description.name
        let fields = EditFields(object.description, object, hasClasses: call.editor?.creates == true)
        let form = PageForm(
            PageLink.path("edit", name, "\(object.id)"), .editor, fields.rows(sent: problem == nil ? nil : call.query),
            button: "Save", isPost: true)
        return PageContent(
            title: "Edit \(object.name)",
            trail: [.aClass(name), .init(object.name, link: PageLink.object(name, object.id))],
            sections: notes(problem, call) + [.form(form)] + fields.omitted)
    }

    static func new(_ call: PageCall, _ className: String, problem: String? = nil) throws -> PageContent {
        let file = try call.file()
        let fields = EditFields(try file.description(of: className), nil, hasClasses: true)
        let form = PageForm(
            PageLink.path("new", className), .editor, fields.rows(sent: problem == nil ? nil : call.query),
            button: "Create", isPost: true)
        let remark = PageContent.Section.note("Empty fields keep the initial values of the class.", .info)
        return PageContent(
            title: "New \(className)", trail: [.aClass(className)],
            sections: notes(problem, call) + [remark, .form(form)] + fields.omitted)
    }

    private static func notes(_ problem: String?, _ call: PageCall) -> [PageContent.Section] {
        (problem.map { [.note($0, .warning)] } ?? []) + (call.editor?.remark.map { [.note($0, .info)] } ?? [])
    }

    static func submit(
        _ call: PageCall, _ editor: any InspectorEditor, _ className: String, _ id: String
    ) throws -> EditOutcome {
        let object = try call.object(className, id, isWhole: false)
        let fields = EditFields(object.description, object, hasClasses: editor.creates)
        let change = ObjectChange(
            className: object.description.name, id: object.id, fields: try fields.changes(call.query))
        do { try editor.save(change) } catch let error as InspectorError {
            return .refused(try content(call, className, id, problem: error.description))
        }
        return .done(PageLink.object(object.description.name, object.id))
    }

    static func submitNew(_ call: PageCall, _ editor: any InspectorEditor, _ className: String) throws -> EditOutcome {
        let fields = EditFields(try call.file().description(of: className), nil, hasClasses: true)
        let change = ObjectChange(className: className, id: 0, fields: try fields.changes(call.query))
        do { return .done(PageLink.object(className, try editor.create(change))) } catch let error as InspectorError {
            return .refused(try new(call, className, problem: error.description))
        }
    }
}

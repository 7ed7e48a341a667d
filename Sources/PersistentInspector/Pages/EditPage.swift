internal import PersistentObjects
internal import StoreEngine

/// The form that changes or creates an object.
enum EditPage {
    static func content(
        _ call: PageCall, _ className: String, _ id: String, problem: String? = nil
    ) throws -> PageContent {
        let file = try call.file()
        let object = try file.object(file.description(of: className), id)
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
        let object = try call.object(className, id)
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

/// The fields of an object in a form.
struct EditFields {
    private let description: ClassDescription
    /// Nil for a new object.
    private let object: StoredObject?
    private let properties: [PropertyDescription]
    private let others: [(name: String, reason: String)]

    /// - Parameter hasClasses: Whether the program's classes write the values.
    init(_ description: ClassDescription, _ object: StoredObject?, hasClasses: Bool) {
        self.description = description
        self.object = object
        var (properties, others): ([PropertyDescription], [(name: String, reason: String)]) = ([], [])
        for property in description.properties {
            let isKey = property.name == "key" && description.hasKey
            let reason =
                if hasClasses, property.kind == .value || isKey && object == nil {
                    String?.none
                } else if case .blob(let bytes)? = object?.values[property.name], bytes.count > 1000,
                    property.kind == .scalar
                {
                    "it has \(Bounds.grouped(bytes.count)) bytes"
                } else {
                    ObjectEdit.refusal(of: property, in: description)
                }
            if let reason { others.append((property.name, reason)) } else { properties.append(property) }
        }
        self.properties = properties
        self.others = others
    }

    /// The remark about properties without a field.
    var omitted: [PageContent.Section] {
        guard !others.isEmpty else { return [] }
        let rows = others.map { [PageContent.Value.text($0.name, .code), .text($0.reason, .faint)] }
        return [.heading("Not editable here"), .table(.init(["property", "reason"], rows))]
    }

    /// - Parameter sent: The fields that were refused.
    func rows(sent: [String: String]?) -> [[PageForm.Field]] {
        properties.map { property in
            let name = property.name
            let value = object?.values[name] ?? .null
            let text = sent?["v.\(name)"] ?? EditFields.text(value, property)
            var row = [field(property, text)]
            if property.isOptional {
                let isNil = sent.map { $0["n.\(name)"] != nil } ?? (object != nil && value == .null)
                row.append(.init(name: "n.\(name)", label: "", value: isNil ? "1" : "", kind: .check("nil")))
            }
            if object != nil {
                let shown = sent?["s.\(name)"] ?? PlaceText.text(value)
                row.append(.init(name: "s.\(name)", label: "", value: shown, kind: .hidden))
            }
            return row
        }
    }

    private func field(_ property: PropertyDescription, _ text: String) -> PageForm.Field {
        let kind: PageForm.Field.Kind
        if property.type == "Bool", property.kind == .scalar {
            kind = .choice(
                (object == nil || property.isOptional ? [("", "")] : []) + [("true", "true"), ("false", "false")])
        } else if !property.cases.isEmpty {
            let isKnown = property.cases.contains(text)
            let first =
                object == nil || property.isOptional || !isKnown
                ? [(value: text == "" || isKnown ? "" : text, label: isKnown ? "" : text)] : []
            kind = .choice(first + property.cases.map { ($0, $0) })
        } else if property.kind == .value || text.count > 100 || text.contains(where: \.isNewline) {
            kind = .area
        } else {
            kind = .line(hint: property.kind == .reference ? "id of a \(property.target ?? "")" : property.spelledType)
        }
        return .init(name: "v.\(property.name)", label: property.name, value: text, kind: kind)
    }

    /// A value as the text of a field; empty for nil.
    private static func text(_ value: DatabaseValue, _ property: PropertyDescription) -> String {
        switch value {
        case .null: return ""
        case .blob(let bytes) where !property.isJSON && property.shownType != "UUID":
            return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        default: return ValueText.text(value, type: property.shownType, isJSON: property.isJSON)
        }
    }

    /// The fields that were changed in a form.
    func changes(_ sent: [String: String]) throws -> [ObjectChange.Field] {
        properties.compactMap { property in
            let name = property.name
            // Browsers send line breaks as two characters.
            guard let text = sent["v.\(name)"]?.replacing("\r\n", with: "\n") else { return nil }
            let isNil = sent["n.\(name)"] != nil
            guard object != nil else {
                if isNil { return .init(name: name, text: nil, shown: "") }
                return text.isEmpty ? nil : .init(name: name, text: text, shown: "")
            }
            guard let shown = sent["s.\(name)"] else { return nil }
            let old = PlaceText.value(shown) ?? .null
            let isSame = text == EditFields.text(old, property).replacing("\r\n", with: "\n")
            // A text that was entered into a field that was nil is the new value, although nil is still marked.
            if isNil, old != .null || text.isEmpty {
                return old == .null ? nil : .init(name: name, text: nil, shown: shown)
            }
            // A text that was empty because of nil stays nil only if it is marked as nil.
            guard old == .null || !isSame else { return nil }
            return .init(name: name, text: text, shown: shown)
        }
    }
}

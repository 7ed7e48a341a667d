// Forms: the fields of an object in a form, and their texts. It knows objects and their descriptions, and must not know
// addresses.

internal import PersistentObjects
internal import StoreEngine

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
            let isWritten = hasClasses && (property.kind == .value || isKey && object == nil) && !property.isEncrypted
            let reason =
                (isWritten ? nil : ObjectEdit.refusal(of: property, in: description))
                ?? object.flatMap { FormText.refusal(of: $0.values[property.name] ?? .null, property) }
                ?? (hasClasses ? nil : object.flatMap { ObjectEdit.refusal(of: property, embeddedIn: $0) })
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
                let shown = sent?["s.\(name)"] ?? EditFields.shown(value, property)
                row.append(.init(name: "s.\(name)", label: "", value: shown, kind: .hidden))
            }
            return row
        }
    }

    private func field(_ property: PropertyDescription, _ text: String) -> PageForm.Field {
        let kind: PageForm.Field.Kind
        let cases = property.type == "Bool" && property.kind == .scalar ? ["true", "false"] : property.cases
        if !cases.isEmpty {
            let isKnown = cases.contains(text)
            let first =
                object == nil || property.isOptional || !isKnown
                ? [(value: text == "" || isKnown ? "" : text, label: isKnown ? "" : text)] : []
            kind = .choice(first + cases.map { ($0, $0) })
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
            return Hexadecimal.text(bytes).uppercased()
        default: return ValueText.text(value, type: property.shownType, isJSON: property.isJSON)
        }
    }

    /// What a form remembers of a value: whether it is nil, the value, and the text that was shown.
    private static func shown(_ value: DatabaseValue, _ property: PropertyDescription) -> String {
        [value == .null ? "n" : "v", Fingerprint.of(value), Fingerprint.of(FormText.sent(text(value, property)))]
            .joined(separator: ".")
    }

    /// The fields that were changed in a form.
    func changes(_ sent: [String: String]) throws -> [ObjectChange.Field] {
        properties.compactMap { property in
            let name = property.name
            guard let text = sent["v.\(name)"].map(FormText.sent) else { return nil }
            let isNil = sent["n.\(name)"] != nil
            guard object != nil else {
                if isNil { return .init(name: name, text: nil, shown: "") }
                return text.isEmpty ? nil : .init(name: name, text: text, shown: "")
            }
            guard let shown = sent["s.\(name)"]?.split(separator: ".").map(String.init) else { return nil }
            // A form that this program has not made has no value that the object could still have.
            let (wasNil, old) = (shown.first == "n", shown.count == 3 ? shown[1] : "")
            let isSame = shown.count == 3 && shown[2] == Fingerprint.of(text)
            // A text that was entered into a field that was nil is the new value, although nil is still marked.
            if isNil, !wasNil || text.isEmpty { return wasNil ? nil : .init(name: name, text: nil, shown: old) }
            // A text that was empty because of nil stays nil only if it is marked as nil.
            guard wasNil || !isSame else { return nil }
            let written = object?.values[name]?.text.map { FormText.written(text, like: $0) } ?? text
            return .init(name: name, text: written, shown: old)
        }
    }
}

internal import PersistentObjects
internal import StoreEngine

/// The values of properties as contents of pages.
enum PropertyValues {
    typealias Cell = PageContent.Cell
    typealias Value = PageContent.Value

    /// The rows of objects of a class. The first value of a row is the id.
    ///
    /// - Parameter properties: The properties of the values after the id; nil for the class of a row.
    static func rows(
        _ rows: [[DatabaseValue]], _ properties: [PropertyDescription?], of className: String, in file: InspectedFile
    ) throws -> [[Value]] {
        let titles = try properties.enumerated().map { index, property -> [Int64: String] in
            guard let property, property.kind == .reference, let target = property.target else { return [:] }
            return try file.titles(of: rows.compactMap { $0[index + 1].integer }, target)
        }
        return rows.map { row in
            let id = row[0].integer ?? 0
            let first = Value.cell(Cell("\(id)", link: PageLink.object(className, id), .number))
            return [first]
                + properties.enumerated().map { index, property in
                    let value = row[index + 1]
                    if let id = value.integer, let title = titles[index][id], let target = property?.target {
                        return .cell(Cell(title, link: PageLink.object(target, id)))
                    }
                    return .cell(cell(value, property))
                }
        }
    }

    /// A value on one line.
    static func cell(_ value: DatabaseValue, _ property: PropertyDescription?) -> Cell {
        if case .text(let size) = value, property?.storesBytes == true { return Cell(size, .faint) }
        if case .blob(let bytes) = value, let property, !property.isJSON, property.shownType != "UUID" {
            return Cell("\(Bounds.grouped(bytes.count)) bytes", .faint)
        }
        let text = ValueText.cell(value, type: property?.shownType, isJSON: property?.isJSON ?? false)
        return Cell(text, value == .null ? .faint : isNumber(property) ? .number : .plain)
    }

    /// Whether values are aligned to the right.
    static func isNumber(_ property: PropertyDescription?) -> Bool {
        guard let property, property.kind == .scalar, !property.isEncrypted else { return false }
        guard property.type != "Bool", property.type != "Date" else { return false }
        return property.columnType == "INTEGER" || property.columnType == "REAL"
    }

    /// The value of a property on the page of its object.
    static func value(_ property: PropertyDescription, _ object: StoredObject, in file: InspectedFile) throws -> Value {
        switch property.kind {
        case .scalar, .value: return single(property, object)
        case .reference:
            guard let id = object.values[property.name]?.integer, let target = property.target else {
                return .text("nil", .faint)
            }
            return .cell(Cell(try file.titles(of: [id], target)[id] ?? "", link: PageLink.object(target, id)))
        case .array, .set, .dictionary, .inverse:
            let linked = try LinkedElements.of(property, object, in: file)
            guard let linked else {
                return .text(property.kind == .inverse ? "the other side is not described" : "nil", .faint)
            }
            let page = try linked.page(after: nil, limit: 10)
            guard linked.count > 0 else { return .text("empty", .faint) }
            let more = Cell(
                linked.count > page.elements.count ? "all \(Bounds.shown(linked.count))" : "\(linked.count) in total",
                link: PageLink.path("linked", object.description.name, "\(object.id)", property.name))
            return .list(
                page.elements.map { element in
                    let name = element.name.map { "\($0): " } ?? ""
                    return Cell(name + element.cell.text, link: element.cell.link, element.cell.kind)
                }, more: linked.count > 3 ? more : nil)
        }
    }

    private static func single(_ property: PropertyDescription, _ object: StoredObject) -> Value {
        let value = object.values[property.name] ?? .null
        let data = PageLink.path("data", object.description.name, "\(object.id)", property.name)
        let kind = property.isEncrypted ? "encrypted, " : ""
        if case .text(let size) = value, property.storesBytes { return .cell(Cell(kind + size, link: data)) }
        if property.isJSON, value != .null {
            let text = ValueText.text(value, type: nil, isJSON: true)
            return .folded(
                summary: VisibleText.of(text, 80),
                text: VisibleText.lines(of: JSONText.indented(text, Bounds.shownCharacters), Bounds.shownCharacters))
        }
        switch value {
        case .blob(let bytes) where property.shownType != "UUID":
            if !property.isEncrypted, Picture(bytes) != nil {
                return .picture(path: data + "?shown=1", description: "\(Bounds.grouped(bytes.count)) bytes")
            }
            return .cell(Cell("\(kind)\(Bounds.grouped(bytes.count)) bytes", link: data))
        case .text(let text) where text.count > Bounds.characters || text.contains(where: \.isNewline):
            return .folded(summary: VisibleText.of(text, 80), text: VisibleText.lines(of: text, Bounds.shownCharacters))
        case .text where property.shownType == "String":
            return .text(ValueText.quoted(value, type: "String"))
        default: return .cell(Cell(ValueText.cell(value, type: property.shownType), value == .null ? .faint : .plain))
        }
    }
}

extension VisibleText {
    /// Text with its line breaks.
    static func lines(of text: String, _ limit: Int) -> String {
        text.prefix(limit).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { VisibleText.of(String($0), limit) }.joined(separator: "\n") + (text.count > limit ? "…" : "")
    }
}

/// JSON with a line for each member.
enum JSONText {
    /// The text itself if it is not JSON, and cut after a number of characters, because the indentation of deep lists is
    /// longer than they are.
    static func indented(_ text: String, _ limit: Int) -> String {
        var lines = ""
        var size = 0
        var depth = 0
        var isString = false
        var isEscaped = false
        guard text.utf8.count < 1 << 20 else { return text }
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            guard size <= limit else { break }
            size += 1
            if isString {
                lines.append(character)
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isString = false
                }
                continue
            }
            func newLine() {
                let spaces = 2 * max(0, depth)
                lines += "\n" + String(repeating: " ", count: min(spaces, limit))
                size += 1 + spaces
            }
            switch character {
            case "\"":
                isString = true
                lines.append(character)
            case "{", "[":
                lines.append(character)
                let next = index + 1 < characters.count ? characters[index + 1] : " "
                depth += 1
                if next != "}", next != "]" { newLine() }
            case "}", "]":
                depth -= 1
                let last = index > 0 ? characters[index - 1] : " "
                if last != "{", last != "[" { newLine() }
                lines.append(character)
            case ",":
                lines.append(character)
                newLine()
            case ":": lines += ": "
            default: lines.append(character)
            }
        }
        return lines
    }
}

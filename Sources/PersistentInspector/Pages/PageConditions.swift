internal import PersistentObjects
internal import StoreEngine

/// The comparison of a condition on the page of a class.
enum ConditionOperation: String, CaseIterable {
    case equal = "is"
    case unequal = "not"
    case less, atMost, greater, atLeast
    case contains, lacks, starts, ends
    case isNil, isNotNil, isEmpty, isNotEmpty

    /// As in the form.
    var label: String {
        switch self {
        case .equal: "="
        case .unequal: "≠"
        case .less: "<"
        case .atMost: "≤"
        case .greater: ">"
        case .atLeast: "≥"
        case .contains: "contains"
        case .lacks: "does not contain"
        case .starts: "starts with"
        case .ends: "ends with"
        case .isNil: "is nil"
        case .isNotNil: "is not nil"
        case .isEmpty: "is empty"
        case .isNotEmpty: "is not empty"
        }
    }

    /// As in the name of a finder.
    var words: String {
        switch self {
        case .equal: ""
        case .unequal: "Not"
        case .less: "LessThan"
        case .atMost: "LessThanOrEqual"
        case .greater: "GreaterThan"
        case .atLeast: "GreaterThanOrEqual"
        case .contains: "Containing"
        case .lacks: "NotContaining"
        case .starts: "StartingWith"
        case .ends: "EndingWith"
        case .isNil: "IsNil"
        case .isNotNil: "IsNotNil"
        case .isEmpty: "IsEmpty"
        case .isNotEmpty: "IsNotEmpty"
        }
    }

    var hasValue: Bool { ![.isNil, .isNotNil, .isEmpty, .isNotEmpty].contains(self) }
}

/// The conditions and the order of the page of a class. They become a finder, so the page runs the same SQL as a
/// program.
struct PageConditions {
    struct Condition {
        /// The property, or a path such as `employer.name`.
        let path: String
        let operation: ConditionOperation
        let value: String
    }

    static let limit = 6

    let className: String
    private(set) var conditions: [Condition] = []
    /// The property of the order; nil for the ids.
    private(set) var order: String?
    private(set) var isDescending = false

    init(_ className: String, _ call: PageCall) {
        self.className = className
        for number in 1...PageConditions.limit {
            guard let path = call["p\(number)"] else { continue }
            let operation = call["o\(number)"].flatMap { ConditionOperation(rawValue: $0) } ?? .equal
            conditions.append(Condition(path: path, operation: operation, value: call.query["v\(number)"] ?? ""))
        }
        guard let order = call["order"] else { return }
        isDescending = order.hasPrefix("-")
        self.order = isDescending ? String(order.dropFirst()) : order
    }

    var isEmpty: Bool { conditions.isEmpty && order == nil }

    // MARK: Addresses

    private var arguments: [(String, String)] {
        conditions.enumerated().flatMap { index, condition in
            [
                ("p\(index + 1)", condition.path), ("o\(index + 1)", condition.operation.rawValue),
                ("v\(index + 1)", condition.value),
            ]
        } + (order.map { [("order", (isDescending ? "-" : "") + $0)] } ?? [])
    }

    /// The address of the page with these conditions and more arguments.
    func address(_ more: (String, String)...) -> String {
        PageLink.address(["class", className], arguments + more)
    }

    func adding(_ path: String, _ operation: ConditionOperation, _ value: String) -> PageConditions {
        var copy = self
        copy.conditions.removeAll { $0.path == path && $0.operation == operation }
        copy.conditions.append(Condition(path: path, operation: operation, value: value))
        copy.conditions = Array(copy.conditions.suffix(PageConditions.limit))
        return copy
    }

    func without(_ index: Int) -> PageConditions {
        var copy = self
        copy.conditions.remove(at: index)
        return copy
    }

    /// The conditions ordered by a property, or in the reverse order if they already are.
    func ordered(by name: String) -> PageConditions {
        var copy = self
        copy.isDescending = order == name && !isDescending
        copy.order = name == "id" && !copy.isDescending ? nil : name
        return copy
    }

    // MARK: Finders

    /// The finder of the objects, or of another result of the same conditions.
    ///
    /// - Parameters:
    ///   - subject: The words before the conditions, such as `ids`.
    ///   - after: The id after which the page starts.
    func finder(
        _ subject: String = "find", after: Int64? = nil, isOrdered: Bool = true, in file: InspectedFile
    ) throws -> FinderCall {
        var parts: [String] = []
        var arguments: [DescribedLiteral] = []
        for condition in conditions {
            parts.append(PageConditions.words(condition.path) + condition.operation.words)
            guard condition.operation.hasValue else { continue }
            let property = try property(condition.path, file)
            arguments.append(FinderText.literal(condition.value, property))
        }
        if let after {
            parts.append("IdGreaterThan")
            arguments.append(.integer(after))
        }
        var order = ""
        if isOrdered {
            order = "OrderBy" + (self.order.map(PageConditions.words) ?? "Id") + (isDescending ? "Desc" : "")
        }
        let name =
            parts.isEmpty && subject == "find"
            ? "list" + order : subject + (parts.isEmpty ? "" : "By") + parts.joined(separator: "And") + order
        return FinderCall(className: className, name: name, arguments: arguments)
    }

    /// `employer.name` as in the name of a finder: `EmployerName`.
    private static func words(_ path: String) -> String {
        path.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The property of a path; nil for the id.
    private func property(_ path: String, _ file: InspectedFile) throws -> PropertyDescription? {
        let description = try file.description(of: className)
        if path == "id" { return nil }
        if let found = description.properties.first(where: { $0.name == path }) { return found }
        if let dot = path.firstIndex(of: "."),
            let link = description.properties.first(where: { $0.name == path[..<dot] }),
            let target = link.target.flatMap({ file.classes.descriptions[$0] }),
            let found = target.properties.first(where: { $0.name == path[path.index(after: dot)...] })
        {
            return found
        }
        throw InspectorError("\(className) has no property \(path).")
    }

    // MARK: The form

    /// The form, with the conditions and an empty line.
    func form(_ description: ClassDescription, _ file: InspectedFile) -> PageForm {
        var paths = ["id"]
        for property in description.properties where !property.isEncrypted {
            paths.append(property.name)
            guard property.kind == .reference, let target = property.target.flatMap({ file.classes.descriptions[$0] })
            else { continue }
            paths += target.properties.filter { $0.kind == .scalar && !$0.isEncrypted && !$0.name.contains(".") }
                .prefix(20).map { "\(property.name).\($0.name)" }
        }
        let properties = [(value: "", label: "property")] + paths.map { (value: $0, label: $0) }
        let operations = ConditionOperation.allCases.map { (value: $0.rawValue, label: $0.label) }
        let lines = conditions.map { Optional($0) } + (conditions.count < PageConditions.limit ? [nil] : [])
        var rows = lines.enumerated().map { index, condition -> [PageForm.Field] in
            let number = index + 1
            return [
                .init(
                    name: "p\(number)", label: "property \(number)", value: condition?.path ?? "",
                    kind: .choice(properties)),
                .init(
                    name: "o\(number)", label: "comparison \(number)", value: condition?.operation.rawValue ?? "is",
                    kind: .choice(operations)),
                .init(
                    name: "v\(number)", label: "value \(number)", value: condition?.value ?? "",
                    kind: .line(hint: "value")),
            ]
        }
        if let order {
            rows[rows.count - 1].append(
                .init(name: "order", label: "order", value: (isDescending ? "-" : "") + order, kind: .hidden))
        }
        return PageForm(PageLink.path("class", className), .rows, rows, button: "Show")
    }
}

/// The properties that names separated by dots lead to from a class. It is the only resolver of names in SQL text: of
/// `where("…")` and of criteria.
///
/// A property is found by its Swift name, otherwise by its column name, ignoring case. `address.city` is a field of an
/// embedded value.
struct NamePath {
    /// A property, or the id.
    struct Step {
        let map: ClassMap
        /// The index in `ClassMap.properties`; the index after the last property is the id.
        let ordinal: Int

        /// Nil for the id.
        var property: Property? { ordinal < map.properties.count ? map.properties[ordinal] : nil }
    }

    /// The reason why the names cannot be resolved.
    enum Fault: Error {
        /// Some of the names do not lead to an object, so no name can follow.
        case notAnObject(ArraySlice<String>)
        /// A class has no property with the last of these names; the string suggests similar names.
        case unknown(ArraySlice<String>, ClassMap, String)
    }

    let steps: [Step]

    /// - Parameters:
    ///   - prefersID: Whether `id` is the object's id even if a column has that name.
    /// - target: The class that a property refers to; nil if it does not refer to an object.
    /// - Throws: `Fault`, and the errors of `target`.
    init(
        _ names: ArraySlice<String>, from start: ClassMap, prefersID: Bool = false,
        target: (_ property: Property, _ read: ArraySlice<String>) throws -> ClassMap?
    ) throws {
        var steps: [Step] = []
        var map = start
        var rest = names
        while let name = rest.popFirst() {
            let isID = Naming.folded(name) == "id"
            if let field = map.field(names[(rest.startIndex - 1)...]) {
                steps.append(Step(map: map, ordinal: field))
                break
            }
            let read = names[..<rest.startIndex]
            let named = isID && prefersID ? nil : map.named(name)
            guard let ordinal = named ?? (isID ? map.properties.count : nil) else {
                throw Fault.unknown(read, map, NamePath.advice(name, map))
            }
            let step = Step(map: map, ordinal: ordinal)
            steps.append(step)
            if rest.isEmpty { break }
            guard let property = step.property, let next = try target(property, read) else {
                throw Fault.notAnObject(read)
            }
            map = next
        }
        self.steps = steps
    }

    private static func advice(_ name: String, _ map: ClassMap) -> String {
        let near = NameSuggestions(map.properties.map(\.name) + ["id"]).nearest(to: name)?.names ?? []
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }
}

extension ClassMap {
    /// The index of a property by its Swift name, otherwise by its column name, ignoring case.
    func named(_ name: String) -> Int? {
        if let ordinal = ordinal(of: name) { return ordinal }
        let folded = Naming.folded(name)
        return properties.firstIndex { Naming.folded($0.name) == folded }
            ?? properties.firstIndex { $0.hasColumn && Naming.folded($0.column) == folded }
    }

    /// The index of a field of an embedded value by its Swift name, such as `address.city`.
    func field(_ names: ArraySlice<String>) -> Int? {
        guard names.count > 1, !embedded.isEmpty, let ordinal = named(names.joined(separator: ".")) else { return nil }
        return properties[ordinal].part == nil ? nil : ordinal
    }
}

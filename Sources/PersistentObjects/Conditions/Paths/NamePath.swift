/// Where names with dots between them lead from a class, as SQL text has them: the one resolver of `where("…")` and of
/// criteria.
///
/// A property is found by its name in Swift, else by its column, whatever the case of its letters. `address.city` is a
/// field of an embedded value.
struct NamePath {
    /// A property, or the id.
    struct Step {
        let map: ClassMap
        /// The place after the last property is the id.
        let place: Int

        /// Nil for the id.
        var property: Property? { place < map.properties.count ? map.properties[place] : nil }
    }

    /// The reason why the names cannot be resolved.
    enum Fault: Error {
        /// What some of the names lead to is not an object, so nothing can follow.
        case notAnObject(ArraySlice<String>)
        /// A class has no property with the last of some names; its nearest names.
        case unknown(ArraySlice<String>, ClassMap, String)
    }

    let steps: [Step]

    /// - Parameters:
    ///   - prefersID: Whether `id` is the object's id even if a column has that name.
    ///   - target: The class that a property leads to; nil if it leads to no object.
    /// - Throws: `Fault`, and what `target` throws.
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
                steps.append(Step(map: map, place: field))
                break
            }
            let read = names[..<rest.startIndex]
            let named = isID && prefersID ? nil : map.named(name)
            guard let place = named ?? (isID ? map.properties.count : nil) else {
                throw Fault.unknown(read, map, NamePath.advice(name, map))
            }
            let step = Step(map: map, place: place)
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
    /// The place of a property by its name in Swift, else by its column, whatever the case of its letters.
    func named(_ name: String) -> Int? {
        if let place = place(of: name) { return place }
        let folded = Naming.folded(name)
        return properties.firstIndex { Naming.folded($0.name) == folded }
            ?? properties.firstIndex { $0.hasColumn && Naming.folded($0.column) == folded }
    }

    /// The place of a field of an embedded value by its name in Swift, `address.city`.
    func field(_ names: ArraySlice<String>) -> Int? {
        guard names.count > 1, !embedded.isEmpty, let place = named(names.joined(separator: ".")) else { return nil }
        return properties[place].part == nil ? nil : place
    }
}

/// A part of a property's `Codable` value, as a query names it.
struct JSONPart {
    let place: JSONPlace
    private let paths: [AnyKeyPath]

    /// - Parameter steps: The steps after the property in the query.
    init(_ steps: ArraySlice<QueryPath.Step>, of property: Property, in map: ClassMap) throws {
        paths = steps.compactMap { step in if case .keyPath(let path) = step { path } else { nil } }
        do throws(JSONPlaces.Refusal) {
            place = try JSONPlaces.place(of: paths, in: property.codec.valueType)
        } catch {
            let last = paths.last.map { "\($0)" } ?? ""
            throw QueryError.notExpressible("\(map.name).\(property.name), \(last): \(error.reason)")
        }
    }

    /// The part of a property's value at this place.
    func read(_ value: Any?) -> Any? { JSONPlaces.read(value, paths) }
}

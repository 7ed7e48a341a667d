/// A part of a property's `Codable` value, named by the steps of a query.
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

    /// The part's value in a value of the property.
    func read(_ value: Any?) -> Any? { JSONPlaces.read(value, paths) }
}

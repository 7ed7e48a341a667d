internal import StoreEngine

extension ClassMap {
    /// The place of a class's version; nil where it has none.
    func versionPlace() throws -> Int? {
        guard let path = type.versionProperty else { return nil }
        guard case .property(let place) = try KeyPathResolver.subject(of: path, in: self),
            properties[place].codec.kind == .int, properties[place].boxOffset == nil
        else {
            throw StoreError(.misuse, "versionProperty must be a stored property of type Int", className: name)
        }
        return place
    }
}

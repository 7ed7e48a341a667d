internal import StoreEngine

extension ClassMap {
    /// The index of a class's version property; nil if it has none.
    func versionPlace() throws -> Int? {
        guard let path = type.versionProperty else { return nil }
        guard case .property(let place) = try KeyPathResolver.subject(of: path, in: self),
            properties[place].codec.kind == .int, properties[place].boxOffset == nil
        else {
            throw StoreError(
                .misuse,
                "The class's versionProperty is not a stored property of type Int. Return the key path of one",
                className: name)
        }
        return place
    }
}

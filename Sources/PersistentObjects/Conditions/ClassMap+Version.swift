internal import StoreEngine

extension ClassMap {
    /// The index of a class's version property; nil if it has none.
    func versionOrdinal() throws -> Int? {
        guard let path = type.versionProperty else { return nil }
        guard case .property(let ordinal) = try KeyPathResolver.subject(of: path, in: self),
            properties[ordinal].codec.kind == .int, properties[ordinal].boxOffset == nil
        else {
            throw StoreError(
                .misuse,
                "The class's versionProperty is not a stored property of type Int. Return the key path of one",
                className: name)
        }
        return ordinal
    }
}

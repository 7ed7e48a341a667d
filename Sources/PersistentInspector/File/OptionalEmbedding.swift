internal import PersistentObjects
internal import StoreEngine

/// An optional `@Embedded` value: a property marks whether it is nil, and each field is a property.
struct OptionalEmbedding {
    /// The name of the embedded property.
    let name: String
    let presence: PropertyDescription
    let fields: [PropertyDescription]
}

extension ClassDescription {
    /// The optional embedded value to which a property belongs; nil if it belongs to none.
    func optionalEmbedding(of property: PropertyDescription) -> OptionalEmbedding? {
        guard let dot = property.name.firstIndex(of: ".") else { return nil }
        let name = String(property.name[..<dot])
        let parts = properties.filter { $0.name.hasPrefix(name + ".") }
        // The columns of all fields can be NULL, unlike those of a value that has a field of this name.
        guard let presence = parts.first(where: { $0.name == name + ".exists" && $0.type == "Bool" }),
            parts.allSatisfy(\.isOptional)
        else { return nil }
        return OptionalEmbedding(name: name, presence: presence, fields: parts.filter { $0.name != presence.name })
    }
}

package import StoreEngine

// The JSON form of property values, for code that has columns but no objects.

/// The JSON form of a property's values.
package enum JSONShape: Sendable {
    /// The value of a single column.
    case value(ValueShape)
    /// The key of an object, in classes with keys.
    case key
    /// A reference: the id of an object, or its key.
    case link
    case collection(CollectionShape)
}

/// The JSON form of a collection: a list, or an object for a dictionary.
package struct CollectionShape: Sendable {
    package enum Style: Sendable { case array, set, dictionary }

    package let style: Style
    /// The shape of a dictionary's keys; nil for other collections.
    package let key: ValueShape?
    /// The shape of the elements, or of a dictionary's values; nil if they are objects.
    package let element: ValueShape?

    init(_ codec: CollectionCodec) {
        style =
            switch codec.style {
            case .array: .array
            case .set: .set
            case .dictionary: .dictionary
            }
        key = codec.key.map { ValueShape($0) }
        element = codec.element is ReferenceCodec ? nil : ValueShape(codec.element)
    }

    /// The JSON of a collection from its elements, or from its members if it is a dictionary. Sets and dictionaries are
    /// sorted by their bytes, because they have no order.
    package func json(_ elements: [JSONValue], _ members: [JSONValue.Member]) -> JSONValue {
        switch style {
        case .array: return .list(elements)
        case .set:
            let sorted = elements.map { ($0, JSONWriter.bytes(of: $0)) }
                .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            return .list(sorted.map(\.0))
        case .dictionary:
            return .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        }
    }
}

// Keys of dictionaries.
extension ValueShape {
    /// The name of a dictionary key in JSON: a string unchanged, any other key as its JSON.
    package func name(ofKey key: JSONValue) -> String {
        if case .text(let text) = key, !namesAreJSON { return text }
        return String(decoding: JSONWriter.bytes(of: key), as: UTF8.self)
    }

    /// The key for a member's name in JSON.
    func key(named name: String) -> JSONValue {
        switch self {
        case .text, .uuid, .bytes, .decimal: return .text(name)
        case .bool, .integer, .real, .float, .date, .json, .any:
            return (try? JSONReader.value(of: Array(name.utf8)[...])) ?? .text(name)
        }
    }

    /// Whether a string key keeps its quotes in a name, because other keys could look like it.
    private var namesAreJSON: Bool { self == .json || self == .any }
}

extension Property {
    /// The JSON form of the property's values. An inverse has none.
    package var form: JSONShape {
        if let collection = codec.asCollection { return .collection(CollectionShape(collection)) }
        if codec is ReferenceCodec { return .link }
        return isKey ? .key : .value(ValueShape(codec))
    }

    /// The JSON to store. `false` in the flag of an optional embedded value means that the value is nil.
    package func meaning(of json: JSONValue) -> JSONValue {
        part?.presence == .flag && json == .bool(false) ? .null : json
    }
}

/// Converts the values of a property's column, one by one, into JSON.
package struct ColumnJSON: Sendable {
    private let shape: ValueShape
    /// The property's codec; nil unless the column stores values in a special form.
    private let codec: PropertyCodec?

    package init(_ property: Property, in map: ClassMap) {
        shape = ValueShape(property.codec)
        codec = property.codec.recodesArguments || map.foreign != nil ? property.codec : nil
    }

    /// The shape of values whose JSON depends on their column alone; nil if the property's codec converts them first.
    package var plainShape: ValueShape? { codec == nil ? shape : nil }

    package func json(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        guard let codec else { return try shape.json(stored) }
        return try shape.json(codec.plain(stored))
    }
}

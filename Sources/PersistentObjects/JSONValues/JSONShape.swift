package import StoreEngine

// How values of properties are JSON, for those who have columns and no objects.

/// What kind of JSON the values of a property are.
package enum JSONShape: Sendable {
    /// What fills one column.
    case value(ValueShape)
    /// The key of an object, in classes with keys.
    case key
    /// A reference: the id of an object, or its key.
    case link
    case collection(CollectionShape)
}

/// How a collection is JSON: a list, or of a dictionary an object.
package struct CollectionShape: Sendable {
    package enum Style: Sendable { case array, set, dictionary }

    package let style: Style
    /// Of a dictionary's keys.
    package let key: ValueShape?
    /// Of the elements, or a dictionary's values; nil if they are objects.
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

    /// A collection of its elements; of a dictionary, members instead. What has no order gets that of its bytes.
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

    /// The key that a name in JSON means.
    func key(named name: String) -> JSONValue {
        switch self {
        case .text, .uuid, .bytes, .decimal: return .text(name)
        case .bool, .integer, .real, .float, .date, .json, .any:
            return (try? JSONReader.value(of: Array(name.utf8)[...])) ?? .text(name)
        }
    }

    /// Whether a text among such keys has its quotes in a name, since other values are there that look like it.
    private var namesAreJSON: Bool { self == .json || self == .any }
}

extension Property {
    /// What its values are in JSON; an inverse has none.
    package var form: JSONShape {
        if let collection = codec as? CollectionCodec { return .collection(CollectionShape(collection)) }
        if codec is ReferenceCodec { return .link }
        return isKey ? .key : .value(ValueShape(codec))
    }

    /// What some JSON means for it: `false` in the flag of an embedded value that may be nil makes that nil.
    package func meaning(of json: JSONValue) -> JSONValue {
        part?.presence == .sign && json == .bool(false) ? .null : json
    }
}

/// Makes JSON of what the column of a property holds, of one value.
package struct ColumnJSON: Sendable {
    private let shape: ValueShape
    /// Nil unless it has its values in a form of its own.
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

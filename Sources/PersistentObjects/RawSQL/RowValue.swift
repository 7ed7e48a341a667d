@_spi(Locks) internal import StoreEngine

/// Converts column values into Swift types with the codecs of properties.
enum RowValue {
    /// The codecs by type, created once.
    private static let codecs = Locked<[ObjectIdentifier: PropertyCodec]>([:])

    /// The value as `T`; nil if no column can store a `T`.
    static func read<T>(_ value: DatabaseValue) throws(ValueFault) -> T? {
        // The most common types need no lookup.
        switch value {
        case .text(let text) where T.self == String.self: return text as? T
        case .integer(let number) where T.self == Int.self: return Int(exactly: number) as? T
        case .integer(let number) where T.self == Int64.self: return number as? T
        case .real(let number) where T.self == Double.self: return number as? T
        default: break
        }
        if let type = T.self as? any ReadFromRow.Type { return try type.value(from: value, isOptional: false) as? T }
        if let optional = T.self as? any OptionalType.Type, let type = optional.wrapped as? any ReadFromRow.Type {
            // The value may be a nil in an `Any`, which can be cast to `T`.
            return try type.value(from: value, isOptional: true) as? T
        }
        guard let codec = codec(for: T.self) else { return nil }
        // The result has an explicit type, because the compiler would otherwise infer `T?` as the column's type.
        let made: T = try value.withCell { (cell) throws(ValueFault) in
            try ValueMemory.value(of: codec, cell)
        }
        return made
    }

    /// The reason why no column can store a type.
    static func refusal(of type: Any.Type) -> String {
        if type is PersistentObject.Type || type is any ReferenceType.Type {
            return "read a PersistentID, and get the object with session.object(for:)"
        }
        if case .failure(let refusal) = CodecFactory.codec(for: type) { return refusal.reason }
        return "it is a collection, which is stored in a separate table"
    }

    private static func codec(for type: Any.Type) -> PropertyCodec? {
        let key = ObjectIdentifier(type)
        if let known = codecs.withLock({ $0[key] }) { return known }
        guard !(type is any ReferenceType.Type), case .success(let codec) = CodecFactory.codec(for: type) else {
            return nil
        }
        codecs.withLock { $0[key] = codec }
        return codec
    }
}

/// Types that are read from a column without a codec.
private protocol ReadFromRow {
    /// The value, or nil of the optional type.
    static func value(from value: DatabaseValue, isOptional: Bool) throws(ValueFault) -> Any
}

extension DatabaseValue: ReadFromRow {
    static func value(from value: DatabaseValue, isOptional: Bool) throws(ValueFault) -> Any {
        isOptional && value == .null ? DatabaseValue?.none as Any : value
    }
}

extension PersistentID: ReadFromRow {
    static func value(from value: DatabaseValue, isOptional: Bool) throws(ValueFault) -> Any {
        switch value {
        case .integer(let id): return PersistentID(id)
        case .null where isOptional: return PersistentID?.none as Any
        default: throw .typeMismatch(expected: "INTEGER", found: value.storageClass)
        }
    }
}

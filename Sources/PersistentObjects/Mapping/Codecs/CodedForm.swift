internal import StoreEngine

/// A type that declares a codec, in the form in which the user's codec stores it.
enum CodedForm<Codec: ValueCodec>: ColumnForm {
    typealias Value = Codec.Value

    static var columnType: ColumnType { Codec.columnType }
    static var encodesByUser: Bool { true }

    static func read(_ column: Cell) throws(ValueFault) -> Value { try decode(try column.value()) }

    static func decode(_ stored: DatabaseValue) throws(ValueFault) -> Value {
        // The optional form handles NULL.
        if case .null = stored { throw .typeMismatch(expected: columnType.rawValue, found: .null) }
        do { return try Codec.decode(stored) } catch {
            throw .rejected(type: TypeSpelling.of(Value.self), reason: "\(error)")
        }
    }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(encode(value), at: index)
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue {
        let stored: DatabaseValue
        do { stored = try Codec.encode(value) } catch {
            throw .notStorable(reason: "\(TypeSpelling.of(Codec.self)) cannot encode it: \(error)")
        }
        return try OwnEncoding.checked(stored, columnType, "\(TypeSpelling.of(Codec.self)).encode returns")
    }

    static func converted(_ value: Any?) -> Value? { value as? Value }

    static var samples: [Value] {
        let own = Codec.samples
        if own.count >= 2 { return own }
        if let count = MetadataKind.caseCount(Value.self) {
            return EnumerationMemory.values(Value.self, caseCount: count)
        }
        return OwnEncoding.samples(columnType).compactMap { try? Codec.decode($0) }
    }
}

/// The encoding that user code created for a column, or receives to create a value.
enum OwnEncoding {
    /// The encoding, if its column can store it.
    static func checked(
        _ stored: DatabaseValue, _ columnType: ColumnType, _ origin: @autoclosure () -> String
    ) throws(ValueFault) -> DatabaseValue {
        let isRightClass =
            switch (columnType, stored) {
            case (.any, .null), (_, .null): false
            case (.any, _), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
            default: false
            }
        guard isRightClass else {
            throw .notStorable(reason: "\(origin()) \(stored.storageClass), but its column is \(columnType.rawValue)")
        }
        if case .real(let number) = stored, number.isNaN {
            throw .notStorable(reason: "\(origin()) NaN, which cannot be stored")
        }
        return stored
    }

    /// Different encodings from which values may be created.
    static func samples(_ columnType: ColumnType) -> [DatabaseValue] {
        switch columnType {
        case .integer: Int64.samples.map { .integer($0) }
        case .real: Double.samples.map { .real($0) }
        case .text: String.samples.map { .text($0) }
        case .blob: [UInt8].samples.map { .blob($0) }
        case .any: [.integer(113), .integer(57), .real(113.25), .real(57.5), .text(" aZé "), .text(""), .blob([7])]
        }
    }
}

extension CodecFactory {
    /// The form of a type that declares a codec; nil for other types.
    static func codedForm(for type: Any.Type) -> Result<any ColumnForm.Type, Refusal>? {
        guard let coded = type as? any CodedValue.Type else { return nil }
        guard !(type is any ColumnScalar.Type), !(type is PersistentObject.Type) else {
            return .failure(
                Refusal(
                    "the library stores this type itself. CodedValue is for types that the library does not "
                        + "support"))
        }
        func form<T: CodedValue>(_: T.Type) -> Result<any ColumnForm.Type, Refusal> {
            guard T.PersistentCodec.Value.self == T.self else {
                return .failure(
                    Refusal(
                        "its codec, \(TypeSpelling.of(T.PersistentCodec.self)), encodes "
                            + "\(TypeSpelling.of(T.PersistentCodec.Value.self)). Give \(TypeSpelling.of(T.self)) its "
                            + "own codec, or declare the property as \(TypeSpelling.of(T.PersistentCodec.Value.self))"))
            }
            return .success(CodedForm<T.PersistentCodec>.self)
        }
        return form(coded)
    }

    /// The codec for a value of a dynamic type, which may be a subclass of the class that has the codec.
    static func codec(ofArgument type: Any.Type) -> Result<PropertyCodec, Refusal> {
        func codedType<T: CodedValue>(_: T.Type) -> Any.Type { T.PersistentCodec.Value.self }
        guard let coded = type as? any CodedValue.Type else { return codec(for: type) }
        return codec(for: codedType(coded))
    }

    /// Whether a type's columns sort like its values, according to its codec; nil if it has no codec.
    static func isCodedInOrder(_ type: Any.Type) -> Bool? {
        func isOrdered<T: CodedValue>(_: T.Type) -> Bool { T.PersistentCodec.isOrdered }
        return (type as? any CodedValue.Type).map { isOrdered($0) }
    }
}

internal import StoreEngine

/// The column representation of values of one type. Forms compose: `OptionalForm<RawForm<Status>>`.
protocol ColumnForm {
    associatedtype Value
    static var columnType: ColumnType { get }
    static var logicalType: LogicalType { get }
    static var acceptsNull: Bool { get }
    /// Whether two equal changes count as two changes, as increments do.
    static var isQuantity: Bool { get }
    /// Whether encoding runs user code, which may edit any object.
    static var encodesByUser: Bool { get }
    static func read(_ column: Cell) throws(ValueFault) -> Value
    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault)
    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue
    /// The value of an encoding that `encode(_:)` returned.
    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Value
    static func isSame(_ a: Value, _ b: Value) -> Bool
    /// The value as this type, if it can be converted without loss.
    static func converted(_ value: Any?) -> Value?
    /// The form in which a finder's argument is compared; nil if the type cannot be compared with it.
    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue?
    /// Different values, to determine which field a key path reads.
    static var samples: [Value] { get }
}

extension ColumnForm {
    static var logicalType: LogicalType { LogicalType(columnType) }
    static var acceptsNull: Bool { false }
    static var isQuantity: Bool { false }
    static var encodesByUser: Bool { false }

    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        guard let value = converted(value) else { return nil }
        return try encode(value)
    }

    static func isSame(_ a: Value, _ b: Value) -> Bool {
        guard let x = try? encode(a), let y = try? encode(b) else { return false }
        return x == y
    }
}

/// A library type.
enum ScalarForm<Value: ColumnScalar>: ColumnForm {
    static var columnType: ColumnType { Value.columnType }
    static var logicalType: LogicalType { Value.logicalType }
    static var isQuantity: Bool { Value.self is any AdditiveArithmetic.Type }
    static func read(_ column: Cell) throws(ValueFault) -> Value { try Value.read(column) }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        try value.bind(to: statement, at: index)
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue { try value.encoded() }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Value {
        guard let decoded = Value.decoded(value) else {
            throw .typeMismatch(expected: columnType.rawValue, found: value.storageClass)
        }
        return decoded
    }

    static func isSame(_ a: Value, _ b: Value) -> Bool { Value.isSame(a, b) }
    static func converted(_ value: Any?) -> Value? { value.flatMap { Value.converted($0) } }

    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try value.flatMap { (value) throws(ValueFault) in try Value.argument(value) }
    }

    static var samples: [Value] { Value.samples }
}

/// Nil is NULL; other values use the wrapped form.
enum OptionalForm<Wrapped: ColumnForm>: ColumnForm {
    typealias Value = Wrapped.Value?

    static var columnType: ColumnType { Wrapped.columnType }
    static var logicalType: LogicalType { Wrapped.logicalType }
    static var acceptsNull: Bool { true }
    static var isQuantity: Bool { Wrapped.isQuantity }
    static var encodesByUser: Bool { Wrapped.encodesByUser }

    static func read(_ column: Cell) throws(ValueFault) -> Value {
        column.isNull ? nil : try Wrapped.read(column)
    }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        if let value { try Wrapped.bind(value, to: statement, at: index) } else { try statement.bindNull(at: index) }
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue {
        if let value { try Wrapped.encode(value) } else { .null }
    }

    static func decode(_ value: DatabaseValue) throws(ValueFault) -> Value {
        if case .null = value { nil } else { try Wrapped.decode(value) }
    }

    static func isSame(_ a: Value, _ b: Value) -> Bool {
        switch (a, b) {
        case (nil, nil): true
        case (let x?, let y?): Wrapped.isSame(x, y)
        default: false
        }
    }

    static func converted(_ value: Any?) -> Value? {
        guard let value else { return .some(nil) }
        return Wrapped.converted(value).map { .some($0) }
    }

    static func argument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        value == nil ? .null : try Wrapped.argument(value)
    }

    static var samples: [Value] { Wrapped.samples.map { $0 } + [nil] }
}

/// A form of optionals.
protocol WrappingForm {
    /// The codec for the wrapped values.
    static var wrappedCodec: PropertyCodec { get }
}

extension OptionalForm: WrappingForm {
    static var wrappedCodec: PropertyCodec { FieldCodec<Wrapped>() }
}

/// A type with a raw value, which is stored in the column.
enum RawForm<Value: RawRepresentable>: ColumnForm where Value.RawValue: ColumnScalar {
    static var columnType: ColumnType { Value.RawValue.columnType }
    static var logicalType: LogicalType { Value.RawValue.logicalType }

    static func read(_ column: Cell) throws(ValueFault) -> Value {
        try value(try Value.RawValue.read(column))
    }

    static func decode(_ stored: DatabaseValue) throws(ValueFault) -> Value {
        try value(try ScalarForm<Value.RawValue>.decode(stored))
    }

    private static func value(_ raw: Value.RawValue) throws(ValueFault) -> Value {
        guard let value = Value(rawValue: raw) else {
            throw .rejected(
                type: TypeSpelling.of(Value.self), reason: "it has no case with the raw value in the column")
        }
        return value
    }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        try value.rawValue.bind(to: statement, at: index)
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue { try value.rawValue.encoded() }
    static func isSame(_ a: Value, _ b: Value) -> Bool { Value.RawValue.isSame(a.rawValue, b.rawValue) }

    static func converted(_ value: Any?) -> Value? {
        guard let value else { return nil }
        if let value = value as? Value { return value }
        return Value.RawValue.converted(value).flatMap { Value(rawValue: $0) }
    }

    static var samples: [Value] {
        if let count = MetadataKind.caseCount(Value.self) {
            return EnumerationMemory.values(Value.self, caseCount: count)
        }
        return Value.RawValue.samples.compactMap { Value(rawValue: $0) }
    }
}

/// A user type that defines its own storage.
enum PersistentValueForm<Value: PersistentValue>: ColumnForm {
    static var columnType: ColumnType { Value.columnType }
    static var encodesByUser: Bool { true }
    static var isQuantity: Bool { Value.self is any AdditiveArithmetic.Type }

    static func read(_ column: Cell) throws(ValueFault) -> Value { try decode(try column.value()) }

    static func decode(_ stored: DatabaseValue) throws(ValueFault) -> Value {
        // The optional form handles NULL; a type that needs NULL is declared optional.
        if case .null = stored { throw .typeMismatch(expected: columnType.rawValue, found: .null) }
        do { return try Value(databaseValue: stored) } catch {
            throw .rejected(type: TypeSpelling.of(Value.self), reason: "\(error)")
        }
    }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(encode(value), at: index)
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue {
        try OwnEncoding.checked(value.databaseValue, columnType, "\(TypeSpelling.of(Value.self)).databaseValue is")
    }

    static func converted(_ value: Any?) -> Value? { value as? Value }

    static var samples: [Value] {
        if let count = MetadataKind.caseCount(Value.self) {
            return EnumerationMemory.values(Value.self, caseCount: count)
        }
        return OwnEncoding.samples(columnType).compactMap { try? Value(databaseValue: $0) }
    }
}

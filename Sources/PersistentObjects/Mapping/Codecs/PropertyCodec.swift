// Codecs: how values of each type move between memory, columns and arguments. It knows types, and must not know
// classes.

internal import Foundation
internal import StoreEngine

/// Moves the values of one property between memory and column.
///
/// Hot loops switch on `kind`, which identifies the common types. Each case makes the same call on the same type as the
/// methods here, without dispatch.
///
/// Each `field` is the address of a value of exactly `valueType`, or of the memory type that a subclass declares for
/// it, in an object or in a baseline (R2).
class PropertyCodec: @unchecked Sendable {  // immutable: it and its subclasses have only `let`s
    let valueType: Any.Type
    let facts: TypeFacts
    let logicalType: LogicalType
    let columnType: ColumnType
    let acceptsNull: Bool
    let kind: Kind

    /// The types that hot loops handle themselves.
    enum Kind: UInt8 {
        case int, int64, double, bool, date, string, optionalInt, optionalString, optionalDouble, optionalDate, other
        /// A strong reference.
        case reference
        /// Another value whose column, if there is one, does not store the value itself.
        case link
    }

    /// - Parameter memoryType: The type in memory, if it differs from the visible type.
    init(
        valueType: Any.Type, memoryType: Any.Type? = nil, logicalType: LogicalType, acceptsNull: Bool, kind: Kind
    ) {
        self.valueType = valueType
        facts = TypeFacts(memoryType ?? valueType)
        self.logicalType = logicalType
        columnType = logicalType.columnType
        self.acceptsNull = acceptsNull
        self.kind = kind
    }

    /// Whether the column stores the digits of a decimal number.
    final var isDecimal: Bool { logicalType == .decimal }
    /// Whether the column stores integer counts of a decimal number's smallest unit.
    final var isScaled: Bool { if case .scaled = format { true } else { false } }
    /// Whether its type is `String` or `String?`; false for other types that are stored as text.
    final var isString: Bool { kind == .string || kind == .optionalString }
    /// Whether its type is `Bool` or `Bool?`.
    final var isBool: Bool { valueType == Bool.self || valueType == Bool?.self }
    /// Whether it is the codec of the keys in object headers.
    var isKey: Bool { false }
    /// Whether the value is a count or sum, so that two equal changes are two changes.
    var isQuantity: Bool { false }
    /// Whether encoding runs user code, which may edit any object.
    var encodesByUser: Bool { false }
    /// The column format, if a property can declare one.
    var format: ColumnFormat? { nil }
    /// Whether the column stores fewer decimal places of a second than a `Date`, so that a save rounds the value.
    final var isRounded: Bool {
        switch format {
        case .dateTime?, .iso8601?, .unixSeconds?, .unixMilliseconds?, .julianDay?: true
        case .day?, .secondsSince2001?, .uuidText?, .uuidBlob?, .scaled?, nil: false
        }
    }

    /// Replaces the value with the value that the column will return for it; true if the two values differ.
    final func round(_ field: Address) -> Bool {
        guard let stored = try? encode(field) else { return false }
        return ValueMemory(copying: field, self).withAddress { rounded in
            guard replace(rounded, by: stored), !isSame(field, rounded) else { return false }
            assign(rounded, to: field)
            return true
        }
    }

    /// Replaces the value with the column's value.
    func read(_ column: Cell, into field: Address) throws(ValueFault) { mustOverride() }
    /// Creates a value in fresh memory from a column. A session creates objects and collections of objects.
    func create(_ column: Cell, at memory: Address) throws(ValueFault) { throw hasNoValue }
    /// Binds the value to a parameter of its column. A property without a column has nothing to bind.
    func bind(_ field: Address, to statement: Statement, at index: Int32) throws(ValueFault) { throw hasNoValue }
    func encode(_ field: Address) throws(ValueFault) -> DatabaseValue { mustOverride() }
    /// Whether a column would store the same for both.
    func isSame(_ a: Address, _ b: Address) -> Bool { mustOverride() }
    /// Copies a value into fresh memory.
    func copy(_ source: Address, to memory: Address) { mustOverride() }
    /// Replaces a value with another.
    func assign(_ source: Address, to field: Address) { mustOverride() }
    func destroy(_ memory: Address) { mustOverride() }
    /// The value in a box; nil for an optional that is nil.
    func value(_ field: Address) -> Any? { mustOverride() }
    /// The value in a form that can be sent to other threads; a class instance inside is copied.
    func sendableValue(_ field: Address) -> (any Sendable)? { mustOverride() }
    /// Replaces the value with `value`, converted without loss; false if that is not possible.
    func store(_ value: Any?, into field: Address) -> Bool { mustOverride() }
    /// Replaces the value with `value`, which must be of exactly the type (or nil, or of the wrapped type of an
    /// optional).
    func storeExactly(_ value: Any, into field: Address) -> Bool { mustOverride() }
    /// `value`, converted without loss, as the column would store it; nil if the type does not accept it.
    func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { mustOverride() }
    /// The same for a query, which encodes values by their types and passes them to `recoded(_:)` when it runs.
    func encodeQueryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { try encodeArgument(value) }
    /// Whether values that are compared with the column pass through `recoded(_:)`.
    var recodesArguments: Bool { isKey }
    /// A value of a query, encoded by its type, as the column would store it; a value already in this form is
    /// unchanged.
    func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard isKey, case .text(let text) = argument else { return argument }
        return try encodeArgument(text) ?? argument
    }
    /// `value`, converted without loss to the codec's type; nil if that is not possible, or if the codec is for objects
    /// or collections.
    func converted(_ value: Any?) -> Any? { nil }
    /// Creates a value in fresh memory from its encoding; false, without creating it, if that is not possible.
    func decode(_ value: DatabaseValue, at memory: Address) -> Bool { mustOverride() }
    /// The value of a column, in a box; nil for an optional that is nil. Throws for objects and collections.
    func boxed(_ value: DatabaseValue) throws(ValueFault) -> Any? { throw hasNoValue }
    /// The reason that the column cannot store a value; nil if it can.
    func fault(of value: DatabaseValue) -> ValueFault? {
        do throws(ValueFault) { _ = try boxed(value) } catch { return error }
        return nil
    }
    /// Whether the value at `field` is a quantity, for which two identical changes count twice.
    func isQuantity(at field: Address) -> Bool { isQuantity }
    /// Whether the field belongs to an embedded value that is nil.
    func isInNil(_ field: Address) -> Bool { false }
    /// Assigns a copy of a field. If the embedded value that contains the field is nil now, assigns the whole value.
    func restoreField(_ source: Address, to field: Address) { assign(source, to: field) }
    /// A value of the column in the standard form of its type for queries and JSON.
    func plain(_ stored: DatabaseValue) throws(ValueFault) -> DatabaseValue { stored }
    /// Creates a value if the field belongs to an embedded value that is nil.
    func makePresent(_ field: Address) {}
    /// The codec of the same form for values of `type`, which may differ from the codec's type in being optional; nil
    /// for other types.
    func adapted(to type: Any.Type) -> PropertyCodec? { nil }
    /// `value`, converted without loss, as it is stored; nil if the type does not accept it.
    func encodeStored(_ value: Any?) throws(ValueFault) -> DatabaseValue? { try encodeArgument(value) }
    /// Whether `decode` creates values of all encodings that the type accepts.
    var makesValues: Bool { false }
    /// Values in fresh memory for the duration of `body`, for the key-path resolver.
    func withSamples(_ body: (Address) -> Void) { mustOverride() }

    /// The error of methods that only codecs of values support.
    private var hasNoValue: ValueFault {
        .rejected(type: TypeSpelling.of(valueType), reason: "no single column holds such a value")
    }
}

/// The codec for one form; every access uses pointers of exactly its type.
class FieldCodec<Form: ColumnForm>: PropertyCodec, @unchecked Sendable {  // immutable
    typealias Value = Form.Value

    /// - Parameter seenType: The visible type, if it differs from the type in memory.
    init(seenType: Any.Type? = nil) {
        super.init(
            valueType: seenType ?? Value.self, memoryType: Value.self, logicalType: Form.logicalType,
            acceptsNull: Form.acceptsNull, kind: FieldCodec.kind(of: Form.self))
    }

    override var isQuantity: Bool { Form.isQuantity }
    override var encodesByUser: Bool { Form.encodesByUser }
    override var makesValues: Bool { true }

    override func adapted(to type: Any.Type) -> PropertyCodec? {
        if type == Value.self { return self }
        let other = (Form.self as? any WrappingForm.Type)?.wrappedCodec ?? CodecFactory.optionalCodec(Form.self)
        return other.valueType == type ? other : nil
    }

    override var format: ColumnFormat? { (Form.self as? any FormattedForm.Type)?.format }

    private static func kind(of form: any ColumnForm.Type) -> Kind {
        switch form {
        case is ScalarForm<Int>.Type: .int
        case is ScalarForm<Int64>.Type: .int64
        case is ScalarForm<Double>.Type: .double
        case is ScalarForm<Bool>.Type: .bool
        case is ScalarForm<Date>.Type: .date
        case is ScalarForm<String>.Type: .string
        case is OptionalForm<ScalarForm<Int>>.Type: .optionalInt
        case is OptionalForm<ScalarForm<String>>.Type: .optionalString
        case is OptionalForm<ScalarForm<Double>>.Type: .optionalDouble
        case is OptionalForm<ScalarForm<Date>>.Type: .optionalDate
        default: .other
        }
    }

    override func read(_ column: Cell, into field: Address) throws(ValueFault) {
        field[as: Value.self] = try Form.read(column)
    }

    override func create(_ column: Cell, at memory: Address) throws(ValueFault) {
        let value = try Form.read(column)
        memory.initialize(as: Value.self, to: value)
    }

    override func bind(
        _ field: Address, to statement: Statement, at index: Int32
    ) throws(ValueFault) {
        try Form.bind(field[as: Value.self], to: statement, at: index)
    }

    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        try Form.encode(field[as: Value.self])
    }

    override func isSame(_ a: Address, _ b: Address) -> Bool {
        Form.isSame(a[as: Value.self], b[as: Value.self])
    }

    override func copy(_ source: Address, to memory: Address) {
        memory.initialize(as: Value.self, to: source[as: Value.self])
    }

    // Not `update(from:count:)` or `initializeMemory(as:from:count:)`, because for plain data these move whole strides,
    // and the next field of the object can start before the stride ends (an `Int?` has 9 bytes and a stride of 16).
    override func assign(_ source: Address, to field: Address) {
        field[as: Value.self] = source[as: Value.self]
    }

    override func destroy(_ memory: Address) { memory.destroy(as: Value.self) }

    override func value(_ field: Address) -> Any? {
        let value = field[as: Value.self]
        if let optional = value as? any OptionalType { return optional.unwrapped }
        return value
    }

    override func sendableValue(_ field: Address) -> (any Sendable)? {
        if facts.isPlainValue { return value(field).map { SendableBox.sendable($0) } }
        // The value may contain a class instance that other code changes. A value decoded from a column is independent.
        guard let stored = try? encode(field), var copy = try? Form.decode(stored) else { return nil }
        return Address.with(&copy) { value($0).map { SendableBox.sendable($0) } }
    }

    override func store(_ value: Any?, into field: Address) -> Bool {
        guard let value = Form.converted(value) else { return false }
        field[as: Value.self] = value
        return true
    }

    override func converted(_ value: Any?) -> Any? { Form.converted(value).map { $0 as Any } }

    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        guard let value = value as? Value else { return false }
        field[as: Value.self] = value
        return true
    }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try Form.argument(value)
    }

    override func encodeStored(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try Form.converted(value).map { (value) throws(ValueFault) in try Form.encode(value) }
    }

    override func encodeQueryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        guard let form = Form.self as? any RecodingForm.Type else { return try encodeArgument(value) }
        return try form.queryArgument(value)
    }

    override func plain(_ stored: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard stored != .null else { return stored }
        if let form = Form.self as? any RecodingForm.Type { return try FieldCodec.plain(stored, form) }
        if let form = Form.self as? any ConvertingForm.Type { return try form.meaning(of: stored) }
        return stored
    }

    private static func plain<F: RecodingForm>(_ stored: DatabaseValue, _: F.Type) throws(ValueFault) -> DatabaseValue {
        try F.queryArgument(F.decode(stored)) ?? .null
    }

    override var recodesArguments: Bool { isKey || Form.self is any RecodingForm.Type }

    override func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard let form = Form.self as? any RecodingForm.Type else { return try super.recoded(argument) }
        return try form.recoded(argument)
    }

    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool {
        guard let value = try? Form.decode(value) else { return false }
        memory.initialize(as: Value.self, to: value)
        return true
    }

    override func boxed(_ value: DatabaseValue) throws(ValueFault) -> Any? {
        let value = try value.withCell { (cell) throws(ValueFault) in try Form.read(cell) }
        if let optional = value as? any OptionalType { return optional.unwrapped }
        return value
    }

    override func withSamples(_ body: (Address) -> Void) {
        for var sample in Form.samples {
            Address.with(&sample, body)
        }
    }
}

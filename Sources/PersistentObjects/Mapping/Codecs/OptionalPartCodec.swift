internal import StoreEngine

/// One field of an optional embedded value: its column is NULL if there is no value.
///
/// Its memory is the whole property, which contains the field if there is a value. `PresenceCodec` stores whether there
/// is a value.
final class OptionalPartCodec<Value>: PropertyCodec, @unchecked Sendable {  // immutable, like all its properties
    private let part: PropertyCodec
    private let offset: Int
    private let blank: EmbeddedBlank<Value>

    init(_ part: PropertyCodec, at offset: Int, _ blank: EmbeddedBlank<Value>) {
        self.part = part
        self.offset = offset
        self.blank = blank
        super.init(
            valueType: OptionalPartCodec.optional(part.valueType), memoryType: Value?.self,
            logicalType: part.logicalType, acceptsNull: true, kind: .other)
    }

    private static func optional(_ type: Any.Type) -> Any.Type {
        func optional<T>(_: T.Type) -> Any.Type { T?.self }
        return type is any OptionalType.Type ? type : _openExistential(type, do: optional)
    }

    /// The address of a value's field; nil if there is no value.
    private func part(of field: Address) -> Address? { EmbeddedBlank<Value>.isPresent(field) ? field + offset : nil }

    private func initialize(_ memory: Address, to value: Value?) { memory.initialize(as: Value?.self, to: value) }

    override var isQuantity: Bool { part.isQuantity }
    override var makesValues: Bool { part.makesValues }
    override func adapted(to type: Any.Type) -> PropertyCodec? { part.adapted(to: type) }
    override var encodesByUser: Bool { part.encodesByUser }
    override func isQuantity(at field: Address) -> Bool { part.isQuantity && part(of: field) != nil }
    override var format: ColumnFormat? { part.format }

    override func makePresent(_ field: Address) {
        if !EmbeddedBlank<Value>.isPresent(field) { field[as: Value?.self] = blank.value }
    }

    override func read(_ column: Cell, into field: Address) throws(ValueFault) {
        if let place = part(of: field) { return try part.read(column, into: place) }
        guard column.isNull else {
            throw .rejected(
                type: "field of \(TypeSpelling.of(Value?.self))",
                reason: "the column holds a value, but another column declares the whole value nil")
        }
    }

    override func create(_ column: Cell, at memory: Address) throws(ValueFault) {
        guard !column.isNull else { return initialize(memory, to: nil) }
        initialize(memory, to: blank.value)
        do throws(ValueFault) { try part.read(column, into: memory + offset) } catch {
            destroy(memory)
            throw error
        }
    }

    override func bind(_ field: Address, to statement: Statement, at index: Int32) throws(ValueFault) {
        guard let place = part(of: field) else { return try statement.bindNull(at: index) }
        try part.bind(place, to: statement, at: index)
    }

    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        guard let place = part(of: field) else { return .null }
        return try part.encode(place)
    }

    override func isSame(_ a: Address, _ b: Address) -> Bool {
        switch (part(of: a), part(of: b)) {
        case (nil, nil): true
        case (let one?, let other?): part.isSame(one, other)
        // The column stores NULL for a nil field and for a missing value.
        case (let one?, nil), (nil, let one?): (try? part.encode(one)) == .null
        }
    }

    override func copy(_ source: Address, to memory: Address) { initialize(memory, to: source[as: Value?.self]) }

    override func assign(_ source: Address, to field: Address) {
        guard let place = part(of: field) else { return }
        if let other = part(of: source) {
            part.assign(other, to: place)
        } else if part.acceptsNull {
            _ = part.replace(place, by: .null)
        }
    }

    override func isInNil(_ field: Address) -> Bool { !EmbeddedBlank<Value>.isPresent(field) }

    override func restoreField(_ source: Address, to field: Address) {
        if isInNil(field), !isInNil(source) {
            field[as: Value?.self] = source[as: Value?.self]
        } else {
            assign(source, to: field)
        }
    }

    override func destroy(_ memory: Address) { memory.destroy(as: Value?.self) }
    override func value(_ field: Address) -> Any? { part(of: field).flatMap { part.value($0) } }

    override func sendableValue(_ field: Address) -> (any Sendable)? {
        part(of: field).flatMap { part.sendableValue($0) }
    }

    override func store(_ value: Any?, into field: Address) -> Bool {
        guard let place = part(of: field) else { return value == nil }
        return part.store(value, into: place)
    }

    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        guard let place = part(of: field) else { return false }
        guard let value = OptionalValue.flattened(value) else {
            return part.acceptsNull && part.replace(place, by: .null)
        }
        return part.storeExactly(value, into: place)
    }

    override func converted(_ value: Any?) -> Any? {
        value == nil && !part.acceptsNull ? Any?.none as Any : part.converted(value)
    }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        value == nil ? .null : try part.encodeArgument(value)
    }

    override func encodeStored(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        value == nil ? .null : try part.encodeStored(value)
    }

    override func encodeQueryArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        value == nil ? .null : try part.encodeQueryArgument(value)
    }

    override var recodesArguments: Bool { part.recodesArguments }

    override func recoded(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        argument == .null ? .null : try part.recoded(argument)
    }

    override func plain(_ stored: DatabaseValue) throws(ValueFault) -> DatabaseValue { try part.plain(stored) }

    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool {
        guard value != .null else {
            initialize(memory, to: nil)
            return true
        }
        initialize(memory, to: blank.value)
        if part.replace(memory + offset, by: value) { return true }
        destroy(memory)
        return false
    }

    override func boxed(_ value: DatabaseValue) throws(ValueFault) -> Any? {
        value == .null ? nil : try part.boxed(value)
    }

    override func withSamples(_ body: (Address) -> Void) {
        var whole: Value? = blank.value
        Address.with(&whole) { memory in
            part.withSamples { sample in
                part.assign(sample, to: memory + offset)
                body(memory)
            }
        }
    }
}

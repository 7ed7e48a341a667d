internal import StoreEngine

/// Whether an optional embedded property has a value: the column has 1, or NULL if there is no value.
///
/// Its memory is the whole property. Its ordinal is before the ordinals of the fields, because the fields' codecs change an
/// existing value and never create or remove it.
final class PresenceCodec<Value>: PropertyCodec, @unchecked Sendable {  // immutable, like its blank
    private let blank: EmbeddedBlank<Value>

    init(_ blank: EmbeddedBlank<Value>) {
        self.blank = blank
        super.init(
            valueType: Bool?.self, memoryType: Value?.self, logicalType: Bool.logicalType, acceptsNull: true,
            kind: .other)
    }

    private func isPresent(_ field: Address) -> Bool { EmbeddedBlank<Value>.isPresent(field) }

    private func set(_ isThere: Bool, _ field: Address) {
        if !isThere { field[as: Value?.self] = nil } else { makePresent(field) }
    }

    override func makePresent(_ field: Address) {
        if !isPresent(field) { field[as: Value?.self] = blank.value }
    }

    private func isThere(_ column: Cell) throws(ValueFault) -> Bool {
        if column.isNull { return false }
        guard try Bool.read(column) else {
            throw .rejected(type: "sign", reason: "1 marks a \(TypeSpelling.of(Value.self)), and NULL marks nil")
        }
        return true
    }

    override func read(_ column: Cell, into field: Address) throws(ValueFault) { set(try isThere(column), field) }

    override func create(_ column: Cell, at memory: Address) throws(ValueFault) {
        let value = try isThere(column) ? blank.value : nil
        memory.initialize(as: Value?.self, to: value)
    }

    override func bind(_ field: Address, to statement: Statement, at index: Int32) throws(ValueFault) {
        if isPresent(field) { try statement.bind(1 as Int64, at: index) } else { try statement.bindNull(at: index) }
    }

    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        isPresent(field) ? .integer(1) : .null
    }

    override func isSame(_ a: Address, _ b: Address) -> Bool { isPresent(a) == isPresent(b) }

    override func copy(_ source: Address, to memory: Address) {
        memory.initialize(as: Value?.self, to: source[as: Value?.self])
    }

    override func assign(_ source: Address, to field: Address) {
        // Fields without a column are restored together with the value.
        if !isPresent(source) || !isPresent(field) { field[as: Value?.self] = source[as: Value?.self] }
    }

    override func destroy(_ memory: Address) { memory.destroy(as: Value?.self) }
    override func value(_ field: Address) -> Any? { isPresent(field) ? true : nil }
    override func sendableValue(_ field: Address) -> (any Sendable)? { isPresent(field) ? true : nil }

    override func store(_ value: Any?, into field: Address) -> Bool {
        guard let isThere = Bool.converted(value ?? false) else { return false }
        set(isThere, field)
        return true
    }

    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        store(OptionalValue.flattened(value) as? Bool, into: field)
    }

    override func converted(_ value: Any?) -> Any? {
        Bool.converted(value ?? false).map { $0 ? true as Any : Bool?.none as Any }
    }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        Bool.converted(value ?? false).map { $0 ? .integer(1) : .null }
    }

    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool {
        switch value {
        case .null: memory.initialize(as: Value?.self, to: nil)
        case .integer(1): memory.initialize(as: Value?.self, to: blank.value)
        default: return false
        }
        return true
    }

    override func boxed(_ value: DatabaseValue) throws(ValueFault) -> Any? {
        try value.withCell { (cell) throws(ValueFault) in try isThere(cell) } ? true : nil
    }

    /// No samples, because no key path reads the presence.
    override func withSamples(_ body: (Address) -> Void) {}
}

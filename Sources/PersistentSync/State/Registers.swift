/// The values of an object's properties by name, each with the clock of its last write, in a quarter of the memory of an
/// array. Objects with the same properties share the names.
package struct Registers: Hashable, Sendable {
    /// The form depends on the values only, so equal registers have equal forms.
    private enum Form: Hashable {
        case packed(ArraySlice<UInt8>)
        /// Values that are large, so that reading another one does not copy them.
        case plain([Register<SyncValue>])
    }

    package private(set) var keys: [Text]
    private var form: Form

    package init() { (keys, form) = ([], .packed([])) }

    package init(_ values: NamedValues<Register<SyncValue>>) {
        keys = values.keys
        form = RegisterWriter.bytes(of: values.values).map { .packed($0[...]) } ?? .plain(values.values)
    }

    /// - Parameter packed: What `packed` of the same registers had.
    init(_ keys: [Text], packed: ArraySlice<UInt8>) { (self.keys, form) = (keys, .packed(packed)) }

    /// The bytes of the values; nil if values are large.
    var packed: ArraySlice<UInt8>? { if case .packed(let bytes) = form { bytes } else { nil } }

    /// The same in separate bytes, which keep no page in memory.
    var alone: Registers { packed.map { Registers(keys, packed: Array($0)[...]) } ?? self }

    package init(_ values: [Text: Register<SyncValue>]) { self.init(NamedValues(values)) }

    package var count: Int { keys.count }
    package var isEmpty: Bool { keys.isEmpty }

    /// All values, in the order of the names.
    package var values: [Register<SyncValue>] {
        switch form {
        case .plain(let values): return values
        case .packed(let bytes):
            var reader = RegisterReader(bytes)
            return keys.map { _ in reader.next() }
        }
    }

    /// The same in a form in which several of them can be changed.
    package var unpacked: NamedValues<Register<SyncValue>> { NamedValues(sorted: keys, values) }

    package func contains(_ name: Text) -> Bool { keys.contains(name) }

    package subscript(name: Text) -> Register<SyncValue>? {
        get {
            guard let index = keys.firstIndex(of: name) else { return nil }
            switch form {
            case .plain(let values): return values[index]
            case .packed(let bytes):
                var reader = RegisterReader(bytes)
                for _ in 0..<index { reader.skip() }
                return reader.next()
            }
        }
        set {
            var values = unpacked
            values[name] = newValue
            self = Registers(values)
        }
    }

    func forEachClock(_ body: (Clock) -> Void) {
        switch form {
        case .plain(let values): for register in values { body(register.clock) }
        case .packed(let bytes):
            var reader = RegisterReader(bytes)
            for _ in keys { body(reader.skip().clock) }
        }
    }

    /// Whether a value is the key of an object.
    var containObject: Bool {
        switch form {
        case .plain(let values):
            return values.contains { register in if case .object = register.value { true } else { false } }
        case .packed(let bytes):
            var reader = RegisterReader(bytes)
            return keys.contains { _ in reader.skip().kind == .object }
        }
    }

    /// Adds the values of other names, and combines the values of the same names.
    mutating func merge(
        _ other: Registers, uniquingKeysWith combine: (Register<SyncValue>, Register<SyncValue>) -> Register<SyncValue>
    ) {
        if isEmpty {
            self = other
        } else if self != other {
            var values = unpacked
            values.merge(other.unpacked, uniquingKeysWith: combine)
            self = Registers(values)
        }
    }

    /// The values of some names.
    func only(where isIncluded: (Text) -> Bool) -> Registers { Registers(unpacked.only(where: isIncluded)) }

    /// A dictionary of other values.
    package func mapValues<Other>(_ body: (Register<SyncValue>) throws -> Other) rethrows -> [Text: Other] {
        try unpacked.mapValues(body)
    }
}

extension Registers: Sequence {
    package func makeIterator() -> NamedValues<Register<SyncValue>>.Iterator { unpacked.makeIterator() }
    package var underestimatedCount: Int { keys.count }
}

extension Registers: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Text, Register<SyncValue>)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

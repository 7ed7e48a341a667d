internal import StoreEngine

/// The codec of one type of collection; every access uses pointers of exactly its type.
class TypedCollectionCodec<Holder: CollectionHolder>: CollectionCodec, @unchecked Sendable {  // immutable
    typealias Value = Holder.Value
    typealias Form = Holder.Form

    init(key: PropertyCodec?, element: PropertyCodec) {
        super.init(
            valueType: Value.self, style: Form.style, key: key, element: element, isOptional: Holder.isOptional)
    }

    @inline(__always)
    final func items(_ field: Address) -> Form.Items? { Holder.items(field[as: Value.self]) }

    // MARK: Rows

    final override func count(_ field: Address) -> Int { items(field).map { Form.count($0) } ?? 0 }
    final override func isNil(_ field: Address) -> Bool { items(field) == nil }
    final override func setEmpty(at field: Address) {
        field[as: Value.self] = Holder.value(Form.empty)
    }
    final override func setNil(at field: Address) { field[as: Value.self] = Holder.value(nil) }

    final override func createNil(at memory: Address) {
        memory.initialize(as: Value.self, to: Holder.value(nil))
    }

    final override func forEachRow(
        _ field: Address,
        _ body: (_ key: Address?, _ element: Address) throws -> Void
    ) rethrows {
        // `items` is a copy, because `body` can run the user's encode(to:), which can change the collection.
        if let items = items(field) { try Form.forEachRow(items, body) }
    }

    final override func forEachDifference(
        _ old: Address, _ new: Address,
        _ body: (RowDifference, _ key: Address?, _ element: Address) throws -> Void
    ) rethrows {
        // Copies, because `body` can run the user's encode(to:).
        try Form.forEachDifference(
            items(old) ?? Form.empty, items(new) ?? Form.empty, key: keyPlan, element: elementPlan, body)
    }

    final override func withElements(
        _ field: Address, _ body: (ElementBuffer) throws -> Void
    ) rethrows {
        if let items = items(field) { try Form.withElements(items, body) } else { try body(.empty) }
    }

    final override func makeBuilder() -> CollectionBuilder {
        Value.self == [String].self && elementPlan.kind == .string
            ? TextArrayBuilder(self) : TypedCollectionBuilder<Holder>(self)
    }

    // MARK: Column

    // A collection's rows are read after all rows of the fetch exist.
    final override func read(_ column: Cell, into field: Address) throws(ValueFault) {}

    /// The column's content: nil, or a collection whose rows are in another table.
    final override func create(_ column: Cell, at memory: Address) throws(ValueFault) {
        guard column.isNull || column.integer != nil else { throw column.mismatch(expected: "INTEGER") }
        let value = column.isNull ? Holder.value(nil) : Holder.value(Form.empty)
        memory.initialize(as: Value.self, to: value)
    }

    final override func bind(
        _ field: Address, to statement: Statement, at index: Int32
    ) throws(ValueFault) {
        if items(field) == nil { try statement.bindNull(at: index) } else { try statement.bind(1 as Int64, at: index) }
    }

    final override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { nil }

    // MARK: Memory

    @_specialize(where Holder == PlainCollection<ArrayForm<String>>)
    final override func copy(_ source: Address, to memory: Address) {
        memory.initialize(as: Value.self, to: source[as: Value.self])
    }

    @_specialize(where Holder == PlainCollection<ArrayForm<String>>)
    final override func assign(_ source: Address, to field: Address) {
        field[as: Value.self] = source[as: Value.self]
    }

    @_specialize(where Holder == PlainCollection<ArrayForm<String>>)
    final override func destroy(_ memory: Address) { memory.destroy(as: Value.self) }

    final override func isSame(_ a: Address, _ b: Address) -> Bool {
        guard let first = items(a), let second = items(b) else { return isNil(a) && isNil(b) }
        if Form.isSame(first, second, key: keyPlan, element: elementPlan) { return true }
        // If a custom `==` distinguishes more values than a column, equal elements are not found above.
        guard style != .array, !keepsKeysApart, Form.count(first) == Form.count(second) else { return false }
        guard let x = try? encode(a), let y = try? encode(b) else { return false }
        return x == y
    }

    // MARK: Baselines

    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        .blob(try CollectionEncoding.bytes(of: field, self))
    }

    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool {
        guard case .blob(let bytes) = value else { return false }
        return CollectionEncoding.make(bytes, self, at: memory)
    }

    // MARK: Boxes

    final override func value(_ field: Address) -> Any? { items(field) }

    override func sendableValue(_ field: Address) -> (any Sendable)? {
        guard let items = items(field) else { return nil }
        if facts.isPlainValue { return SendableBox.sendable(items) }
        // Elements may contain class instances that other code changes. Values decoded from columns are independent.
        let copy = ElementMemory(self)
        guard let stored = try? encode(field), decode(stored, at: copy.address) else { return nil }
        defer { destroy(copy.address) }
        return self.items(copy.address).map { SendableBox.sendable($0) }
    }

    final override func store(_ value: Any?, into field: Address) -> Bool {
        guard let value = OptionalValue.flattened(value) else {
            guard Holder.isOptional else { return false }
            setNil(at: field)
            return true
        }
        if let items = value as? Form.Items {
            field[as: Value.self] = Holder.value(items)
            return true
        }
        guard let items = converted(value) else { return false }
        field[as: Value.self] = Holder.value(items)
        return true
    }

    /// A collection of another type with each element converted without loss.
    private func converted(_ value: Any) -> Form.Items? {
        let builder = TypedCollectionBuilder<Holder>(self)
        func encoded(_ value: Any, _ codec: PropertyCodec) -> DatabaseValue? {
            (try? codec.encodeArgument(OptionalValue.flattened(value))) ?? nil
        }
        switch (style, value) {
        case (.array, let elements as [Any]):
            for element in elements {
                guard let value = encoded(element, self.element), builder.append(nil, value) else { return nil }
            }
        case (.set, let elements as Set<AnyHashable>):
            for element in elements {
                guard let value = encoded(element.base, self.element), builder.append(nil, value) else { return nil }
            }
        case (.dictionary, let pairs as [AnyHashable: Any]):
            guard let key else { return nil }
            for pair in pairs {
                guard let key = encoded(pair.key.base, key), let value = encoded(pair.value, element),
                    builder.append(key, value)
                else { return nil }
            }
        default: return nil
        }
        return builder.take()
    }

    final override func storeExactly(_ value: Any, into field: Address) -> Bool {
        guard let value = value as? Value else { return false }
        field[as: Value.self] = value
        return true
    }

    final override func withSamples(_ body: (Address) -> Void) {
        var samples: [Value] = Holder.isOptional ? [Holder.value(nil)] : []
        samples += [Holder.value(Form.empty)] + samplesWithElement().map { Holder.value($0) }
        for var sample in samples { Address.with(&sample, body) }
    }

    /// Collections with one element: one for each of the first samples of the element.
    func samplesWithElement() -> [Form.Items] {
        var samples: [Form.Items] = []
        let memory = ElementMemory(element)
        element.withSamples { sample in
            guard samples.count < 2 else { return }
            element.copy(sample, to: memory.address)
            if let items = collection(ofOne: memory.address) { samples.append(items) }
        }
        return samples
    }

    /// A collection with one element, which is moved out of its memory.
    final func collection(ofOne element: Address) -> Form.Items? {
        var items = Form.empty
        guard let key else { return Form.add(nil, element, to: &items) ? items : nil }
        let memory = ElementMemory(key)
        var hasKey = false
        key.withSamples { sample in
            if !hasKey { key.copy(sample, to: memory.address) }
            hasKey = true
        }
        guard hasKey else {
            self.element.destroy(element)
            return nil
        }
        return Form.add(memory.address, element, to: &items) ? items : nil
    }
}

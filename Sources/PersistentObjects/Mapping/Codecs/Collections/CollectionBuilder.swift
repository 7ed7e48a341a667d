internal import StoreEngine

/// Creates values of a collection's type from rows, one at a time.
class CollectionBuilder {
    private let codec: CollectionCodec
    private let elementMemory: ElementMemory
    private let keyMemory: ElementMemory?

    init(_ codec: CollectionCodec) {
        self.codec = codec
        elementMemory = ElementMemory(codec.element)
        keyMemory = codec.key.map { ElementMemory($0) }
    }

    /// Discards the appended elements.
    func begin() {}
    /// Creates the collection in fresh memory, and begins a new collection.
    func finish(at memory: Address) {}
    /// Moves an element, and its key, out of their memory; false if an equal element already exists.
    fileprivate func add(_ key: Address?, _ element: Address) -> Bool { false }

    /// Replaces the value at `field` with the collection, and begins a new collection.
    final func finish(into field: Address) {
        codec.destroy(field)
        finish(at: field)
    }

    /// Appends an element, and in a dictionary its key, from their columns.
    func append(key: Cell?, value: Cell) throws(ValueFault) {
        if let key, let plan = codec.keyPlan, let memory = keyMemory {
            try plan.create(key, at: memory.address)
            do throws(ValueFault) { try codec.elementPlan.create(value, at: elementMemory.address) } catch {
                plan.codec.destroy(memory.address)
                throw error
            }
        } else {
            try codec.elementPlan.create(value, at: elementMemory.address)
        }
        guard add(keyMemory?.address, elementMemory.address) else {
            throw .rejected(type: TypeSpelling.of(codec.valueType), reason: "two of its rows are equal in Swift")
        }
    }

    /// Appends an element, and in a dictionary its key, from their encodings; false, without appending, if that is not
    /// possible.
    final func append(_ key: DatabaseValue?, _ value: DatabaseValue) -> Bool {
        if let key, let keyCodec = codec.key, let memory = keyMemory {
            guard keyCodec.decode(key, at: memory.address) else { return false }
            guard codec.element.decode(value, at: elementMemory.address) else {
                keyCodec.destroy(memory.address)
                return false
            }
        } else {
            guard codec.element.decode(value, at: elementMemory.address) else { return false }
        }
        return add(keyMemory?.address, elementMemory.address)
    }
}

/// The builder for one type of collection.
final class TypedCollectionBuilder<Holder: CollectionHolder>: CollectionBuilder {
    private var items = Holder.Form.empty

    override func begin() { items = Holder.Form.empty }

    override func finish(at memory: Address) {
        let value = Holder.value(take())
        memory.initialize(as: Holder.Value.self, to: value)
    }

    /// Returns the collection and begins a new collection.
    func take() -> Holder.Form.Items {
        defer { items = Holder.Form.empty }
        return items
    }

    override fileprivate func add(_ key: Address?, _ element: Address) -> Bool {
        Holder.Form.add(key, element, to: &items)
    }
}

/// The builder for arrays of strings, the most common collections; separate because the compiler does not specialize
/// the generic builder.
final class TextArrayBuilder: CollectionBuilder {
    // An address, because the runtime would check each access to a variable of a class for exclusivity.
    private let memory = Address.allocate(byteCount: MemoryLayout<[String]>.size)
    /// The expected number of strings: the count of the previous array.
    private var expected = 0

    override init(_ codec: CollectionCodec) {
        memory.initialize(as: [String].self, to: [])
        super.init(codec)
    }

    deinit {
        memory.destroy(as: [String].self)
        memory.deallocate()
    }

    private var texts: [String] {
        @inline(__always) get { memory[as: [String].self] }
        @inline(__always) _modify { yield &memory[as: [String].self] }
    }

    override func begin() { texts = [] }

    override func append(key: Cell?, value: Cell) throws(ValueFault) {
        let text = try String.read(value)
        if texts.isEmpty { texts.reserveCapacity(expected) }
        texts.append(text)
    }

    override func finish(at target: Address) {
        // A long array must not make many short arrays large.
        expected = min(texts.count, 16)
        target.initialize(as: [String].self, to: memory.move(as: [String].self))
        memory.initialize(as: [String].self, to: [])
    }

    override fileprivate func add(_ key: Address?, _ element: Address) -> Bool {
        texts.append(element.move(as: String.self))
        return true
    }
}

internal import StoreEngine

/// A collection of objects of the store: an array or set of objects, or a dictionary with objects as values.
final class LinkCollectionCodec<Holder: CollectionHolder>: TypedCollectionCodec<Holder>, LinkCodec, @unchecked Sendable
where Holder.Form: LinkForm {  // immutable
    typealias Target = Holder.Form.Target
    let target: PersistentObject.Type

    init(key: PropertyCodec?) {
        target = ObjectMemory.objectClass(Target.self)
        super.init(key: key, element: TypedReferenceCodec<Target>(isWeak: false))
    }

    func forEachTarget(_ field: Address, _ body: (PersistentObject) -> Void) {
        forEachRow(field) { _, element in body(CollectionLinks.object(at: element)) }
    }

    func targets(_ field: Address) -> [PersistentObject]? {
        guard style == .array, let items = items(field) else { return nil }
        return ObjectMemory.answer(items, as: [PersistentObject].self)
    }

    func image(_ field: Address) -> LinkImage { CollectionLinks.image(field, self) }

    func isSame(_ field: Address, as image: LinkImage) -> Bool {
        guard isNil(field) == image.isNil, count(field) == image.ids.count else { return false }
        switch style {
        case .array: return targets(field).map { CollectionLinks.are($0, image.ids) } ?? true
        case .set:
            var isSame = true
            // Different objects have different rows. If each is found, the sets are equal, because their counts are
            // equal.
            forEachRow(field) { _, element in
                if isSame { isSame = image.hasSortedID(CollectionLinks.rowIDOrNone(at: element)) }
            }
            return isSame
        case .dictionary:
            let now = CollectionLinks.image(field, self, of: CollectionLinks.rowIDOrNone)
            return now == image && !now.ids.contains(LinkImage.none)
        }
    }

    func restore(
        _ image: LinkImage, into field: Address, _ object: (Int64) -> PersistentObject?
    ) {
        guard !image.isNil else { return setNil(at: field) }
        var items = Form.empty
        Form.reserve(image.ids.count, in: &items)
        let element = ElementMemory(self.element)
        let keyMemory = key.map { ElementMemory($0) }
        for (index, id) in image.ids.enumerated() {
            guard let object = object(id) else { continue }
            if let key, let keyMemory {
                guard index < image.keys.count, key.decode(image.keys[index], at: keyMemory.address) else { continue }
            }
            CollectionLinks.initialize(element.address, to: object)
            _ = Form.add(keyMemory?.address, element.address, to: &items)
        }
        field[as: Value.self] = Holder.value(items)
    }

    func restore(_ image: LinkImage, to objects: [PersistentObject], into field: Address) {
        if !image.isNil, let items = Form.items(of: objects) {
            field[as: Value.self] = Holder.value(items)
        } else {
            var next = objects.makeIterator()
            restore(image, into: field) { _ in next.next() }
        }
    }

    func sendableIDs(_ image: LinkImage) -> (any Sendable)? {
        guard !image.isNil else { return nil }
        var ids = Form.IDForm.empty
        let keyMemory = key.map { ElementMemory($0) }
        for (index, id) in image.ids.enumerated() where id != LinkImage.none {
            if let key, let keyMemory {
                guard index < image.keys.count, key.decode(image.keys[index], at: keyMemory.address) else { continue }
            }
            var persistentID = PersistentID<Target>(id)
            _ = Address.with(&persistentID) {
                Form.IDForm.add(keyMemory?.address, $0, to: &ids)
            }
        }
        // Sendable, because it contains only ids and keys that were just decoded.
        return SendableBox.sendable(ids)
    }

    override func insert(_ object: PersistentObject, into field: Address) -> Bool {
        guard style != .dictionary else { return false }
        var items = Holder.items(field[as: Value.self]) ?? Form.empty
        let memory = ElementMemory(element)
        CollectionLinks.initialize(memory.address, to: object)
        _ = Form.add(nil, memory.address, to: &items)
        field[as: Value.self] = Holder.value(items)
        return true
    }

    override func remove(_ object: PersistentObject, from field: Address) {
        guard !isNil(field) else { return }
        var items = Form.empty
        let memory = ElementMemory(element)
        let keyMemory = key.map { ElementMemory($0) }
        forEachRow(field) { itsKey, itsElement in
            let other = CollectionLinks.object(at: itsElement)
            guard other !== object else { return }
            if let key, let keyMemory, let itsKey { key.copy(itsKey, to: keyMemory.address) }
            CollectionLinks.initialize(memory.address, to: other)
            _ = Form.add(keyMemory?.address, memory.address, to: &items)
        }
        field[as: Value.self] = Holder.value(items)
    }

    override func sendableValue(_ field: Address) -> (any Sendable)? { sendableIDs(image(field)) }

    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        throw .notStorable(reason: "a collection of objects has no column")
    }

    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool { false }

    override func samplesWithElement() -> [Form.Items] {
        let memory = ElementMemory(element)
        CollectionLinks.initialize(memory.address, to: Target().object)
        return collection(ofOne: memory.address).map { [$0] } ?? []
    }
}

/// Objects in collections, by address.
enum CollectionLinks {
    /// The object at an address.
    static func object(at element: Address) -> PersistentObject {
        element[as: PersistentObject.self]
    }

    static func initialize(_ element: Address, to object: PersistentObject) {
        element.initialize(as: PersistentObject.self, to: object)
    }

    /// The id of the row of the object at an address, also if the object is being saved; the object is not retained.
    @inline(__always)
    static func rowID(at element: Address) -> Int64 {
        element.load(as: Address.self).header.rowID
    }

    /// The database's id of the object at an address; `LinkImage.none` if the object has no row.
    @inline(__always)
    static func linkID(at element: Address) -> Int64 {
        return element.load(as: Address.self).header.lifecycle == .saved
            ? element.load(as: Address.self).header.rowID : LinkImage.none
    }

    /// The same, also if its row was deleted; see `PersistentObject.rowIDOrNone`.
    @inline(__always)
    static func rowIDOrNone(at element: Address) -> Int64 {
        switch element.load(as: Address.self).header.lifecycle {
        case .saved, .deleted: return element.load(as: Address.self).header.rowID
        case .new, .untracked: return LinkImage.none
        }
    }

    /// Whether the objects have the rows with these ids, in this order and number; no object is retained.
    static func are(_ objects: [PersistentObject], _ ids: [Int64]) -> Bool {
        Address.with(objects) { objects in
            Address.with(ids) { expected in
                guard let objects, let expected else { return true }
                for index in ids.indices {
                    // Both arrays consist of words.
                    let id = (expected + index * MemoryLayout<Int64>.size).load(as: Int64.self)
                    guard id != LinkImage.none,
                        rowIDOrNone(at: objects + index * MemoryLayout<Address>.size) == id
                    else { return false }
                }
                return true
            }
        }
    }

    static func image(
        _ field: Address, _ codec: CollectionCodec, of id: (Address) -> Int64 = linkID
    ) -> LinkImage {
        guard !codec.isNil(field) else { return LinkImage(isNil: true) }
        let count = codec.count(field)
        // A fast path: a new object is in this state before its rows are read.
        if count == 0 { return LinkImage() }
        var ids: [Int64] = []
        ids.reserveCapacity(count)
        var keys: [DatabaseValue] = []
        codec.forEachRow(field) { key, element in
            ids.append(id(element))
            // A key that cannot be stored becomes NULL, which no stored key equals. It is a change, and its save
            // throws.
            if let key { keys.append((try? codec.key?.encode(key)) ?? .null) }
        }
        switch codec.style {
        case .array: return LinkImage(ids: ids)
        case .set: return LinkImage(ids: ids.sorted())
        case .dictionary: return LinkImage(ids: ids, keys: keys).inKeyOrder
        }
    }
}

extension LinkImage {
    /// Whether a set or an inverse contains an id.
    func hasSortedID(_ id: Int64) -> Bool {
        guard id != LinkImage.none else { return false }
        let index = firstIndex(from: id)
        return index < ids.count && ids[index] == id
    }

    /// The index of the first id of a set or an inverse that is not less than the given id.
    func firstIndex(from id: Int64) -> Int {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The image of a dictionary, sorted by key because the dictionary's own order varies.
    var inKeyOrder: LinkImage {
        let order = keys.indices.sorted { keys[$0].precedes(keys[$1]) }
        return LinkImage(ids: order.map { ids[$0] }, keys: order.map { keys[$0] }, isNil: isNil)
    }
}

extension DatabaseValue {
    /// A total order of all values: by storage class, then by content.
    func precedes(_ other: DatabaseValue) -> Bool {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a == b ? a.bitPattern < b.bitPattern : a < b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.blob(let a), .blob(let b)): a.lexicographicallyPrecedes(b)
        default: storageClass.rawValue < other.storageClass.rawValue
        }
    }
}

internal import StoreEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Where the second copy of an object's properties, its baseline, has each of them.
///
/// A baseline is one block of memory. Properties that are proven to be values
/// stand in it as they stand in the object, neighbours beside neighbours, so
/// that one `memcmp` over a run of them finds most objects unchanged. Where the
/// bits differ the encoded column decides. A property that may hold a class
/// instance, which changes without a change of bits, has its encoding there.
final class BaselineLayout: @unchecked Sendable {  // immutable
    /// One property; plain data, so that a loop over them retains nothing.
    struct Slot: @unchecked Sendable {  // immutable
        let objectOffset: Int
        /// Where in the object the value's box is, in which `objectOffset` counts then; -1 where there is none.
        let boxOffset: Int
        let blockOffset: Int
        let size: Int
        let kind: PropertyCodec.Kind
        /// Kept alive by the class map, which lives as long as the process.
        unowned(unsafe) let codec: PropertyCodec
        let content: Content
        /// Whether the value has a buffer that the user may be writing this moment.
        let hasSharedBuffer: Bool
    }

    /// What the block has of a property.
    enum Content: UInt8 {
        case value
        /// The value's encoding, `DatabaseValue?`.
        case encoding
        /// The id of a reference's object, `Int64`.
        case reference
        /// The same, and a weak reference of the block's own.
        case weakReference
        /// The ids of many objects, `LinkImage`.
        case links
    }

    /// Bytes that are the same in object and block as long as nothing changed.
    private struct Span: Sendable {
        var objectOffset: Int
        var blockOffset: Int
        var count: Int
    }

    /// The properties in the order of their columns. (A buffer, since an array is retained by each who loops over it.)
    let slots: UnsafeBufferPointer<Slot>
    let blockSize: Int
    private let spans: UnsafeBufferPointer<Span>
    /// Places of properties that are compared one by one: bits do not tell of them.
    private let comparedSlots: UnsafeBufferPointer<Int>
    /// Places of properties whose values own memory, so that copying and destroying them is more than moving bits.
    private let owningSlots: UnsafeBufferPointer<Int>
    private let hasSharedBuffers: Bool

    /// The lay-out for properties; the alignment of none may exceed 16.
    init(_ properties: [Property]) {
        var slots: [Slot?] = Array(repeating: nil, count: properties.count)
        var spans: [Span] = []
        var end = 0
        let contents = properties.map { BaselineLayout.content(of: $0) }
        let isSpanned = properties.indices.map { contents[$0] == .value && properties[$0].boxOffset == nil }
        for place in properties.indices.sorted(by: { properties[$0].offset < properties[$1].offset })
        where isSpanned[place] {
            let (offset, codec) = (properties[place].offset, properties[place].codec)
            let size = codec.facts.size
            let block: Int
            if let last = spans.last, last.objectOffset + last.count == offset, size > 0 {
                block = end
                spans[spans.count - 1].count += size
            } else {
                // The same place modulo 16 keeps every alignment, and lets the next property follow without a gap.
                block = end + ((offset - end) % 16 + 16) % 16
                if size > 0 { spans.append(Span(objectOffset: offset, blockOffset: block, count: size)) }
            }
            end = block + size
            slots[place] = BaselineLayout.slot(properties[place], .value, at: block)
        }
        for place in properties.indices where !isSpanned[place] {
            let content = contents[place]
            let alignment = content == .value || content == .encoding ? 16 : 8
            let block = (end + alignment - 1) & ~(alignment - 1)
            let slot = BaselineLayout.slot(properties[place], content, at: block)
            end = block + slot.size
            slots[place] = slot
        }
        self.slots = BaselineLayout.buffer(slots.compactMap { $0 })
        self.spans = BaselineLayout.buffer(spans)
        blockSize = Swift.max((end + 7) & ~7, 8)
        comparedSlots = BaselineLayout.buffer(properties.indices.filter { !isSpanned[$0] })
        owningSlots = BaselineLayout.buffer(
            properties.indices.filter { isSpanned[$0] && !properties[$0].codec.facts.isPlainData })
        hasSharedBuffers = self.slots.contains(where: \.hasSharedBuffer)
    }

    private static func content(of property: Property) -> Content {
        if let reference = property.codec as? ReferenceCodec { return reference.isWeak ? .weakReference : .reference }
        if property.isLink { return .links }
        return property.codec.facts.isPlainValue ? .value : .encoding
    }

    private static func slot(_ property: Property, _ content: Content, at block: Int) -> Slot {
        let codec = property.codec
        let size =
            switch content {
            case .value: codec.facts.size
            case .encoding: MemoryLayout<DatabaseValue?>.stride
            case .reference: MemoryLayout<Int64>.size
            case .weakReference: 2 * MemoryLayout<Int64>.size
            case .links: MemoryLayout<LinkImage>.stride
            }
        let isShared =
            switch content {
            case .value: !codec.facts.isPlainData && !isImmutableBuffer(codec.valueType)
            case .encoding, .links: true
            case .reference, .weakReference: false
            }
        return Slot(
            objectOffset: property.offset, boxOffset: property.boxOffset ?? -1, blockOffset: block, size: size,
            kind: content == .value ? codec.kind : .other, codec: codec, content: content,
            hasSharedBuffer: isShared && property.boxOffset == nil)
    }

    deinit {
        slots.deallocate()
        comparedSlots.deallocate()
        owningSlots.deallocate()
        spans.deallocate()
    }

    private static func buffer<T>(_ elements: [T]) -> UnsafeBufferPointer<T> {
        let buffer = UnsafeMutableBufferPointer<T>.allocate(capacity: elements.count)
        _ = buffer.initialize(from: elements)
        return UnsafeBufferPointer(buffer)
    }

    /// Types whose buffers nobody can write in place while they are shared.
    private static func isImmutableBuffer(_ type: Any.Type) -> Bool {
        type == String.self || type == String?.self
    }

    /// Makes a baseline of `object`, which the user can see, in the fresh memory of `block`.
    func capture(_ object: UnsafeMutableRawPointer, to block: UnsafeMutableRawPointer) {
        if hasSharedBuffers { checkSharedBuffers(of: object) }
        captureNew(object, to: block)
    }

    /// Makes a baseline of an object that nobody else can see yet.
    @inline(__always)
    func captureNew(_ object: UnsafeMutableRawPointer, to block: UnsafeMutableRawPointer) {
        for span in spans {
            (block + span.blockOffset).copyMemory(from: object + span.objectOffset, byteCount: span.count)
        }
        for place in owningSlots {
            let slot = slots[place]
            let source = object + slot.objectOffset
            let copy = block + slot.blockOffset
            switch slot.kind {
            case .string:
                copy.initializeMemory(as: String.self, to: source.assumingMemoryBound(to: String.self).pointee)
            case .optionalString:
                copy.initializeMemory(as: String?.self, to: source.assumingMemoryBound(to: String?.self).pointee)
            default: slot.codec.copy(source, to: copy)
            }
        }
        for place in comparedSlots {
            let slot = slots[place]
            create(slot, of: slot.address(in: object), at: block + slot.blockOffset)
        }
    }

    /// Makes what the fresh memory `kept` has of a value that no span has.
    private func create(_ slot: Slot, of field: UnsafeMutableRawPointer, at kept: UnsafeMutableRawPointer) {
        switch slot.content {
        case .value: slot.codec.copy(field, to: kept)
        case .encoding: kept.initializeMemory(as: DatabaseValue?.self, to: try? slot.codec.encode(field))
        case .reference: kept.storeBytes(of: slot.reference.object(field)?.linkID ?? LinkImage.none, as: Int64.self)
        case .weakReference:
            let object = slot.reference.object(field)
            kept.storeBytes(of: object?.linkID ?? LinkImage.none, as: Int64.self)
            WeakMemory.create(object, at: kept + 8)
        case .links: kept.initializeMemory(as: LinkImage.self, to: slot.links.image(field))
        }
    }

    /// Brings the baseline of some properties to what the object has.
    func recapture(_ columns: ColumnSet, of object: UnsafeMutableRawPointer, in block: UnsafeMutableRawPointer) {
        columns.forEach { place in
            let slot = slots[place]
            let source = slot.address(in: object)
            if slot.hasSharedBuffer { ObjectMemory.checkNotBeingModified(source) }
            setBaseline(of: slot, to: source, in: block)
            if let box = slot.box(in: object) { box.state = .loaded }
        }
    }

    /// Ends a baseline; its memory may be used for another.
    func destroy(_ block: UnsafeMutableRawPointer) {
        for place in owningSlots {
            let slot = slots[place]
            let memory = block + slot.blockOffset
            switch slot.kind {
            case .string: _ = memory.assumingMemoryBound(to: String.self).move()
            case .optionalString: _ = memory.assumingMemoryBound(to: String?.self).move()
            default: slot.codec.destroy(memory)
            }
        }
        for place in comparedSlots {
            let slot = slots[place]
            let kept = block + slot.blockOffset
            switch slot.content {
            case .value: slot.codec.destroy(kept)
            case .encoding: encoded(block, slot).deinitialize(count: 1)
            case .reference: break
            case .weakReference: WeakMemory.destroy(kept + 8)
            case .links: kept.assumingMemoryBound(to: LinkImage.self).deinitialize(count: 1)
            }
        }
    }

    /// Whether bits tell of all properties, so that an object can be looked at that is perhaps dying.
    var isComparedByBits: Bool { comparedSlots.isEmpty }

    /// Whether all bits are the same: a fast yes. A no wants `changes`.
    @inline(__always)
    func hasSameBits(_ object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) -> Bool {
        for span in spans {
            guard memcmp(object + span.objectOffset, block + span.blockOffset, span.count) == 0 else { return false }
        }
        return comparedSlots.isEmpty || hasSameLinks(object, block)
    }

    /// The same for what no span has; runs nothing of the user's and releases nothing.
    private func hasSameLinks(_ object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) -> Bool {
        for place in comparedSlots {
            let slot = slots[place]
            if slot.boxOffset >= 0, ObjectMemory.boxState(at: object + slot.boxOffset) == .unloaded { continue }
            guard slot.content == .reference else { return false }
            guard let target = slot.address(in: object).load(as: UnsafeMutableRawPointer?.self) else {
                guard keptID(slot, block) == LinkImage.none else { return false }
                continue
            }
            let header = ObjectMemory.header(at: target)
            guard header.pointee.rowID == keptID(slot, block), header.pointee.lifecycle == .saved else { return false }
        }
        return true
    }

    private func keptID(_ slot: Slot, _ block: UnsafeMutableRawPointer) -> Int64 {
        (block + slot.blockOffset).load(as: Int64.self)
    }

    /// The properties that differ from the baseline. Runs user code only where a property is encoded.
    @inline(__always)
    func changes(_ object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) -> ColumnSet {
        if hasSharedBuffers { checkSharedBuffers(of: object) }
        if hasSameBits(object, block) { return ColumnSet() }
        return comparedChanges(object, block)
    }

    private func comparedChanges(_ object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) -> ColumnSet {
        var changed = ColumnSet()
        for (place, slot) in slots.enumerated() where !isSame(slot, object, block) { changed.insert(place) }
        return changed
    }

    /// Whether one property is as the baseline has it.
    func isSame(_ slot: Slot, _ object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) -> Bool {
        if let box = slot.box(in: object) {
            switch box.state {
            case .unloaded: return true
            case .assigned: return false
            case .loaded: break
            }
        }
        let field = slot.address(in: object)
        let kept = block + slot.blockOffset
        switch slot.content {
        case .value: break
        case .encoding:
            guard let now = try? slot.codec.encode(field), let then = encoded(block, slot).pointee else { return false }
            return now == then
        case .reference:
            return (slot.reference.object(field)?.linkID ?? LinkImage.none) == keptID(slot, block)
                && slot.reference.object(field).map { $0.lifecycle == .saved } ?? true
        case .weakReference:
            if let object = slot.reference.object(field) {
                return object.lifecycle == .saved && object.rowID == keptID(slot, block)
            }
            // Nil: the user has cleared it if its object is still there; else the object has died, which is no edit.
            return keptID(slot, block) == LinkImage.none || WeakMemory.load(kept + 8) == nil
        case .links: return slot.links.isSame(field, as: kept.assumingMemoryBound(to: LinkImage.self).pointee)
        }
        switch slot.kind {
        case .int, .int64, .double, .bool, .date: return memcmp(field, kept, slot.size) == 0
        case .string:
            return memcmp(field, kept, MemoryLayout<String>.size) == 0
                || String.isSame(
                    field.assumingMemoryBound(to: String.self).pointee,
                    kept.assumingMemoryBound(to: String.self).pointee)
        default: return memcmp(field, kept, slot.size) == 0 || slot.codec.isSame(field, kept)
        }
    }

    /// The baseline's value of one property in a box; nil for NULL.
    func baselineValue(_ place: Int, in block: UnsafeMutableRawPointer) -> (any Sendable)? {
        let slot = slots[place]
        switch slot.content {
        case .value: return slot.codec.sendableValue(block + slot.blockOffset)
        case .encoding: return withDecoded(slot, block) { $0.flatMap { slot.codec.sendableValue($0) } } ?? nil
        case .reference, .weakReference, .links: return slot.links.sendableIDs(image(place, in: block))
        }
    }

    /// The ids that the baseline has of a link.
    func image(_ place: Int, in block: UnsafeMutableRawPointer) -> LinkImage {
        let slot = slots[place]
        switch slot.content {
        case .value, .encoding: return LinkImage()
        case .reference, .weakReference:
            let id = keptID(slot, block)
            return LinkImage(ids: id == LinkImage.none ? [] : [id])
        case .links: return (block + slot.blockOffset).assumingMemoryBound(to: LinkImage.self).pointee
        }
    }

    /// The id that the baseline has of a reference; `LinkImage.none` for nil.
    func referenceID(_ place: Int, in block: UnsafeMutableRawPointer) -> Int64 { keptID(slots[place], block) }

    /// Sets what the database has of a link, as a row that was read says.
    func setImage(_ image: LinkImage, of place: Int, in block: UnsafeMutableRawPointer) {
        setImage(image, of: slots[place], in: block)
    }

    private func setImage(_ image: LinkImage, of slot: Slot, in block: UnsafeMutableRawPointer) {
        switch slot.content {
        case .value, .encoding: break
        case .reference, .weakReference:
            (block + slot.blockOffset).storeBytes(of: image.ids.first ?? LinkImage.none, as: Int64.self)
        case .links: (block + slot.blockOffset).assumingMemoryBound(to: LinkImage.self).pointee = image
        }
    }

    /// Sets the id that the database has of a reference.
    func setReferenceID(_ id: Int64, of place: Int, in block: UnsafeMutableRawPointer) {
        (block + slots[place].blockOffset).storeBytes(of: id, as: Int64.self)
    }

    /// Puts the baseline's value of one property back into the object, which the user can see (R4).
    ///
    /// `lookup` finds the objects of links by their ids.
    func restore(
        _ place: Int, of object: UnsafeMutableRawPointer, from block: UnsafeMutableRawPointer,
        _ lookup: (PersistentObject.Type, Int64) -> PersistentObject?
    ) {
        let slot = slots[place]
        if let box = slot.box(in: object), box.state != .loaded {
            // It was never read, so there is nothing to put back: it is read at its next access.
            box.state = .unloaded
            return
        }
        let field = slot.address(in: object)
        ObjectMemory.checkNotBeingAccessed(field)
        switch slot.content {
        case .value: slot.codec.assign(block + slot.blockOffset, to: field)
        case .encoding: withDecoded(slot, block) { if let value = $0 { slot.codec.assign(value, to: field) } }
        case .reference, .weakReference, .links:
            let links = slot.links
            links.restore(image(place, in: block), into: field) { lookup(links.target, $0) }
        }
    }

    /// Replaces the baseline's value of one property by the one at `value`.
    func setBaseline(of slot: Slot, to value: UnsafeMutableRawPointer, in block: UnsafeMutableRawPointer) {
        let kept = block + slot.blockOffset
        switch slot.kind {
        case .int, .int64, .double, .bool, .date, .optionalInt, .optionalDouble, .optionalDate:
            kept.copyMemory(from: value, byteCount: slot.size)
        case .string:
            kept.assumingMemoryBound(to: String.self).pointee = value.assumingMemoryBound(to: String.self).pointee
        case .optionalString, .other, .reference, .link:
            switch slot.content {
            case .value: slot.codec.assign(value, to: kept)
            case .encoding: encoded(block, slot).pointee = try? slot.codec.encode(value)
            case .reference, .weakReference, .links:
                setImage(slot.links.image(value), of: slot, in: block)
                if slot.content == .weakReference { WeakMemory.assign(slot.reference.object(value), to: kept + 8) }
            }
        }
    }

    /// The encoding that the baseline has of a value.
    func encodedValue(_ place: Int, in block: UnsafeMutableRawPointer) -> DatabaseValue? {
        encoded(block, slots[place]).pointee
    }

    private func encoded(_ block: UnsafeMutableRawPointer, _ slot: Slot) -> UnsafeMutablePointer<DatabaseValue?> {
        (block + slot.blockOffset).assumingMemoryBound(to: DatabaseValue?.self)
    }

    /// Makes the value of an encoded slot in memory of its own for the time of `body`.
    @discardableResult
    private func withDecoded<R>(
        _ slot: Slot, _ block: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer?) -> R
    ) -> R {
        guard let stored = encoded(block, slot).pointee else { return body(nil) }
        let facts = slot.codec.facts
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Swift.max(facts.size, 1), alignment: Swift.max(facts.alignment, 1))
        defer { memory.deallocate() }
        guard slot.codec.decode(stored, at: memory) else { return body(nil) }
        defer { slot.codec.destroy(memory) }
        return body(memory)
    }

    private func checkSharedBuffers(of object: UnsafeMutableRawPointer) {
        for slot in slots where slot.hasSharedBuffer { ObjectMemory.checkNotBeingModified(object + slot.objectOffset) }
    }
}

extension BaselineLayout.Slot {
    /// Where the value of the object at `start` is.
    @inline(__always)
    func address(in start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        boxOffset < 0 ? start + objectOffset : ObjectMemory.boxAddress(at: start + boxOffset) + objectOffset
    }

    @inline(__always)
    func box(in start: UnsafeMutableRawPointer) -> LinkBox? {
        boxOffset < 0 ? nil : ObjectMemory.box(at: start + boxOffset)
    }

    /// The codec of a slot whose content is a reference.
    var reference: ReferenceCodec { unsafeDowncast(codec, to: ReferenceCodec.self) }

    /// The codec of a slot whose content is ids.
    var links: any LinkCodec {
        guard let links = codec as? any LinkCodec else { preconditionFailure("only link codecs have ids as content") }
        return links
    }
}

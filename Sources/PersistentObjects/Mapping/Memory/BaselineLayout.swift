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
        let blockOffset: Int
        let size: Int
        let kind: PropertyCodec.Kind
        /// Kept alive by the class map, which lives as long as the process.
        unowned(unsafe) let codec: PropertyCodec
        /// Whether the block has the encoding instead of the value.
        let isEncoded: Bool
        /// Whether the value has a buffer that the user may be writing this moment.
        let hasSharedBuffer: Bool
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
    /// Places of encoded properties.
    private let encodedSlots: UnsafeBufferPointer<Int>
    /// Places of properties whose values own memory, so that copying and destroying them is more than moving bits.
    private let owningSlots: UnsafeBufferPointer<Int>
    private let hasSharedBuffers: Bool

    /// The lay-out for properties in the order of their columns; the alignment of none may exceed 16.
    init(_ properties: [(offset: Int, codec: PropertyCodec)]) {
        var slots: [Slot?] = Array(repeating: nil, count: properties.count)
        var spans: [Span] = []
        var end = 0
        let isEncoded = properties.map { !$0.codec.facts.isPlainValue }
        for place in properties.indices.sorted(by: { properties[$0].offset < properties[$1].offset }) {
            let (offset, codec) = properties[place]
            let size = codec.facts.size
            guard !isEncoded[place] else { continue }
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
            slots[place] = Slot(
                objectOffset: offset, blockOffset: block, size: size, kind: codec.kind, codec: codec, isEncoded: false,
                hasSharedBuffer: !codec.facts.isPlainData && !BaselineLayout.isImmutableBuffer(codec.valueType))
        }
        let stride = MemoryLayout<DatabaseValue?>.stride
        for place in properties.indices where isEncoded[place] {
            let block = (end + 15) & ~15
            end = block + stride
            slots[place] = Slot(
                objectOffset: properties[place].offset, blockOffset: block, size: stride, kind: .other,
                codec: properties[place].codec, isEncoded: true, hasSharedBuffer: true)
        }
        self.slots = BaselineLayout.buffer(slots.compactMap { $0 })
        self.spans = BaselineLayout.buffer(spans)
        blockSize = Swift.max((end + 7) & ~7, 8)
        encodedSlots = BaselineLayout.buffer(properties.indices.filter { isEncoded[$0] })
        owningSlots = BaselineLayout.buffer(
            properties.indices.filter { !isEncoded[$0] && !properties[$0].codec.facts.isPlainData })
        hasSharedBuffers = self.slots.contains(where: \.hasSharedBuffer)
    }

    deinit {
        slots.deallocate()
        encodedSlots.deallocate()
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
        for place in encodedSlots {
            let slot = slots[place]
            (block + slot.blockOffset).initializeMemory(
                as: DatabaseValue?.self, to: try? slot.codec.encode(object + slot.objectOffset))
        }
    }

    /// Brings the baseline of some properties to what the object has.
    func recapture(_ columns: ColumnSet, of object: UnsafeMutableRawPointer, in block: UnsafeMutableRawPointer) {
        columns.forEach { place in
            let slot = slots[place]
            let source = object + slot.objectOffset
            if slot.hasSharedBuffer { ObjectMemory.checkNotBeingModified(source) }
            setBaseline(of: slot, to: source, in: block)
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
        for place in encodedSlots { encoded(block, slots[place]).deinitialize(count: 1) }
    }

    /// Whether all bits are the same: a fast yes. A no, or a class with encoded properties, wants `changes`.
    @inline(__always)
    func hasSameBits(_ object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) -> Bool {
        guard encodedSlots.isEmpty else { return false }
        for span in spans {
            guard memcmp(object + span.objectOffset, block + span.blockOffset, span.count) == 0 else { return false }
        }
        return true
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
        let field = object + slot.objectOffset
        let kept = block + slot.blockOffset
        if slot.isEncoded {
            guard let now = try? slot.codec.encode(field), let then = encoded(block, slot).pointee else { return false }
            return now == then
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
        guard slot.isEncoded else { return slot.codec.sendableValue(block + slot.blockOffset) }
        return withDecoded(slot, block) { $0.flatMap { slot.codec.sendableValue($0) } } ?? nil
    }

    /// Puts the baseline's value of one property back into the object, which the user can see (R4).
    func restore(_ place: Int, of object: UnsafeMutableRawPointer, from block: UnsafeMutableRawPointer) {
        let slot = slots[place]
        let field = object + slot.objectOffset
        ObjectMemory.checkNotBeingAccessed(field)
        guard slot.isEncoded else { return slot.codec.assign(block + slot.blockOffset, to: field) }
        withDecoded(slot, block) { if let value = $0 { slot.codec.assign(value, to: field) } }
    }

    /// Replaces the baseline's value of one property by the one at `value`.
    func setBaseline(of slot: Slot, to value: UnsafeMutableRawPointer, in block: UnsafeMutableRawPointer) {
        let kept = block + slot.blockOffset
        switch slot.kind {
        case .int, .int64, .double, .bool, .date, .optionalInt, .optionalDouble, .optionalDate:
            kept.copyMemory(from: value, byteCount: slot.size)
        case .string:
            kept.assumingMemoryBound(to: String.self).pointee = value.assumingMemoryBound(to: String.self).pointee
        case .optionalString, .other:
            if slot.isEncoded {
                encoded(block, slot).pointee = try? slot.codec.encode(value)
            } else {
                slot.codec.assign(value, to: kept)
            }
        }
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

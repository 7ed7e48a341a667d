// Baseline: the values of an object's row, as the session last read or wrote them, and how they are stored, compared
// and restored. This layer must not know rows or sessions.

/// The layout of the second copy of an object's properties, its baseline.
///
/// A baseline is one block of memory. Properties that are proven to be values are stored in it as in the object, and
/// adjacent properties stay adjacent, so that one `memcmp` over a run of them finds most objects unchanged. If the bits
/// differ, the encoded column decides. A property that may contain a class instance, which changes without a change of
/// bits, is stored as its encoding.
final class BaselineLayout: @unchecked Sendable {  // immutable
    /// Bytes that are equal in object and block while nothing has changed.
    struct Span: Sendable {
        var objectOffset: Int
        var blockOffset: Int
        var count: Int
    }

    /// The properties in column order. (A buffer, because every loop over an array retains it.)
    let slots: FixedBuffer<Slot>
    let blockSize: Int
    let spans: FixedBuffer<Span>
    /// The number of bytes, from the object's start, that are compared by their bits.
    let comparedSize: Int
    /// Ordinals of properties that are compared individually, because their bits are not sufficient.
    let comparedSlots: FixedBuffer<Int>
    /// Ordinals of properties whose values own memory, so that copying and destroying them is more than moving bits.
    let owningSlots: FixedBuffer<Int>
    let hasSharedBuffers: Bool
    /// The offsets of the properties in a copy of all values in their object form; see `ObjectCopy`.
    let valueOffsets: [Int]
    let valuesSize: Int
    let allOrdinals: ColumnSet
    /// Whether the objects may have observers, because their class is `Observable`.
    let isObserved: Bool

    /// The layout of the properties; no alignment may exceed 16.
    init(_ properties: [Property], isObserved: Bool = false) {
        self.isObserved = isObserved
        var slots: [Slot?] = Array(repeating: nil, count: properties.count)
        var spans: [Span] = []
        var end = 0
        let contents = properties.map { Content($0) }
        let alignment = properties.map(\.codec.facts.alignment).reduce(8, Swift.max)
        let isSpanned = properties.indices.map { contents[$0] == .value && properties[$0].boxOffset == nil }
        for ordinal in properties.indices.sortedUnspecialized(by: { properties[$0].offset < properties[$1].offset })
        where isSpanned[ordinal] {
            let (offset, codec) = (properties[ordinal].offset, properties[ordinal].codec)
            let size = codec.facts.size
            let block: Int
            if let last = spans.last, last.objectOffset + last.count == offset, size > 0 {
                block = end
                spans[spans.count - 1].count += size
            } else {
                // The same offset modulo the largest alignment keeps every alignment, and lets the next property follow
                // without a gap.
                block = end + ((offset - end) % alignment + alignment) % alignment
                if size > 0 { spans.append(Span(objectOffset: offset, blockOffset: block, count: size)) }
            }
            end = block + size
            slots[ordinal] = Slot(properties[ordinal], .value, at: block)
        }
        for ordinal in properties.indices where !isSpanned[ordinal] {
            let content = contents[ordinal]
            let block = (end + alignment - 1) & ~(alignment - 1)
            let slot = Slot(properties[ordinal], content, at: block)
            end = block + slot.size
            slots[ordinal] = slot
        }
        self.slots = FixedBuffer(slots.compactMap { $0 })
        self.spans = FixedBuffer(spans)
        comparedSize = Swift.max(
            spans.map { $0.objectOffset + $0.count }.max() ?? 0, ObjectMemory.headerEnd)
        blockSize = Swift.max((end + 7) & ~7, 8)
        comparedSlots = FixedBuffer(properties.indices.filter { !isSpanned[$0] })
        owningSlots = FixedBuffer(
            properties.indices.filter { isSpanned[$0] && !properties[$0].codec.facts.isPlainData })
        hasSharedBuffers = self.slots.contains(where: \.hasSharedBuffer)
        var size = 0
        valueOffsets = properties.map { property in
            let facts = property.codec.facts
            let offset = (size + facts.alignment - 1) / facts.alignment * facts.alignment
            size = offset + facts.size
            return offset
        }
        valuesSize = size
        var all = ColumnSet()
        for ordinal in properties.indices { all.insert(ordinal) }
        allOrdinals = all
    }

    deinit {
        slots.deallocate()
        comparedSlots.deallocate()
        owningSlots.deallocate()
        spans.deallocate()
    }
}

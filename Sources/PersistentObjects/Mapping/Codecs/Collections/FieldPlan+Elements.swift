internal import StoreEngine

// Elements of collections: values that stand in no object, reached as fields are.
extension FieldPlan {
    /// The plan of the elements that a codec is for.
    init(_ codec: PropertyCodec) {
        offset = 0
        boxOffset = -1
        self.codec = codec
        kind = codec.kind
    }

    /// Makes a value in fresh memory from what the column holds.
    @inline(__always)
    func create(_ column: some RowColumn, at memory: UnsafeMutableRawPointer) throws(ValueFault) {
        switch kind {
        case .int: memory.initializeMemory(as: Int.self, to: try Int.read(column))
        case .int64: memory.initializeMemory(as: Int64.self, to: try Int64.read(column))
        case .double: memory.initializeMemory(as: Double.self, to: try Double.read(column))
        case .string: memory.initializeMemory(as: String.self, to: try String.read(column))
        default: try codec.create(column.cell, at: memory)
        }
    }

    /// Whether a column would hold the same for both; of objects, whether they are the same instance.
    @inline(__always)
    func isSame(_ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer) -> Bool {
        switch kind {
        case .int, .int64, .double, .date, .reference: a.load(as: UInt64.self) == b.load(as: UInt64.self)
        case .string:
            // Equal bits are the same text; others may be as well.
            a.loadUnaligned(as: SIMD2<UInt64>.self) == b.loadUnaligned(as: SIMD2<UInt64>.self)
                || String.isSame(
                    a.assumingMemoryBound(to: String.self).pointee, b.assumingMemoryBound(to: String.self).pointee)
        default: codec.isSame(a, b)
        }
    }
}

/// Memory for one value at a time.
final class ElementMemory {
    let address: UnsafeMutableRawPointer

    /// For values of a codec. Where that is for optional references, for objects too: an object and an optional one
    /// look the same in memory.
    init(_ codec: PropertyCodec) {
        // Rounded up, so that whoever moves a whole stride stays in it.
        let alignment = max(codec.facts.alignment, 16)
        address = .allocate(byteCount: (max(codec.facts.size, 1) + alignment) & ~15, alignment: alignment)
    }

    deinit { address.deallocate() }
}

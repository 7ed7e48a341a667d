internal import StoreEngine

// Elements of collections: values that stand in no object, reached as fields are.
extension FieldPlan {
    /// The plan of the elements that a codec is for.
    ///
    /// - Parameter offset: Where one is in a row of several.
    init(_ codec: PropertyCodec, at offset: Int = 0) {
        self.offset = offset
        boxOffset = -1
        borrowed = Borrowed(codec)
        kind = codec.kind
    }

    /// Makes a value in fresh memory from what the column holds.
    @_transparent
    func create(_ column: some FieldColumn, at memory: Address) throws(ValueFault) {
        switch kind {
        case .int: memory.initialize(as: Int.self, to: try Int.read(column))
        case .int64: memory.initialize(as: Int64.self, to: try Int64.read(column))
        case .double: memory.initialize(as: Double.self, to: try Double.read(column))
        case .bool: memory.initialize(as: Bool.self, to: try Bool.read(column))
        case .date: memory.storeBytes(of: try Double.read(column), as: Double.self)
        case .string: memory.initialize(as: String.self, to: try String.read(column))
        case .optionalInt:
            memory.initialize(as: Int?.self, to: column.isNull ? nil : try Int.read(column))
        case .optionalString:
            memory.initialize(as: String?.self, to: column.isNull ? nil : try String.read(column))
        case .optionalDouble:
            memory.initialize(as: Double?.self, to: column.isNull ? nil : try Double.read(column))
        case .optionalDate, .other, .reference, .link: try codec.create(column.cell, at: memory)
        }
    }

    /// Makes a row of values in fresh memory from the row that a statement stands on.
    ///
    /// - Parameter place: Where it is in the row: how many values were made, and the column whose value did not fit,
    ///   where one is thrown.
    @inline(__always)
    static func create(
        _ fields: FixedBuffer<FieldPlan>, _ statement: Statement, at memory: Address, _ place: inout Int32
    ) throws(ValueFault) {
        // One look for each row, and a loop for each kind of row, as for objects.
        if statement.givesCells {
            let columns = statement.cells
            for field in fields {
                try field.create(columns[place], at: memory + field.offset)
                place += 1
            }
        } else {
            let columns = statement.columns
            for field in fields {
                try field.create(columns[place], at: memory + field.offset)
                place += 1
            }
        }
    }

    /// Whether a column would hold the same for both; of objects, whether they are the same instance.
    @inline(__always)
    func isSame(_ a: Address, _ b: Address) -> Bool {
        switch kind {
        case .int, .int64, .double, .date, .reference: a.load(as: UInt64.self) == b.load(as: UInt64.self)
        case .string:
            // Equal bits are the same text; others may be as well.
            a.load(as: SIMD2<UInt64>.self) == b.load(as: SIMD2<UInt64>.self)
                || String.isSame(
                    a[as: String.self], b[as: String.self])
        default: codec.isSame(a, b)
        }
    }
}

/// Memory for one value at a time.
final class ElementMemory {
    let address: Address

    /// For values of a codec. Where that is for optional references, for objects too: an object and an optional one
    /// look the same in memory.
    init(_ codec: PropertyCodec) {
        // Rounded up, so that whoever moves a whole stride stays in it.
        let alignment = max(codec.facts.alignment, 16)
        address = .allocate(byteCount: (max(codec.facts.size, 1) + alignment) & ~15, alignment: alignment)
    }

    deinit { address.deallocate() }
}

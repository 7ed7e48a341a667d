@_spi(Columns) internal import StoreEngine

// Elements of collections: values outside objects, accessed like fields.
extension FieldPlan {
    /// The plan of the elements of a codec.
    ///
    /// - Parameter offset: The offset of the value in a row of several values.
    init(_ codec: PropertyCodec, at offset: Int = 0) {
        self.offset = offset
        boxOffset = -1
        borrowed = Borrowed(codec)
        kind = codec.kind
    }

    /// Creates a value in fresh memory from a column.
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

    /// Creates a row of values in fresh memory from a statement's current row.
    ///
    /// - Parameter ordinal: The position in the row: the number of created values and, if an error is thrown, the column
    ///   whose value did not fit.
    @inline(__always)
    static func create(
        _ fields: FixedBuffer<FieldPlan>, _ statement: Statement, at memory: Address, _ ordinal: inout Int32
    ) throws(ValueFault) {
        // The kind of row is checked once, and each kind has its own loop, as in `read`.
        if let columns = statement.columns(from: statement.firstColumn, count: fields.count) {
            for field in fields {
                try field.create(columns[ordinal], at: memory + field.offset)
                ordinal += 1
            }
        } else {
            let columns = statement.cells
            for field in fields {
                try field.create(columns[ordinal], at: memory + field.offset)
                ordinal += 1
            }
        }
    }

    /// Whether a column would store the same for both; for objects, whether they are the same instance.
    @inline(__always)
    func isSame(_ a: Address, _ b: Address) -> Bool {
        switch kind {
        case .int, .int64, .double, .date, .reference: a.load(as: UInt64.self) == b.load(as: UInt64.self)
        case .string:
            // Equal bits are equal strings. Different bits can also be equal strings.
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

    /// Memory for values of a codec. A codec for optional references also serves for objects, because an object and an
    /// optional object have the same layout.
    init(_ codec: PropertyCodec) {
        // Rounded up, so that code that moves a whole stride stays in bounds.
        let alignment = max(codec.facts.alignment, 16)
        address = .allocate(byteCount: (max(codec.facts.size, 1) + alignment) & ~15, alignment: alignment)
    }

    deinit { address.deallocate() }
}

@_spi(Columns) internal import StoreEngine

/// The data of a property for hot loops: plain data, so that a loop over a class's properties retains nothing.
///
/// The common types are read and bound without dispatch, and all other types through the codec. Each case makes the
/// same call that the codec would make.
struct FieldPlan: @unchecked Sendable {  // immutable
    let offset: Int
    /// The offset of the box in an object; -1 if there is none.
    let boxOffset: Int
    let kind: PropertyCodec.Kind
    /// Retained by the class map, or by the codec of the collection.
    let borrowed: Borrowed<PropertyCodec>
    var codec: PropertyCodec { borrowed.object }
    /// Whether the column, if there is one, does not store the value itself.
    @inline(__always)
    var isLink: Bool { kind == .reference || kind == .link }

    init(_ property: Property) {
        offset = property.offset
        boxOffset = property.boxOffset ?? -1
        borrowed = Borrowed(property.codec)
        kind = property.codec.kind
    }

    /// The address of the value of the object at `start`.
    @inline(__always)
    func address(in start: Address) -> Address {
        boxOffset < 0 ? start + offset : ObjectMemory.boxAddress(at: start + boxOffset) + offset
    }

}

extension FieldPlan {
    /// Reads the fields of an object from a statement's current row, whose first column is the id.
    ///
    /// - Parameters:
    ///   - columns: The row's columns; nil if the engine returns cells.
    ///   - ordinal: The position in the row; if an error is thrown, the column whose value does not fit.
    @inline(__always)
    static func read(
        _ fields: Slice<FixedBuffer<FieldPlan>>, _ statement: Statement, _ columns: ColumnValues?, into start: Address,
        _ ordinal: inout Int32
    ) throws(ValueFault) {
        // The kind of row is checked once, and each kind has its own loop. A check for each column would cost 5 % of a
        // fetch, and a generic loop for both kinds, which reads columns by calls, 20 %.
        if let columns {
            for field in fields {
                ordinal += 1
                // The code that creates links reads the column.
                if field.isLink { continue }
                try field.read(columns[ordinal], into: field.address(in: start))
            }
        } else {
            let columns = statement.cells
            for field in fields {
                ordinal += 1
                if field.isLink { continue }
                try field.read(columns[ordinal], into: field.address(in: start))
            }
        }
    }

    /// Replaces the value at `field` with the column's value.
    ///
    /// Transparent, because the optimizer does not inline a generic function of this size into a loop on its own.
    @_transparent
    func read(_ column: some FieldColumn, into field: Address) throws(ValueFault) {
        switch kind {
        case .int: field[as: Int.self] = try Int.read(column)
        case .int64: field[as: Int64.self] = try Int64.read(column)
        case .double: field[as: Double.self] = try Double.read(column)
        case .bool: field[as: Bool.self] = try Bool.read(column)
        case .date: field.storeBytes(of: try Double.read(column), as: Double.self)
        case .string: field[as: String.self] = try String.read(column)
        case .optionalInt:
            // An integer needs no second check of its type.
            if let integer = column.integer {
                field[as: Int?.self] = Int(integer)
            } else {
                field[as: Int?.self] = column.isNull ? nil : try Int.read(column)
            }
        case .optionalString:
            field[as: String?.self] = column.isNull ? nil : try String.read(column)
        case .optionalDouble:
            if let real = column.real {
                field[as: Double?.self] = real
            } else {
                field[as: Double?.self] = column.isNull ? nil : try Double.read(column)
            }
        case .optionalDate, .other: try codec.read(column.cell, into: field)
        // Links are created after all rows of the fetch exist (`GraphLoader`).
        case .reference, .link: break
        }
    }

    /// Binds the value at `field`.
    @inline(__always)
    func bind(_ field: Address, to statement: Statement, at index: Int32) throws(ValueFault) {
        switch kind {
        case .int: try statement.bind(Int64(field[as: Int.self]), at: index)
        case .int64: try statement.bind(field[as: Int64.self], at: index)
        case .double: try statement.bind(field[as: Double.self], at: index)
        case .bool:
            try statement.bind(field[as: Bool.self] ? 1 as Int64 : 0, at: index)
        case .date: try statement.bind(field.load(as: Double.self), at: index)
        case .string: try statement.bind(field[as: String.self], at: index)
        case .optionalInt:
            guard let value = field[as: Int?.self] else {
                return try statement.bindNull(at: index)
            }
            try statement.bind(Int64(value), at: index)
        case .optionalString:
            guard let value = field[as: String?.self] else {
                return try statement.bindNull(at: index)
            }
            try statement.bind(value, at: index)
        case .reference:
            // While a graph is being saved, its new objects have their future ids.
            guard let target = field.load(as: Address?.self) else {
                return try statement.bindNull(at: index)
            }
            try statement.bind(target.header.rowID, at: index)
        case .optionalDouble, .optionalDate, .other, .link: try codec.bind(field, to: statement, at: index)
        }
    }
}

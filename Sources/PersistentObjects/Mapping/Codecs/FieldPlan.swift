internal import StoreEngine

/// What hot loops need of a property: plain data, so that a loop over a class's properties retains nothing.
///
/// The common types are read and bound without dispatch, all others through the
/// codec; each case makes the same call that the codec would make.
struct FieldPlan: @unchecked Sendable {  // immutable
    let offset: Int
    /// Where in an object the box is; -1 where there is none.
    let boxOffset: Int
    let kind: PropertyCodec.Kind
    /// Kept alive by the class map, which lives as long as the process.
    unowned(unsafe) let codec: PropertyCodec

    init(_ property: Property) {
        offset = property.offset
        boxOffset = property.boxOffset ?? -1
        codec = property.codec
        kind = codec.kind
    }

    /// Where the value of the object at `start` is.
    @inline(__always)
    func address(in start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        boxOffset < 0 ? start + offset : ObjectMemory.boxAddress(at: start + boxOffset) + offset
    }

    /// One for each property, which have columns. (A buffer, since an array is retained by each who loops over it.)
    static func buffer(_ properties: [Property]) -> UnsafeBufferPointer<FieldPlan> {
        let buffer = UnsafeMutableBufferPointer<FieldPlan>.allocate(capacity: properties.count)
        _ = buffer.initialize(from: properties.map { FieldPlan($0) })
        return UnsafeBufferPointer(buffer)
    }
}

extension FieldPlan {
    /// Replaces the value at `field` by what the column holds.
    @inline(__always)
    func read(_ column: ColumnValue, into field: UnsafeMutableRawPointer) throws(ValueFault) {
        switch kind {
        case .int: field.assumingMemoryBound(to: Int.self).pointee = try Int.read(column)
        case .int64: field.assumingMemoryBound(to: Int64.self).pointee = try Int64.read(column)
        case .double: field.assumingMemoryBound(to: Double.self).pointee = try Double.read(column)
        case .bool: field.assumingMemoryBound(to: Bool.self).pointee = try Bool.read(column)
        case .date: field.storeBytes(of: try Double.read(column), as: Double.self)
        case .string: field.assumingMemoryBound(to: String.self).pointee = try String.read(column)
        case .optionalInt:
            field.assumingMemoryBound(to: Int?.self).pointee = column.isNull ? nil : try Int.read(column)
        case .optionalString:
            field.assumingMemoryBound(to: String?.self).pointee = column.isNull ? nil : try String.read(column)
        case .optionalDouble:
            field.assumingMemoryBound(to: Double?.self).pointee = column.isNull ? nil : try Double.read(column)
        case .optionalDate, .other: try codec.read(column, into: field)
        // Links are made when all rows of the fetch are there (`LinkLoader`).
        case .reference, .link: break
        }
    }

    /// Binds the value at `field`.
    @inline(__always)
    func bind(_ field: UnsafeMutableRawPointer, to statement: Statement, at index: Int32) throws(ValueFault) {
        switch kind {
        case .int: try statement.bind(Int64(field.assumingMemoryBound(to: Int.self).pointee), at: index)
        case .int64: try statement.bind(field.assumingMemoryBound(to: Int64.self).pointee, at: index)
        case .double: try statement.bind(field.assumingMemoryBound(to: Double.self).pointee, at: index)
        case .bool:
            try statement.bind(field.assumingMemoryBound(to: Bool.self).pointee ? 1 as Int64 : 0, at: index)
        case .date: try statement.bind(field.load(as: Double.self), at: index)
        case .string: try statement.bind(field.assumingMemoryBound(to: String.self).pointee, at: index)
        case .optionalInt:
            guard let value = field.assumingMemoryBound(to: Int?.self).pointee else {
                return try statement.bindNull(at: index)
            }
            try statement.bind(Int64(value), at: index)
        case .optionalString:
            guard let value = field.assumingMemoryBound(to: String?.self).pointee else {
                return try statement.bindNull(at: index)
            }
            try statement.bind(value, at: index)
        case .reference:
            // While a graph is being saved its new objects have their coming ids.
            guard let target = field.load(as: UnsafeMutableRawPointer?.self) else {
                return try statement.bindNull(at: index)
            }
            try statement.bind(ObjectMemory.header(at: target).pointee.rowID, at: index)
        case .optionalDouble, .optionalDate, .other, .link: try codec.bind(field, to: statement, at: index)
        }
    }
}

internal import StoreEngine

/// The integer types, stored as INTEGER; a value out of range is an error in both directions.
protocol IntegerScalar: ColumnScalar, FixedWidthInteger {}

extension IntegerScalar {
    static var columnType: ColumnType { .integer }

    @inline(__always)
    static func read(_ column: some FieldColumn) throws(ValueFault) -> Self {
        guard let integer = column.integer else { return try readReal(column) }
        guard let value = Self(exactly: integer) else { throw .outOfRange(type: "\(Self.self)") }
        return value
    }

    /// An integer that another program stored as REAL.
    private static func readReal(_ column: some FieldColumn) throws(ValueFault) -> Self {
        guard let real = column.real else { throw column.mismatch(expected: "INTEGER") }
        guard let value = Self(exactly: real) else { throw .outOfRange(type: "\(Self.self)") }
        return value
    }

    @inline(__always)
    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(stored(), at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .integer(try stored()) }

    @inline(__always)
    private func stored() throws(ValueFault) -> Int64 {
        guard let integer = Int64(exactly: self) else {
            throw .notStorable(reason: "the number is larger than Int64.max, the largest integer that SQLite stores")
        }
        return integer
    }

    @inline(__always)
    static func isSame(_ a: Self, _ b: Self) -> Bool { a == b }

    static func converted(_ value: Any) -> Self? {
        if let value = value as? Self { return value }
        return (value as? any BinaryInteger).flatMap { Self(exactly: $0) }
    }

    /// A number outside the type's range is a valid argument that matches nothing.
    static func argument(_ value: Any) throws(ValueFault) -> DatabaseValue? {
        (value as? any BinaryInteger).flatMap { Int64(exactly: $0) }.map { .integer($0) }
    }

    static var samples: [Self] { [113, 57, 0] }
}

extension Int: IntegerScalar {}
extension Int8: IntegerScalar {}
extension Int16: IntegerScalar {}
extension Int32: IntegerScalar {}
extension Int64: IntegerScalar {}
extension UInt: IntegerScalar {}
extension UInt8: IntegerScalar {}
extension UInt16: IntegerScalar {}
extension UInt32: IntegerScalar {}
extension UInt64: IntegerScalar {}

extension Bool: ColumnScalar {
    static var columnType: ColumnType { .integer }

    @inline(__always)
    static func read(_ column: some FieldColumn) throws(ValueFault) -> Bool {
        switch column.integer {
        case 0?: return false
        case 1?: return true
        case nil: throw column.mismatch(expected: "INTEGER")
        default: throw .outOfRange(type: "Bool")
        }
    }

    @inline(__always)
    func bind(to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(self ? 1 as Int64 : 0, at: index)
    }

    func encoded() throws(ValueFault) -> DatabaseValue { .integer(self ? 1 : 0) }
    static func isSame(_ a: Bool, _ b: Bool) -> Bool { a == b }
    static func decoded(_ value: DatabaseValue) -> Bool? {
        value == .integer(1) ? true : value == .integer(0) ? false : nil
    }
    static var samples: [Bool] { [true, false] }
}

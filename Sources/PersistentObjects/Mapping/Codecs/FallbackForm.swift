internal import StoreEngine

/// A type with a raw value and a replacement for unknown raw values, which `RawForm` would reject.
enum FallbackForm<Value: UnknownValueFallback>: ColumnForm where Value.RawValue: ColumnScalar {
    private typealias Known = RawForm<Value>

    static var columnType: ColumnType { Known.columnType }
    static var logicalType: LogicalType { Known.logicalType }

    static func read(_ column: Cell) throws(ValueFault) -> Value {
        value(try Value.RawValue.read(column))
    }

    static func decode(_ stored: DatabaseValue) throws(ValueFault) -> Value {
        value(try ScalarForm<Value.RawValue>.decode(stored))
    }

    private static func value(_ raw: Value.RawValue) -> Value { Value(rawValue: raw) ?? Value.unknownValue }

    static func bind(_ value: Value, to statement: Statement, at index: Int32) throws(ValueFault) {
        try Known.bind(value, to: statement, at: index)
    }

    static func encode(_ value: Value) throws(ValueFault) -> DatabaseValue { try Known.encode(value) }
    static func isSame(_ a: Value, _ b: Value) -> Bool { Known.isSame(a, b) }
    static func converted(_ value: Any?) -> Value? { Known.converted(value) }
    static var samples: [Value] { Known.samples }
}

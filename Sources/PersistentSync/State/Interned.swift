/// Values by small numbers, which it never forgets.
struct Interned<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var indices: [Value: UInt32] = [:]
    private var last: UInt32 = 0

    init(_ values: [Value] = []) { for value in values { _ = index(of: value) } }

    subscript(index: UInt32) -> Value { values[Int(index)] }

    mutating func index(of value: Value) -> UInt32 {
        if last < values.count, values[Int(last)] == value { return last }
        let index = indices[value] ?? UInt32(values.count)
        if index == values.count {
            values.append(value)
            indices[value] = index
        }
        last = index
        return index
    }
}

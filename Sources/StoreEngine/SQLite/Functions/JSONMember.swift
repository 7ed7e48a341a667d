/// `po_json(document, key, …)`: the value in a JSON document at a path of keys, in the library's column form.
///
/// SQLite's own function reads no blobs, rounds some numbers, and ends strings at a NUL. `true` and `false` are 1 and
/// 0; a missing value, `null`, an object and an array are NULL. Invalid JSON is an error, as far as it is read.
enum JSONMember {
    static let function = EngineFunction(
        "po_json", argumentCount: nil, isDeterministic: true, isInnocuous: true
    ) { call in
        let bytes: [UInt8]
        switch try call.arguments[0] {
        case .blob(let document): bytes = document
        case .text(let document): bytes = Array(document.utf8)
        case .null: return
        case .integer, .real: throw FunctionFailure("po_json expects a document, not a number")
        }
        var reader = JSONCursor(bytes)
        for place in 1..<max(call.arguments.count, 1) {
            guard try reader.enter(call.arguments.textBytes(place).map { Array($0) } ?? []) else { return }
        }
        if let value = try reader.value() { try call.give(value) }
    }
}

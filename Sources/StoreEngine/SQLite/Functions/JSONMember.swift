/// `po_json(document, key, …)`: the value that stands in a JSON document behind some keys, as the columns of the library
/// hold it.
///
/// SQLite's own function reads no blobs, rounds some numbers, and ends texts at a NUL. `true` and `false` are 1 and 0;
/// what is not there, `null`, an object and an array are NULL. What is no JSON as far as it is read is an error.
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

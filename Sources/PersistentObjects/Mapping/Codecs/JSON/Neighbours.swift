internal import StoreEngine

extension DatabaseValue {
    /// Values that differ from this value in one place. A type that accepts only some values may accept some of these.
    var neighbours: [DatabaseValue] {
        switch self {
        case .null: []
        case .integer(let number):
            [1, -1, 2, -2, 10, -10, 100, -100].compactMap { (step: Int64) in
                let (sum, overflows) = number.addingReportingOverflow(step)
                return overflows ? nil : .integer(sum)
            }
        case .real(let number): [1, -1, 0.5, -0.5, 2, -2, 10, -10].map { (step: Double) in .real(number + step) }
        case .text(let text):
            JSONValue.variants(of: [UInt8](text.utf8)).map { .text(String(decoding: $0, as: UTF8.self)) }
                + ["a", "1", "aZ"].map { .text(text + $0) }
                + (text.isEmpty ? [] : ["0", "1", "2", "a", "b", ""].map { .text(text.dropLast() + $0) })
        case .blob(let bytes):
            JSONValue.variants(of: bytes).map { .blob($0) } + [[1], [2]].map { .blob(bytes + $0) }
        }
    }
}

extension JSONValue {
    /// Documents that differ from a document in one place; empty if the document is not JSON.
    static func variants(of document: [UInt8]) -> [[UInt8]] {
        guard let json = try? JSONReader.value(of: document[...]) else { return [] }
        return json.variants.map { JSONWriter.bytes(of: $0) }
    }

    /// The document with one value replaced by another of its kind, or with one element added.
    private var variants: [JSONValue] {
        switch self {
        case .null: []
        case .bool(let bool): [.bool(!bool)]
        case .number(let digits):
            if let integer {
                [integer &+ 1, integer &- 1, 113, 57].map { .number("\($0)") }
            } else {
                [(Double(digits) ?? 0) + 0.5, 57.5].map { .number("\($0)") }
            }
        case .text: [.text(" aZé "), .text(" Öb Y ")]
        case .list(let elements):
            elements.indices.flatMap { place in
                elements[place].variants.map { value in
                    var changed = elements
                    changed[place] = value
                    return .list(changed)
                }
            }
                + (elements.isEmpty
                    ? JSONValue.elements.map { .list([$0]) } : [.list(elements + elements.suffix(1)), .list([])])
        case .object(let members):
            members.indices.flatMap { place in
                members[place].value.variants.map { value in
                    var changed = members
                    changed[place] = Member(name: members[place].name, value: value)
                    return .object(changed)
                }
            } + (members.isEmpty ? JSONValue.elements.map { .object([Member(name: "a", value: $0)]) } : [])
        }
    }

    /// Possible elements of a list.
    private static var elements: [JSONValue] {
        [.text(" aZé "), .number("113"), .number("57.5"), .bool(true), .list([]), .object([])]
    }
}

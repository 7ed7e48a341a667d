internal import Foundation
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
            JSONTree.variants(of: [UInt8](text.utf8)).map { .text(String(decoding: $0, as: UTF8.self)) }
                + ["a", "1", "aZ"].map { .text(text + $0) }
                + (text.isEmpty ? [] : ["0", "1", "2", "a", "b", ""].map { .text(text.dropLast() + $0) })
        case .blob(let bytes):
            JSONTree.variants(of: bytes).map { .blob($0) } + [[1], [2]].map { .blob(bytes + $0) }
        }
    }
}

extension JSONTree {
    /// Documents that differ from a document in one place; empty if the document is not JSON.
    static func variants(of document: [UInt8]) -> [[UInt8]] {
        guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(document)) else { return [] }
        return tree.variants.compactMap { try? [UInt8](CanonicalJSON.encode($0)) }
    }

    /// The document with one value replaced by another of its kind, or with one element added.
    private var variants: [JSONTree] {
        switch self {
        case .text: [.text(" aZé "), .text(" Öb Y ")]
        case .integer(let number): [.integer(number &+ 1), .integer(number &- 1), .integer(113), .integer(57)]
        case .real(let number): [.real(number + 0.5), .real(57.5)]
        case .bool(let bool): [.bool(!bool)]
        case .other: []
        case .object(let members):
            members.sortedUnspecialized { $0.key < $1.key }.flatMap { member in
                member.value.variants.map { value in
                    .object(members.merging([member.key: value]) { $1 })
                }
            } + (members.isEmpty ? JSONTree.elements.map { .object(["a": $0]) } : [])
        case .list(let elements):
            elements.indices.flatMap { place in
                elements[place].variants.map { value in
                    var changed = elements
                    changed[place] = value
                    return .list(changed)
                }
            }
                + (elements.isEmpty
                    ? JSONTree.elements.map { .list([$0]) } : [.list(elements + elements.suffix(1)), .list([])])
        }
    }

    /// Possible elements of a list.
    private static var elements: [JSONTree] {
        [.text(" aZé "), .integer(113), .real(57.5), .bool(true), .list([]), .object([:])]
    }
}

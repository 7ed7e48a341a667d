internal import StoreEngine

extension JSONValue {
    /// The JSON of a value at a path of names; nil if there is none.
    static func value<T: Encodable>(of value: T, at names: [String]) throws -> JSONValue? {
        var json = try JSONReader.value(of: [UInt8](try CanonicalJSON.encode(value))[...])
        for name in names {
            guard let next = json.member(name) else { return nil }
            json = next
        }
        return json.sortedByName
    }

    /// The value with the members of all its objects sorted.
    private var sortedByName: JSONValue {
        switch self {
        case .list(let elements): .list(elements.map(\.sortedByName))
        case .object(let members):
            .object(
                members.map { Member(name: $0.name, value: $0.value.sortedByName) }
                    .sortedUnspecialized { $0.name < $1.name })
        default: self
        }
    }

    /// A number without a fraction.
    var integer: Int64? {
        guard case .number(let digits) = self else { return nil }
        return Int64(digits) ?? Double(digits).flatMap { Int64(exactly: $0) }
    }

    /// Whether a column of the value stores what `po_json` reads here.
    func isStored(as value: DatabaseValue) -> Bool {
        switch (self, value) {
        case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
        case (.number, .integer(let other)): integer == other
        case (.number(let digits), .real(let other)): Double(digits) == other
        case (.bool(let bool), .integer(let other)): other == (bool ? 1 : 0)
        default: false
        }
    }

    /// Whether the values are equal; lists are compared without regard to order if `ordered` is false.
    func isSame(as other: JSONValue, ordered: Bool) -> Bool {
        guard !ordered, case .list(let elements) = self, case .list(var others) = other else { return self == other }
        for element in elements {
            guard let place = others.firstIndex(of: element) else { return false }
            others.remove(at: place)
        }
        return others.isEmpty
    }
}

import Foundation

/// The model's value of a property. Values and objects are small numbers.
enum ModelValue: Hashable {
    case null
    case one(Int)
    case list([Int])
    case set(Set<Int>)
    case table([Int: Int])

    /// The objects that a link refers to.
    var elements: [Int] {
        switch self {
        case .null: []
        case .one(let number): [number]
        case .list(let numbers): numbers
        case .set(let numbers): numbers.sorted()
        case .table(let numbers): numbers.values.sorted()
        }
    }

    /// The link without deleted objects.
    func without(_ isGone: (Int) -> Bool) -> ModelValue {
        switch self {
        case .null: .null
        case .one(let number): isGone(number) ? .null : self
        case .list(let numbers): .list(numbers.filter { !isGone($0) })
        case .set(let numbers): .set(numbers.filter { !isGone($0) })
        case .table(let numbers): .table(numbers.filter { !isGone($0.value) })
        }
    }
}

/// Values of all types, each encoded as a small number. A value without a number is -1.
enum ModelCode {
    static func text(_ code: Int) -> String { code == 0 ? "" : "é\0'\(code)" }
    static func text(_ text: String) -> Int { text.isEmpty ? 0 : code(text.dropFirst(3), text, Self.text) }
    static func tag(_ code: Int) -> String { "t\(code)" }
    static func tag(_ text: String) -> Int { code(text.dropFirst(), text, tag) }
    static func real(_ code: Int) -> Double { Double(code) / 4 }
    static func real(_ value: Double) -> Int { Int(exactly: value * 4) ?? -1 }
    static func date(_ code: Int) -> Date { Date(timeIntervalSinceReferenceDate: real(code) - 1e9) }
    static func date(_ date: Date) -> Int { real(date.timeIntervalSinceReferenceDate + 1e9) }
    static func data(_ code: Int) -> Data { Data(repeating: UInt8(code), count: code) }
    static func data(_ data: Data) -> Int { data == self.data(data.count) ? data.count : -1 }
    static func uuid(_ code: Int) -> UUID? { UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD4300\(code)") }
    static func uuid(_ uuid: UUID) -> Int { (0..<10).first { self.uuid($0) == uuid } ?? -1 }
    static func address(_ code: Int) -> ModelAddress { ModelAddress(city: "\(code)", floors: Array(0..<code)) }
    static func address(_ address: ModelAddress) -> Int {
        let code = Int(address.city) ?? -1
        return code >= 0 && address == self.address(code) ? code : -1
    }
    private static let statuses: [ModelStatus] = [.zero, .one, .two, .three]
    static func status(_ code: Int) -> ModelStatus { statuses[code & 3] }
    static func status(_ status: ModelStatus) -> Int { statuses.firstIndex(of: status) ?? -1 }

    private static func code(_ digits: Substring, _ text: String, _ make: (Int) -> String) -> Int {
        guard let code = Int(digits), make(code) == text else { return -1 }
        return code
    }
}

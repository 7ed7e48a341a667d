import PersistentObjects

/// A user's text as the end of a SELECT, or as the name of a function. It finds objects or is refused, and never
/// changes the database.
struct CriteriaTarget {
    typealias Person = Fuzzed.Person
    private let store: Store

    init() throws {
        store = try Store.inMemory(configuration: .fuzzed())
        try store.withSession { session throws in
            try store.prepare(Fuzzed.classes)
            try Fuzzed.fill(session)
        }
    }

    /// The first byte selects the call. The text follows, and then a NUL and the arguments.
    func run(_ bytes: [UInt8]) throws {
        let end = bytes.firstIndex(of: 0) ?? bytes.count
        let text = String(decoding: bytes[..<end].dropFirst(), as: UTF8.self)
        var input = FuzzInput(Array(bytes[min(end + 1, bytes.count)...]))
        try store.withSession { session in
            let before = try Self.state(session)
            do { try Self.ask((bytes.first ?? 0) % 5, text, input.byte(), input.rest()) } catch {
                try FuzzErrors.check(error)
            }
            if session.isInTransaction { throw FuzzFinding("a transaction is left open") }
            let after = try Self.state(session)
            if before != after { throw FuzzFinding("\(text): was \(before), is \(after)") }
        }
    }

    private static func ask(_ call: UInt8, _ text: String, _ shape: UInt8, _ value: [UInt8]) throws {
        let first: Any? = shape & 1 == 0 ? String(decoding: value, as: UTF8.self) : [1, Int(value.first ?? 0)]
        switch (call, shape >> 1 & 3) {
        case (0, 0): _ = try Person.findByCriteria(text)
        case (0, 1): _ = try Person.findByCriteria(text, first)
        case (0, _): _ = try Person.findByCriteria(text, first, 7)
        case (1, 0): _ = try Person.findFirstByCriteria(text)
        case (1, _): _ = try Person.findFirstByCriteria(text, first)
        case (2, 0): _ = try Person.countByCriteria(text)
        case (2, _): _ = try Person.countByCriteria(text, first)
        case (3, _):
            let function = SQLFunction.named(text)
            _ = try Person.where { function($0.lastName, as: Int.self) == 3 }.order(by: \.age).count()
        case (_, 0): _ = try Fuzzed.Employee.findByCriteria(text)
        default: _ = try Fuzzed.Company.findByCriteria(text, first)
        }
    }

    /// The state that criteria must not change.
    private static func state(_ session: Session) throws -> [String] {
        try session.rows(
            """
            SELECT (SELECT group_concat(id || last_name) FROM person), (SELECT count(*) FROM company),
            (SELECT count(*) FROM person_tags), (SELECT count(*) FROM sqlite_schema),
            (SELECT schema_version FROM pragma_schema_version), (SELECT count(*) FROM pragma_database_list)
            """
        ).flatMap { row in row.values.map { "\($0)" } }
    }
}

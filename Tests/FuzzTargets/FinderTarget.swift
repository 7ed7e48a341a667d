import Foundation
import PersistentObjects
import Synchronization

/// Names of finders. An accepted name becomes SQL that uses only the names of the classes' schema.
struct FinderTarget {
    typealias Person = Fuzzed.Person

    /// The statements of the finders.
    private final class Statements: Sendable {
        private static let ofTransactions = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"]
        private let texts = Mutex<[String]>([])

        func add(_ profile: StatementProfile) {
            let isOfTransaction = Self.ofTransactions.contains {
                profile.sql.hasPrefix($0)
            }
            guard !isOfTransaction, profile.call?.hasPrefix("Person.") ?? false else { return }
            texts.withLock { $0.append(profile.sql) }
        }

        func take() -> [String] {
            texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    private let store: Store
    private let shape: SQLShape
    private let statements = Statements()

    init() throws {
        let statements = statements
        let store = try Store.inMemory(configuration: .fuzzed { statements.add($0) })
        self.store = store
        shape = try store.withSession { session in
            try store.prepare(Fuzzed.classes)
            try Fuzzed.fill(session)
            return try SQLShape(session)
        }
    }

    /// The name ends at a NUL. The next byte selects the type of the result, and the rest determines the arguments.
    func run(_ bytes: [UInt8]) throws {
        let end = bytes.firstIndex(of: 0) ?? bytes.count
        let name = String(decoding: bytes[..<end], as: UTF8.self)
        var input = FuzzInput(Array(bytes[min(end + 1, bytes.count)...]))
        _ = statements.take()
        try store.withSession { session in
            let found = try Person.all()
            // Friends can form cycles, which would keep the objects and their session in memory after each input.
            defer { for person in found { person.friends = [] } }
            let answer = input.number(below: 6)
            var arguments: [Any?] = []
            while !input.isEmpty && arguments.count < 5 { arguments.append(Self.argument(&input, found)) }
            do {
                // The effects of finders that create and delete are rolled back.
                try session.transaction { () throws in
                    session.rollBack()
                    try Self.ask(Person[dynamicMember: name], arguments, answer)
                }
            } catch let error as StoreError where [.corrupt, .sqlite].contains(error.code) {
                throw FuzzFinding("\(name): \(error)")
            } catch let error as StoreError where error.code == .invalidSQL && !name.contains("Match") {
                throw FuzzFinding("\(name): \(error)")
            } catch {
                try FuzzErrors.check(error)
            }
            if session.isInTransaction { throw FuzzFinding("\(name): a transaction is left open") }
        }
        for text in statements.take() {
            if let wrong = shape.strange(in: text) { throw FuzzFinding("\(name): \(wrong) in \(text)") }
        }
    }

    private static func argument(_ input: inout FuzzInput, _ found: [Person]) -> Any? {
        switch input.number(below: 20) {
        case 0: nil
        case 1: Int(input.byte())
        case 2: Int(truncatingIfNeeded: input.integer())
        case 3: Double(bitPattern: UInt64(bitPattern: input.integer()))
        case 4, 5: input.text()
        case 6: input.byte() & 1 == 0
        case 7: Date(timeIntervalSinceReferenceDate: Double(input.byte()))
        case 8: found.first
        case 9: found.first?.employer
        case 10: [Int(input.byte()), 2]
        case 11: [input.text(), "b"]
        case 12: Int(input.byte())...300
        case 13: FinderOption.limit(Int(input.byte()))
        case 14: FinderOption.offset(Int(input.byte()))
        case 15: FinderOption.order(by: input.text())
        case 16: Fuzzed.Status.active
        case 17: Data(input.some())
        case 18: UInt64.max - UInt64(input.byte())
        default: Fuzzed.Address()
        }
    }

    private static func ask(_ finder: Finder<Person>, _ a: [Any?], _ answer: Int) throws {
        switch (answer, a.count) {
        case (0, 0): let _: [Person] = try finder()
        case (0, 1): let _: [Person] = try finder(a[0])
        case (0, 2): let _: [Person] = try finder(a[0], a[1])
        case (0, 3): let _: [Person] = try finder(a[0], a[1], a[2])
        case (0, 4): let _: [Person] = try finder(a[0], a[1], a[2], a[3])
        case (0, _): let _: [Person] = try finder(a[0], a[1], a[2], a[3], a[4])
        case (1, 0): let _: Int = try finder()
        case (1, 1): let _: Int = try finder(a[0])
        case (1, _): let _: Int = try finder(a[0], a[1])
        case (2, 0): let _: Bool = try finder()
        case (2, 1): let _: Bool = try finder(a[0])
        case (2, _): let _: Bool = try finder(a[0], a[1])
        case (3, 0): let _: [Int64] = try finder()
        case (3, 1): let _: [Int64] = try finder(a[0])
        case (3, _): let _: [Int64] = try finder(a[0], a[1])
        case (4, 0): let _: Double? = try finder()
        case (4, 1): let _: Double? = try finder(a[0])
        case (4, _): let _: Double? = try finder(a[0], a[1])
        case (_, 0): let _: Person = try finder()
        case (_, 1): let _: Person = try finder(a[0])
        default: let _: Person = try finder(a[0], a[1])
        }
    }
}

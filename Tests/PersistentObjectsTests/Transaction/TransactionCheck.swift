import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Runs code that must fail with an error of a given type, and returns the error. (The macro does not nest.)
@discardableResult
func failing<Failure>(
    _ type: Failure.Type, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> Failure? {
    do { try body() } catch {
        if let failure = error as? Failure { return failure }
        Issue.record("\(error), wanted a \(type)", sourceLocation: sourceLocation)
        return nil
    }
    Issue.record("no error, wanted a \(type)", sourceLocation: sourceLocation)
    return nil
}

/// Runs a transaction whose closure throws, and expects that error.
func failing(
    _ session: Session, keepingEdits: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws {
    struct Boom: Error {}
    do {
        try session.transaction(keepingEdits: keepingEdits) { () throws in
            try body()
            throw Boom()
        }
        Issue.record("it did not throw", sourceLocation: sourceLocation)
    } catch is Boom {}
}

extension StoreError {
    /// Whether the error is a foreign key violation.
    var isOfForeignKeys: Bool { TestEngine.isPostgres ? serverState == "23503" : resultCode == 787 }
}

/// Runs code in transactions that fail in each possible way, and compares memory and file before and after.
struct TransactionCheck {
    struct Failure: Error {}

    let session: Session
    let file: TemporaryStore

    /// The ways in which a transaction can fail.
    enum Ending: CaseIterable { case error, rollBack, innerError, innerRollBack, outerError, commit }

    /// Opens a store with the shop's classes.
    static func withShop(_ body: (Session, TransactionCheck) throws -> Void) throws {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, file throws in
            for type in [Shop.Customer.self, Shop.Rush.self, Shop.Club.self, Shop.Token.self, Shop.Memo.self]
                as [PersistentObject.Type]
            {
                try session.store.prepare(type)
            }
            try body(session, TransactionCheck(session: session, file: file))
        }
    }

    /// Returns violations of general invariants.
    private func problems(_ objects: [PersistentObject]) throws -> [String] {
        var problems = session.classes.allIdentities.compactMap { $0.brokenInvariant() }
        for object in objects where object.lifecycle == .saved {
            if try session.space(of: object).identity.object(for: object.rowID) !== object {
                problems.append("\(object) does not stand for its row")
            }
        }
        if session.isInTransaction || session.isInFileTransaction { problems.append("a transaction is open") }
        return problems
    }

    /// Requires that after each failure, `objects` and the file are in their previous state.
    func isTakenBack(
        _ objects: [PersistentObject], endings: [Ending] = Ending.allCases,
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws {
        let names = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), "\($0)") })
        for ending in endings {
            let memory = objects.map { MemoryDump.parts(of: $0, names) }
            let rows = try file.sqlite(".dump")
            try run(ending, body, sourceLocation)
            for (object, before) in zip(objects, memory) {
                let different = try differences(of: object, from: before, names)
                #expect(different.isEmpty, "\(object) after \(ending)", sourceLocation: sourceLocation)
            }
            #expect(try problems(objects).isEmpty, "after \(ending)", sourceLocation: sourceLocation)
            try expect(file.sqlite(".dump"), rows, "file after \(ending)", sourceLocation: sourceLocation)
        }
    }

    /// A property that was unloaded may be loaded now, and vice versa if the row was read again.
    private func differences(
        of object: PersistentObject, from before: [(name: String, value: String)], _ names: [ObjectIdentifier: String]
    ) throws -> [String] {
        let map = try ClassMap.map(of: type(of: object))
        for (name, value) in before where value != MemoryDump.unloaded {
            guard let box = map.properties.first(where: { $0.name == name })?.box(in: ObjectMemory.start(of: object)),
                box.state == .unloaded
            else { continue }
            try session.load(box, of: object)
        }
        let now = MemoryDump.parts(of: object, names)
        func describe(_ parts: [(name: String, value: String)], unless others: [(name: String, value: String)])
            -> [String]
        {
            let unloaded = Set(others.filter { $0.value == MemoryDump.unloaded }.map(\.name))
            return parts.filter { !unloaded.contains($0.name) && $0.value != MemoryDump.unloaded }
                .map { "\($0.name): \($0.value)" }
        }
        return describe(now, unless: before).difference(from: describe(before, unless: now)).map { "\($0)" }
    }

    private func run(_ ending: Ending, _ body: () throws -> Void, _ sourceLocation: SourceLocation) throws {
        switch ending {
        case .error:
            failing(Failure.self, sourceLocation: sourceLocation) {
                try session.transaction { () throws in
                    try body()
                    throw Failure()
                }
            }
        case .rollBack:
            try session.transaction { () throws in
                try body()
                session.rollBack()
            }
        case .innerError:
            try session.transaction { () throws in
                failing(Failure.self, sourceLocation: sourceLocation) {
                    try session.transaction { () throws in
                        try body()
                        throw Failure()
                    }
                }
            }
        case .innerRollBack:
            try session.transaction { () throws in
                try session.transaction { () throws in
                    try body()
                    session.rollBack()
                }
            }
        case .outerError:
            failing(Failure.self, sourceLocation: sourceLocation) {
                try session.transaction { () throws in
                    try session.transaction { () throws in try session.transaction { () throws in try body() } }
                    throw Failure()
                }
            }
        case .commit:
            let error = failing(StoreError.self, sourceLocation: sourceLocation) {
                try session.transaction { () throws in
                    try body()
                    try breakForeignKey()
                }
            }
            expect(error?.isOfForeignKeys, true, "\(String(describing: error))", sourceLocation: sourceLocation)
        }
    }

    /// Makes the commit fail.
    func breakForeignKey() throws {
        try session.connection.execute(SQL("INSERT INTO shop_card (number, holder_id) VALUES (1, 999999)"))
    }
}

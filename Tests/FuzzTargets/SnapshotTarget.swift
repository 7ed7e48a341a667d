import Foundation
import PersistentObjects

/// Snapshots that are changed and merged while objects are edited, saved and deleted; ids as JSON.
struct SnapshotTarget {
    typealias Person = Fuzzed.Person
    private let store: Store

    init() throws {
        store = try Store.inMemory(configuration: .fuzzed())
        try store.withSession { session throws in
            try store.prepare(Fuzzed.classes)
            try Fuzzed.fill(session)
        }
    }

    func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        try store.withSession { session in
            do {
                try session.transaction { () throws in
                    session.rollBack()
                    var snapshots = try Person.all().map { $0.snapshot() }
                    snapshots.append(Person().snapshot())
                    while !input.isEmpty { try Self.step(&input, &snapshots, session) }
                }
            } catch { try FuzzErrors.check(error) }
        }
    }

    private static func step(
        _ input: inout FuzzInput, _ snapshots: inout [Snapshot<Person>], _ session: Session
    ) throws {
        let number = input.number(below: snapshots.count)
        let other = snapshots[input.number(below: snapshots.count)].persistentID
        do {
            let action = input.number(below: 12)
            switch action {
            case 0..<7: snapshots[number] = try set(snapshots[number], action, other, &input)
            case 7: try idFromJSON(&input, session)
            case 8, 9: try change(snapshots[number].id, action, &input)
            case 10: snapshots[number] = try merge(snapshots[number], preferring: input.byte(), session)
            default: snapshots[number] = try merge(snapshots[number], session)
            }
        } catch { try FuzzErrors.check(error) }
        _ = "\(snapshots[number]) \(snapshots[number].changes)"
    }

    private static func set(
        _ snapshot: Snapshot<Person>, _ action: Int, _ other: PersistentID<Person>?, _ input: inout FuzzInput
    ) throws -> Snapshot<Person> {
        var copy = snapshot
        switch action {
        case 0: try copy.set(\.lastName, to: input.text())
        case 1: try copy.set(\.age, to: Int(input.byte()))
        case 2: try copy.set(\.tags, to: [input.text(), "x"])
        case 3: try copy.set(\.weight, to: Double(bitPattern: UInt64(bitPattern: input.integer())))
        case 4: try copy.set(\.large, to: UInt64(bitPattern: input.integer()))
        case 5: try copy.set(\.mentor, to: other)
        default: try copy.set(\.email, to: input.text())
        }
        return copy
    }

    /// Changes or deletes an object in the session meanwhile.
    private static func change(_ id: Int64?, _ action: Int, _ input: inout FuzzInput) throws {
        guard let id, let object = try Person.find(id) else { return }
        if action == 8 { object.lastName = input.text() } else { try object.delete() }
    }

    private static func merge(
        _ snapshot: Snapshot<Person>, preferring choice: UInt8, _ session: Session
    ) throws -> Snapshot<Person> {
        let merge = try session.merge(snapshot, preferring: choice & 1 == 0 ? .snapshot : .session)
        let contradicted = Set(merge.conflicts.map(\.property))
        for change in snapshot.changes where !contradicted.contains(change.name) {
            if merge.object[change.name] == nil, change.new != nil {
                throw FuzzFinding("\(change) did not come through a merge")
            }
        }
        try merge.object.save()
        return merge.object.snapshot()
    }

    private static func merge(_ snapshot: Snapshot<Person>, _ session: Session) throws -> Snapshot<Person> {
        let same = try session.merge(snapshot)
        try same.save()
        if let id = snapshot.id, same.id != id { throw FuzzFinding("a merge made another row") }
        return same.snapshot()
    }

    private static func idFromJSON(_ input: inout FuzzInput, _ session: Session) throws {
        do {
            let id = try JSONDecoder().decode(PersistentID<Person>.self, from: Data(input.some()))
            _ = try session.object(for: id)
        } catch is DecodingError {}
    }
}

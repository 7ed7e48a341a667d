import Foundation
import PersistentObjects

/// Snapshots that are set and merged while others edit, save and delete; ids as JSON.
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
        var snapshot = snapshots[number]
        let object = try snapshot.id.flatMap { try Person.find($0) } ?? Person()
        do {
            switch input.number(below: 12) {
            case 0: try snapshot.set(\.lastName, to: input.text())
            case 1: try snapshot.set(\.age, to: Int(input.byte()))
            case 2: try snapshot.set(\.tags, to: [input.text(), "x"])
            case 3: try snapshot.set(\.weight, to: Double(bitPattern: UInt64(bitPattern: input.integer())))
            case 4: try snapshot.set(\.large, to: UInt64(bitPattern: input.integer()))
            case 5: try snapshot.set(\.mentor, to: snapshots[input.number(below: snapshots.count)].persistentID)
            case 6: try snapshot.set(\.email, to: input.text())
            case 7: try idFromJSON(&input, session)
            case 8: object.lastName = input.text()
            case 9: if !object.isNew { try object.delete() }
            case 10:
                let merge = try session.merge(snapshot, preferring: input.byte() & 1 == 0 ? .snapshot : .session)
                for change in snapshot.changes where !merge.conflicts.contains(where: { $0.property == change.name }) {
                    if merge.object[change.name] == nil && change.new != nil {
                        throw FuzzFinding("\(change) did not come through a merge")
                    }
                }
                try merge.object.save()
                snapshot = merge.object.snapshot()
            default:
                let same = try session.merge(snapshot)
                try same.save()
                if let id = snapshot.id, same.id != id { throw FuzzFinding("a merge made another row") }
                snapshot = same.snapshot()
            }
        } catch { try FuzzErrors.check(error) }
        _ = "\(snapshot) \(snapshot.changes)"
        snapshots[number] = snapshot
    }

    private static func idFromJSON(_ input: inout FuzzInput, _ session: Session) throws {
        do {
            let id = try JSONDecoder().decode(PersistentID<Person>.self, from: Data(input.some()))
            _ = try session.object(for: id)
        } catch is DecodingError {}
    }
}

import TestSupport
import Testing

@testable import PersistentObjects

/// Random saves, edits, reverts, deletions and rollbacks, with a model of `changes`, `changed`, `original` and
/// `previousChanges`.
struct PreviousChangesModelTests {
    final class Thing: PersistentObject {
        override class var tableName: String { "thing" }
        var text = ""
        var number = 0
        var maybe: String?
        var list: [Int] = []
        var next: Thing?
    }

    /// The values of a thing, as strings.
    private typealias Values = [String]

    private struct State {
        var now: [Values]
        var row: [Values?]
        var previous: [Int: (old: Values?, new: Values)] = [:]
    }

    struct Rollback: Error {}

    private final class Run {
        let session: Session
        let things: [Thing]
        var random: SeededGenerator
        var state: State

        init(_ session: Session, _ seed: UInt64) {
            self.session = session
            random = SeededGenerator(seed: seed)
            things = (0..<4).map { _ in Thing() }
            state = State(now: [], row: Array(repeating: nil, count: things.count))
            state.now = things.map(values)
        }

        func values(_ thing: Thing) -> Values {
            [
                thing.text, "\(thing.number)", thing.maybe ?? "nil", "\(thing.list)",
                thing.next.map { next in "\(things.firstIndex { $0 === next } ?? -1)" } ?? "nil",
            ]
        }

        func edit(_ index: Int) {
            let thing = things[index]
            let value = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: thing.text = ["", "a", "a text that has a buffer of its own"][value]
            case 1: thing.number = value
            case 2: thing.maybe = [nil, "", "another text that has a buffer of its own"][value]
            case 3: thing.list = Array(0..<value)
            // Only to objects with a row, so that a save writes only the chosen objects.
            default:
                let targets = things.indices.filter { state.row[$0] != nil }
                thing.next = targets.randomElement(using: &random).map { things[$0] }
            }
            state.now[index] = values(thing)
        }

        func save() throws { try save(things.indices.filter { _ in Bool.random(using: &random) }) }

        func saveEverything() throws { try save(Array(things.indices)) }

        private func save(_ chosen: [Int]) throws {
            try session.save(chosen.map { things[$0] }, .shallow)
            var previous: [Int: (old: Values?, new: Values)] = [:]
            for index in chosen where state.row[index] != state.now[index] {
                previous[index] = (state.row[index], state.now[index])
                state.row[index] = state.now[index]
            }
            if !previous.isEmpty { state.previous = previous }
        }

        func step(_ depth: Int) throws {
            let index = things.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: edit(index)
            case 5, 6: try save()
            case 7:
                things[index].revert()
                if let row = state.row[index] { state.now[index] = row }
            case 8 where depth < 3:
                let isKept = Bool.random(using: &random)
                // Edits of objects that the transaction does not save outlive a rollback, which is not tested here.
                try saveEverything()
                let start = state
                do {
                    try session.transaction { () throws in
                        for _ in 0..<Int.random(in: 1...6, using: &random) { try step(depth + 1) }
                        // Changes all objects, so that all of them are restored.
                        for index in things.indices { things[index].number += 10 }
                        for index in things.indices { state.now[index] = values(things[index]) }
                        try saveEverything()
                        if !isKept { throw Rollback() }
                    }
                } catch is Rollback { state = start }
            default: break
            }
            check()
        }

        func check() {
            let names = ["text", "number", "maybe", "list", "next"]
            for (index, thing) in things.enumerated() {
                expect(values(thing), state.now[index])
                let row = state.row[index]
                let changed = names.indices.filter { row?[$0] != state.now[index][$0] }
                // The changes of a new object are in another order.
                expect(Set(thing.changes.map(\.name)), Set(changed.map { names[$0] }))
                let flags = [
                    thing.changed(\.text), thing.changed(\.number), thing.changed(\.maybe), thing.changed(\.list),
                    thing.changed(\.next),
                ]
                expect(names.indices.filter { flags[$0] }, changed)
                expect(originals(thing), row)
                let previous = state.previous[index]
                let differing = previous.map { previous in
                    names.indices.filter { previous.old?[$0] != previous.new[$0] }.map { names[$0] }
                }
                expect(thing.previousChanges.map(\.name), differing ?? [])
                for change in thing.previousChanges where change.name == "number" {
                    expect(change.old.map { "\($0)" }, previous?.old?[1])
                    expect(change.new.map { "\($0)" }, previous?.new[1])
                }
            }
        }

        private func originals(_ thing: Thing) -> Values? {
            guard let text = try? thing.original(\.text), let number = try? thing.original(\.number),
                let list = try? thing.original(\.list)
            else { return nil }
            let next = try? thing.original(\.next)
            return [
                text, "\(number)", ((try? thing.original(\.maybe)) ?? nil) ?? "nil", "\(list)",
                next.map { next in "\(things.firstIndex { $0 === next } ?? -1)" } ?? "nil",
            ]
        }
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func `changes, changed, original and previousChanges match a model`(seed: UInt64) throws {
        try withTemporarySession { session, _ throws in
            let run = Run(session, seed)
            for _ in 0..<60 { try run.step(0) }
        }
    }
}

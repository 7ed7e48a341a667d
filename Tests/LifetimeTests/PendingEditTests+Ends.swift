import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

// The end of pending edits: by deletion of the row, by a transaction, or by the end of the session.
extension PendingEditTests {
    // MARK: Deletions

    @Test func `deleting a row deletes its pending edits`() throws {
        try withTemporarySession(Self.strict) { session, file in
            for way in 0..<4 {
                try counters(1, session)
                for counter in try Counter.all() { counter.n = 5 }
                #expect(!session.memory.pendingEdits.isEmpty)
                switch way {
                case 0: _ = try Counter.deleteAll()
                case 1: _ = try Counter.where { $0.n == 0 }.delete()
                case 2: try Counter.first()?.delete()
                default: _ = try Counter.deleteBy.n(0)
                }
                #expect(session.memory.pendingEdits.isEmpty, "way \(way)")
                try session.saveChanges()
                #expect(try numbers(file).isEmpty)
            }
        }
    }

    // MARK: Transactions

    @Test func `a commit writes pending edits`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(4, session)
            try { try Counter.find(1)?.n = 1 }()
            try session.transaction {
                try { try Counter.find(2)?.n = 2 }()
                try session.transaction { try Counter.find(3)?.n = 3 }
            }
            #expect(try numbers(file) == "1,2,3,0" && session.memory.pendingEdits.isEmpty)
        }
    }

    @Test func `a commit of pending edits that conflict fails as a whole`() throws {
        try withTemporarySession { session, file in
            try counters(2, session)
            try { try Counter.find(1)?.n = 1 }()
            _ = try file.sqlite("UPDATE counter SET n = 7 WHERE id = 1")
            let error = #expect(throws: StoreError.self) {
                try session.transaction {
                    let other = try #require(try Counter.find(2))
                    other.n = 2
                    try other.save()
                }
            }
            #expect(error?.code == .staleObject)
            #expect(try numbers(file) == "7,0")
            // The edit made before the transaction is still pending, and the changes of the transaction are gone.
            #expect(try Counter.find(1)?.n == 1 && Counter.find(2)?.n == 0)
            try session.revert()
        }
    }

    @Test(arguments: [false, true]) func `a rollback drops pending edits made inside and keeps those made before`(
        isNested: Bool
    ) throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(4, session)
            try { try Counter.find(1)?.n = 1 }()
            try { try Counter.find(2)?.n = 2 }()
            func run() throws {
                // The object of one pending edit is fetched and saved, another is fetched and edited again, and a
                // third is edited only inside.
                try {
                    let one = try #require(try Counter.find(1))
                    one.other = 10
                    try one.save()
                }()
                try { try Counter.find(2)?.other = 20 }()
                try { try Counter.find(3)?.n = 3 }()
                throw Boom()
            }
            if isNested {
                try session.transaction {
                    #expect(throws: Boom.self) { try session.transaction { try run() } }
                    let one = try Counter.find(1)
                    #expect(one?.n == 1 && one?.other == 0)
                    session.rollBack()
                }
            } else {
                #expect(throws: Boom.self) { try session.transaction { try run() } }
            }
            #expect(try numbers(file) == "0,0,0,0")
            #expect(try Counter.find(1)?.n == 1 && Counter.find(1)?.other == 0 && Counter.find(3)?.n == 0)
            #expect(try Counter.find(2)?.n == 2)
            try session.saveChanges()
            #expect(try numbers(file, "n").hasPrefix("1,2,0,0"))
        }
    }

    @Test func `a retry of a transaction drops the pending edits of the failed attempt`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(1, session)
            var runs = 0
            try session.transaction(retries: 1) {
                runs += 1
                try { try Counter.find(1)?.n += 1 }()
                if runs == 1 { throw StoreError(.staleObject, "as if") }
            }
            try expect(numbers(file), "1")
        }
    }

    // MARK: reset, revert, end of session

    @Test func `reset drops pending edits without a note`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(1, session)
            try { try Counter.find(1)?.n = 5 }()
            try session.reset()
            try expect(Counter.find(1)?.n, 0)
            try session.saveChanges()
            try expect(numbers(file), "0")
        }
    }

    @Test func `revert discards all edits, of live and of released objects`() throws {
        try withTemporarySession(Self.strict) { session, _ in
            try counters(2, session)
            try { try Counter.find(1)?.n = 5 }()
            let live = try #require(try Counter.find(2))
            live.n = 6
            try session.add(Counter())
            try session.revert()
            #expect(live.n == 0 && !live.hasChanges && session.memory.pendingEdits.isEmpty)
            try session.saveChanges()
            #expect(try Counter.count() == 2 && Counter.find(1)?.n == 0)
        }
    }

    @Test func `a session that ends with pending edits notes them`() throws {
        let notes = Recorder<String>()
        try withTemporaryStore(.init(onNote: { notes.add($0) })) { store, _ in
            try store.withSession { session in
                try counters(2, session)
                for counter in try Counter.all() { counter.n = 5 }
                try session.add(Counter())
            }
        }
        try #require(notes.all.count == 3, "\(notes.all)")
        #expect(notes.all[0].hasPrefix("Counter #1 was released with unsaved edits in n"))
        #expect(notes.all[1].hasPrefix("Counter #2 ") && notes.all[2].contains("Counter was added"))
    }

    @Test func `memory is held only for edited objects`() throws {
        try withTemporarySession(Self.strict) { session, _ in
            try counters(100, session)
            for counter in try Counter.all() where counter.id == 7 { counter.n = 5 }
            expect(session.memory.pendingEdits.all.values.map(\.count), [1])
            try session.revert()
        }
    }

    @Test func `pending edits that reach a row with a live object do not override the object's edits`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(1, session)
            // Simulates objects of the row that were released on other threads while the session created a new
            // object.
            let counter = try #require(try Counter.find(1))
            let (map, block) = (try session.space(of: Counter.self).map, try #require(counter.baseline))
            for number in 1...2 {
                counter.n = number
                counter.other = number
                if number == 1 { counter.status = "first" } else { counter.status = "new" }
                let edits = map.baseline.changes(ObjectMemory.start(of: counter), block)
                let edit = PendingEdit(of: ObjectMemory.start(of: counter), 1, block, map, edits)
                #expect(session.memory.pendingEdits.file(edit))
            }
            counter.revert()
            counter.other = 9
            try session.saveChanges()
            try expect(file.sqlite("SELECT n, other, status FROM counter"), "2|9|first")
            #expect(session.memory.pendingEdits.isEmpty)
        }
    }

    @Test func `edits of objects released on other threads while the session works are all kept`() throws {
        try withTemporarySession(Self.strict) { session, file in
            try counters(400, session)
            let all = Smuggled<[Counter]>(try Counter.all())
            for counter in all.value { counter.n = 1 }
            let ended = DispatchGroup()
            for part in 0..<4 {
                let objects = Smuggled(Array(all.value[part * 100..<part * 100 + 100]))
                Thread {
                    objects.value = []
                    ended.leave()
                }.start(in: ended)
            }
            all.value = []
            while ended.wait(timeout: .now()) == .timedOut { _ = try Counter.query.limit(50).all() }
            try session.saveChanges()
            try expect(file.sqlite("SELECT sum(n) FROM counter"), "400")
        }
    }
}

extension Thread {
    fileprivate func start(in group: DispatchGroup) {
        group.enter()
        start()
    }
}

import Foundation
import PersistentObjects

/// Two versions of a program use one file at the same time, and one changes the tables while the other runs.
struct VersionRun {
    let folder: String

    private static var configuration: Store.Configuration { .init(onNote: { _ in }) }

    private func path(_ name: String) -> String { folder + "/" + name + ".sqlite" }

    private func withStore<R>(_ name: String, _ body: (Store) throws -> R) throws -> R {
        let store = try Store(path(name), configuration: VersionRun.configuration)
        defer { store.close() }
        return try body(store)
    }

    private func together(_ bodies: (() throws -> Void)...) throws {
        let children = try bodies.map { try ChildProcess($0) }
        for child in children {
            let end = child.wait()
            try require(end == .finished, "\(end)")
        }
    }

    // MARK: Both at once

    /// Each version creates guests, and both change all guests.
    func bothAtOnce(_ saves: Int) throws {
        try together {
            try withStore("both") { store in
                for number in 0..<saves {
                    try store.withSession { session in
                        let guest = Old.Guest()
                        (guest.number, guest.name, guest.tags) = (2 * number, "old", ["a", "b"])
                        try guest.save()
                        try session.transaction(retries: 1000) {
                            let first = try found(Old.Guest.query.order(by: \.id).first(), "no guest")
                            first.age = (first.age ?? 0) + 1
                            try first.save()
                        }
                    }
                }
            }
        } _: {
            try withStore("both") { store in
                for number in 0..<saves {
                    try store.withSession { session in
                        let guest = New.Guest()
                        (guest.number, guest.name, guest.visits) = (2 * number + 1, "new", [number, 7])
                        try guest.save()
                        try session.transaction(retries: 1000) {
                            let first = try found(New.Guest.query.order(by: \.id).first(), "no guest")
                            first.age = (first.age ?? 0) + 1
                            first.nick = "seen"
                            try first.save()
                        }
                    }
                }
            }
        }
        try ChildProcess.run {
            try withStore("both") { store in
                try store.withSession { _ in
                    let guests = try New.Guest.query.order(by: \.number).all()
                    try require(guests.map(\.number) == Array(0..<2 * saves), "\(guests.count) guests")
                    for guest in guests {
                        let isOld = guest.number.isMultiple(of: 2)
                        try require(
                            guest.name == (isOld ? "old" : "new") && guest.tags == (isOld ? ["a", "b"] : [])
                                && guest.visits == (isOld ? [] : [guest.number / 2, 7]),
                            "guest \(guest.number) is \(guest)")
                    }
                    let ages = guests.reduce(0) { $0 + ($1.age ?? 0) }
                    try require(ages == 2 * saves, "\(2 * saves) increments came to \(ages)")
                }
                let report = try store.checkIntegrity()
                try require(report.problems.isEmpty, "\(report)")
            }
        }
    }

    // MARK: Under a program that runs

    /// Changes the tables while another program has objects, edits and an observed query.
    ///
    /// - Parameter isCompatible: Whether the first version can continue.
    func changeUnderneath<G: PersistentObject>(_ type: G.Type, isCompatible: Bool) throws {
        let name = isCompatible ? "added" : "changed"
        let (isReady, isChanged) = (try Signal(), try Signal())
        defer { [isReady, isChanged].forEach { $0.close() } }
        try together {
            // Ends the process if an expected update never arrives.
            alarm(120)
            try waitFor { try await live(name, isReady, isChanged, isCompatible) }
        } _: {
            try isReady.take()
            try withStore(name) { store in
                try store.prepare(type)
                try store.withSession { _ in try type.init().save() }
            }
            isChanged.give()
        }
    }

    private func live(_ name: String, _ isReady: Signal, _ isChanged: Signal, _ isCompatible: Bool) async throws {
        let store = try Store(path(name), configuration: VersionRun.configuration)
        defer { store.close() }
        try await store.perform { session in
            let guests = (1...5).map { number in
                let guest = Old.Guest()
                (guest.number, guest.name, guest.tags) = (number, "guest \(number)", ["x"])
                return guest
            }
            try session.save(guests)
            var updates = session.updates(of: guests[4]).makeAsyncIterator()
            _ = try await updates.next()
            var lists = Old.Guest.query.order(by: \.number).updates().makeAsyncIterator()
            let before = try await lists.next()
            try require(before?.count == 5, "the query that is watched finds \(before?.count ?? 0)")
            guests[0].age = 40
            guests[1].tags.append("y")
            let new = Old.Guest()
            (new.number, new.name) = (6, "new")
            isReady.give()
            try isChanged.take()

            // Each operation must succeed, or throw an error of the library and leave the objects unchanged.
            func attempt(_ what: String, _ body: () throws -> Void) throws {
                do {
                    try body()
                    try require(isCompatible, "\(what) came through in tables that are others")
                } catch let failure as Failure {
                    throw failure
                } catch let error where error is StoreError || error is SchemaError {
                    try require(!isCompatible, "\(what): \(error)")
                } catch { throw Failure("\(what) throws \(type(of: error)): \(error)") }
            }
            try attempt("a query") { _ = try Old.Guest.all() }
            try attempt("a save") { try guests[0].save() }
            try attempt("a save of a list") { try guests[1].save() }
            try attempt("an insertion") { try new.save() }
            try attempt("a transaction") {
                try session.transaction {
                    guests[2].name = "third"
                    try guests[2].save()
                }
            }
            // The observed query must receive the change too.
            do {
                let after = try await lists.next()
                try require(isCompatible && after?.count == 7, "the query that is watched finds \(after?.count ?? 0)")
            } catch let error where error is StoreError || error is SchemaError {
                try require(!isCompatible, "the query that is watched: \(error)")
            }
            if isCompatible {
                let count = try Old.Guest.count()
                try require(count == 7, "\(count) guests")
                try require(!guests.contains(where: \.hasChanges), "something is unsaved")
            } else {
                try require(
                    guests[0].age == 40 && guests[0].hasChanges && guests[1].tags == ["x", "y"] && new.isNew,
                    "an edit is gone: \(guests[0]), \(guests[1])")
            }
        }
    }

    /// Checks that the second version finds everything that the first version saved.
    func checkUnderneath() throws {
        try ChildProcess.run {
            try withStore("added") { store in
                try store.withSession { _ in
                    let guests = try New.Guest.where { $0.number > 0 }.order(by: \.number).all()
                    try require(
                        guests.map(\.name) == ["guest 1", "guest 2", "third", "guest 4", "guest 5", "new"]
                            && guests[0].age == 40 && guests[1].tags == ["x", "y"] && guests[5].nick == "none",
                        "the new version finds \(guests)")
                }
            }
            try withStore("changed") { store in
                try store.withSession { _ in
                    let guests = try Other.Guest.where { $0.number > 0 }.order(by: \.number).all()
                    try require(
                        guests.map(\.title) == (1...5).map { "guest \($0)" } && guests.allSatisfy { $0.tags == ["x"] },
                        "the other version finds \(guests)")
                }
            }
        }
    }

    // MARK: At any moment

    /// Runs the first version on a bank until it finds the tables of the second version.
    ///
    /// - Returns: The number of acknowledged steps.
    func changeAtAnyMoment(_ number: Int, _ random: inout Randomness) throws -> Int {
        let file = BankFile(path("bank \(number)"), seed: random.next())
        let log = path("steps \(number)")
        let first = try ChildProcess {
            let log = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            do {
                try file.work(.first, steps: 400) { step in
                    var step = Int64(step)
                    write(log, &step, 8)
                }
            } catch let error as StepFailure {
                guard error.cause is StoreError || error.cause is SchemaError else { throw error }
            }
        }
        // Waits until there is a ledger. Otherwise, both versions would create one.
        for _ in 0..<10_000 {
            if let written = try? Data(contentsOf: URL(filePath: log)), !written.isEmpty { break }
            // The other process gives no other signal.
            usleep(2_000)
        }
        // The change comes at a random moment.
        usleep(UInt32(random.below(60_000)))
        try ChildProcess.run { _ = try file.prepareAlone(.second) }
        let end = first.wait()
        try require(end == .finished, "the first version: \(end)")
        let acknowledged = try Data(contentsOf: URL(filePath: log)).count / 8
        let result = path("result \(number)")
        try ChildProcess.run { try Data("\(try file.check(.second))".utf8).write(to: URL(filePath: result)) }
        let found = try String(contentsOfFile: result, encoding: .utf8)
        try require(found == "\(acknowledged)", "\(acknowledged) steps were acknowledged, the file holds \(found)")
        return acknowledged
    }
}

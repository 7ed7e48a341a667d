import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Simultaneous use of a session by two threads: each call throws an error, and no data is damaged.
struct OverlappingUseTests {
    /// Runs a hook in its initializer, which can block.
    final class Slow: PersistentObject {
        @TaskLocal static var whileMade: Hook?
        override class var tableName: String { "slow" }
        var name = ""

        required init() {
            super.init()
            try? Slow.whileMade?()
        }
    }

    /// Runs a hook while it is encoded, which can block.
    struct SlowValue: Codable {
        @TaskLocal static var whileEncoding: Hook?
        var number = 0

        func encode(to encoder: any Encoder) throws {
            try? SlowValue.whileEncoding?()
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }

        init() {}
        init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
    }

    final class Coded: PersistentObject {
        override class var tableName: String { "coded" }
        var value = SlowValue()
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
    }

    /// All calls that use a session.
    private static func uses(_ session: Session, _ person: Person) -> [(String, () throws -> Void)] {
        [
            ("find", { _ = try Person.find(1) }), ("find list", { _ = try Person.find([1, 2]) }),
            ("find id", { _ = try Person.find(PersistentID<Person>(1)) }), ("all", { _ = try Person.all() }),
            ("first", { _ = try Person.first() }), ("count", { _ = try Person.count() }),
            ("deleteAll", { _ = try Person.deleteAll() }), ("finder", { _ = try Person.findByName("x") }),
            ("first finder", { _ = try Person.findFirstByName("x")?.name }),
            ("only finder", { let _: Person = try Person.findOnlyByName("x") }),
            ("count finder", { let _: Int = try Person.countByName("x") }),
            ("exists finder", { let _: Bool = try Person.existsByName("x") }),
            ("delete finder", { try Person.deleteByName("x") }),
            ("typed", { _ = try Person.findBy.name("x") }), ("typed first", { _ = try Person.findFirstBy.name("x") }),
            ("typed only", { _ = try Person.findOnlyBy.name("x") }),
            ("typed count", { _ = try Person.countBy.name("x") }),
            ("typed exists", { _ = try Person.existsBy.name("x") }),
            ("typed delete", { try Person.deleteBy.name("x") }),
            ("criteria", { _ = try Person.findByCriteria("") }),
            ("first criteria", { _ = try Person.findFirstByCriteria("") }),
            ("count criteria", { _ = try Person.countByCriteria("") }), ("save", { try person.save() }),
            ("save new", { try Person().save() }), ("reload", { try person.reload() }),
            ("delete", { try person.delete() }), ("session save", { try session.save([person]) }),
            ("session save none", { try session.save([]) }), ("saveChanges", { try session.saveChanges() }),
            ("session delete", { try session.delete([person]) }),
            ("object for id", { _ = try session.object(for: PersistentID<Person>(1)) }),
        ]
    }

    /// Blocks the session of `body` inside client code on another thread, and then verifies that each other use is
    /// refused.
    private func holding(
        _ session: Session, _ person: Person, _ work: @escaping (@escaping @Sendable () -> Void) throws -> Void
    ) throws {
        let inside = DispatchSemaphore(value: 0)
        let release = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let failures = Recorder<String>()
        let smuggled = Smuggled((session, work))
        Thread {
            let (session, work) = smuggled.value
            do {
                try CurrentSession.with(session) {
                    try work {
                        inside.signal()
                        release.wait()
                    }
                }
            } catch { failures.add("\(error)") }
            ended.signal()
        }.start()
        inside.wait()
        for (name, use) in Self.uses(session, person) {
            let error = #expect(throws: StoreError.self, "\(name)") { try use() }
            #expect(error?.code == .overlappingUse, "\(name)")
        }
        for _ in 0..<100 { release.signal() }
        ended.wait()
        #expect(failures.all.isEmpty)
        for (name, use) in Self.uses(session, person) where !name.contains("only") && !name.contains("elete") {
            #expect(throws: Never.self, "\(name)") { try use() }
        }
    }

    @Test func `a session that runs an init() on another thread refuses all uses`() throws {
        try withTemporarySession { session, _ in
            try Slow().save()
            let person = Person()
            try person.save()
            person.name = "edited"
            try holding(session, person) { wait in
                let all = try Slow.$whileMade.withValue(Hook(wait)) { try Slow.all() }
                expect(all.count, 1)
            }
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
            expect(session.busyStatementCount, 0)
        }
    }

    @Test func `a session that runs encode(to:) on another thread refuses all uses`() throws {
        try withTemporarySession { session, file in
            let person = Person()
            try person.save()
            _ = try Coded.count()
            try holding(session, person) { wait in
                try SlowValue.$whileEncoding.withValue(Hook(wait)) { try Coded().save() }
            }
            try expect(file.sqlite("SELECT value FROM coded"), "0")
        }
    }

    @Test func `other sessions of the store can be used meanwhile`() throws {
        try withTemporarySession { session, _ in
            try Slow().save()
            try Person().save()
            let inside = DispatchSemaphore(value: 0)
            let release = DispatchSemaphore(value: 0)
            let ended = DispatchSemaphore(value: 0)
            let smuggled = Smuggled(session)
            Thread {
                try? CurrentSession.with(smuggled.value) {
                    try Slow.$whileMade.withValue(
                        Hook {
                            inside.signal()
                            release.wait()
                        }
                    ) { _ = try Slow.findBy.name("") }
                }
                ended.signal()
            }.start()
            inside.wait()
            try session.store.withSession { _ in
                #expect(try Person.count() == 1 && Slow.count() == 1)
                try Person().save()
            }
            for _ in 0..<10 { release.signal() }
            ended.wait()
            try expect(Person.count(), 2)
        }
    }

    @Test func `a session that ends lets a call on another thread finish, and refuses all further calls`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ in
            try Slow().save()
            try Person().save()
        }
        let inside = DispatchSemaphore(value: 0)
        let release = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let codes = Recorder<StoreError.Code?>()
        let connection = try store.withSession { session in
            let smuggled = Smuggled(session)
            Thread {
                CurrentSession.with(smuggled.value) {
                    for _ in 0..<2 {
                        do {
                            try Slow.$whileMade.withValue(
                                Hook {
                                    inside.signal()
                                    release.wait()
                                }
                            ) { _ = try Slow.all() }
                            codes.add(nil)
                        } catch { codes.add((error as? StoreError)?.code) }
                    }
                }
                ended.signal()
            }.start()
            inside.wait()
            return ObjectIdentifier(session.connection)
        }
        try store.withSession { session in
            #expect(ObjectIdentifier(session.connection) != connection, "it is in use on the other thread")
            let count = try Person.count()
            expect(count, 1)
        }
        for _ in 0..<10 { release.signal() }
        ended.wait()
        expect(codes.all, [nil, .sessionEnded])
    }

    @Test func `a session can be used on different threads one after another`() throws {
        try withTemporarySession { session, _ in
            for number in 0..<20 {
                let ended = DispatchSemaphore(value: 0)
                let smuggled = Smuggled(session)
                let failures = Recorder<String>()
                Thread {
                    do {
                        try CurrentSession.with(smuggled.value) {
                            try Person().save()
                            try expect(Person.count(), 2 * number + 1)
                        }
                    } catch { failures.add("\(error)") }
                    ended.signal()
                }.start()
                ended.wait()
                #expect(failures.all.isEmpty)
                try Person().save()
            }
            try expect(Person.count(), 40)
        }
    }

    @Test func `child tasks that share a session get correct results or the error`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { session in
            try session.save((0..<50).map { _ in Person() })
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for round in 0..<200 {
                            do {
                                let all = try Person.all()
                                expect(all.count, 50)
                                _ = try Person.find(Int64(round % 50 + 1))
                            } catch let error as StoreError {
                                expect(error.code, .overlappingUse)
                            } catch { Issue.record(error) }
                        }
                    }
                }
            }
            try expect(Person.all().count, 50)
            #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
        }
    }
}

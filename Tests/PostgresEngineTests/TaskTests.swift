#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Job: PersistentObject {
        override class var tableName: String { "job" }
        var count = 0
    }

    /// The ways in which a task calls a store.
    private enum Way: CaseIterable {
        case perform, session, executor

        func count(_ store: Store) async throws -> Int {
            switch self {
            case .perform: try await store.perform { _ in try Job.count() }
            case .session:
                try await store.withSession { _ in
                    await Task.yield()
                    return try Job.count()
                }
            case .executor:
                try await withTaskExecutorPreference(store.executor) {
                    try await Way.own(store)
                }
            }
        }

        /// Uses the session of the task.
        private static func own(_ store: Store) async throws -> Int { try store.countJobs() }
    }

    extension Store {
        fileprivate func countJobs() throws -> Int { try ownSession().use { try Job.count() } }
    }

    extension ProxyTests {
        /// Tasks wait for the server at the same time, and for each other in the order of their arrival.
        @Suite struct TaskTests {
            @Test("statements of 12 of 32 tasks are at the server at once", .hangLimit, arguments: Way.allCases)
            fileprivate func together(_ way: Way) async throws {
                let proxy = try PostgresProxy()
                let store = try Store(.postgres(try proxy.makeSchema().address))
                defer { store.close() }
                #expect(store.configuration.concurrency == 16)
                try store.prepare(Job.self)
                // If fewer statements were at the server at once, this would wait forever.
                proxy.hold("count(", until: 12)
                let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<32 { group.addTask { try await way.count(store) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(counts == Array(repeating: 0, count: 32))
            }

            /// A task that holds the only slot until `end` has a value.
            private static func blocker(_ store: Store) async throws -> (Task<Void, any Error>, Recorder<Bool>) {
                let (began, end) = (Recorder<Bool>(), Recorder<Bool>())
                let task = Task.detached {
                    try await store.withSession { _ in
                        began.add(true)
                        try await waitUntil { !end.all.isEmpty }
                    }
                }
                try await waitUntil { !began.all.isEmpty }
                return (task, end)
            }

            private static func oneSlot() throws -> Store {
                let schema = try PostgresProxy().makeSchema()
                let store = try Store(.postgres(try schema.directAddress), configuration: .init(concurrency: 1))
                try store.prepare(Job.self)
                return store
            }

            @Test("waiting tasks are served in the order of their arrival", .hangLimit)
            func fair() async throws {
                let store = try Self.oneSlot()
                defer { store.close() }
                let (blocker, end) = try await Self.blocker(store)
                let served = Recorder<Int>()
                var tasks: [Task<Void, any Error>] = []
                for number in 0..<8 {
                    tasks.append(
                        Task.detached {
                            if number.isMultiple(of: 2) {
                                try await store.withSession { _ in
                                    served.add(number)
                                    await Task.yield()
                                }
                            } else {
                                try await store.perform { _ in served.add(number) }
                            }
                        })
                    try await waitUntil { store.performs.waiterCount == number + 1 }
                }
                #expect(served.all.isEmpty)
                end.add(true)
                for task in [blocker] + tasks { try await task.value }
                #expect(served.all == Array(0..<8))
            }

            @Test("a task that is cancelled while it waits stops waiting", .hangLimit)
            func cancelled() async throws {
                let store = try Self.oneSlot()
                defer { store.close() }
                let (blocker, end) = try await Self.blocker(store)
                let waiting = Task.detached { try await store.withSession { _ in try await Way.perform.count(store) } }
                try await waitUntil { store.performs.waiterCount == 1 }
                waiting.cancel()
                // The other task keeps the slot until then.
                await #expect(throws: CancellationError.self) { try await waiting.value }
                #expect(store.performs.waiterCount == 0)
                end.add(true)
                try await blocker.value
                // Nested calls do not wait for the slot of the outer call.
                #expect(try await store.withSession { _ in try await Way.perform.count(store) } == 0)
            }
        }
    }

    /// A server that accepts fewer connections than there are slots.
    @Suite(.onPostgres("a file has no server")) struct ConnectionLimitTests {
        @Test("sessions wait for a connection if the server accepts no further ones", .hangLimit)
        func limited() async throws {
            let database = try PostgresDatabase()
            let role = try database.role("few", "CONNECTION LIMIT 3")
            _ = try database.psql("GRANT CREATE ON SCHEMA public TO \(role)")
            let store = try Store(
                .postgres(database.address(role)), configuration: .init(busyTimeout: .seconds(3600)))
            defer { store.close() }
            try store.prepare(Job.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        try await store.perform { session in
                            let job = Job()
                            job.count = number
                            try session.save(job)
                        }
                    }
                }
                try await group.waitForAll()
            }
            expect(try database.psql("SELECT count(*), sum(count) FROM job"), "32|496")
        }

        @Test("a session that gets no connection throws after the busy timeout")
        func none() throws {
            let database = try PostgresDatabase()
            let role = try database.role("one", "CONNECTION LIMIT 1")
            _ = try database.psql("GRANT CREATE ON SCHEMA public TO \(role)")
            let store = try Store(
                .postgres(database.address(role)), configuration: .init(busyTimeout: .seconds(2)))
            defer { store.close() }
            try store.withSession { _ in
                _ = try Job.count()
                let error = #expect(throws: StoreError.self) { try store.withSession { _ in } }
                expect(error?.code, .cannotOpen)
            }
            // The connection is free again.
            #expect(try store.withSession { _ in try Job.count() } == 0)
        }
    }
#endif

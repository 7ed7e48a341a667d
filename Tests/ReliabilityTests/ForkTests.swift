#if !canImport(Darwin) || os(macOS)
    import CFaultVFS
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// A process created by `fork` inherits the open files of its parent's stores, but none of the locks.
    @Suite(.ownProcesses) struct ForkTests {
        /// Runs `body` in a copy of this process and returns the exit status; 0 means success.
        private static func inCopy(_ body: () -> Int32) -> Int32 {
            let process = po_fork()
            if process == 0 { _exit(body()) }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status
        }

        /// Returns the number of the first call that does not throw the error misuse, or 0.
        private static func firstAllowed(_ calls: [() throws -> Void]) -> Int32 {
            for (number, call) in calls.enumerated() {
                let failure = code(of: call)
                if failure != .misuse { return Int32(number + 1) }
            }
            return 0
        }

        @Test func `in a copy of a process with an open store all calls throw, and the parent loses nothing`()
            async throws
        {
            let file = try TemporaryStore()
            try file.fill(20)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                let store = try Store(path, configuration: .quiet)
                try store.withSession { session throws in
                    let joe = try #require(try Person.find(1))
                    _ = try Person.all()
                    joe.age = 77
                    let status = ForkTests.inCopy {
                        let status = ForkTests.firstAllowed([
                            { _ = try Person.find(1) }, { _ = try Person.count() }, { _ = try Person.findByAge(3) },
                            { try joe.save() }, { try joe.delete() }, { try session.transaction { try joe.save() } },
                            { _ = try session.rows("SELECT 1") }, { try session.execute("DELETE FROM person") },
                            { try store.withSession { _ in _ = try Person.count() } },
                            { _ = try Store(path) }, { _ = try Store.inMemory() },
                            { try store.backup(to: path + ".copy") }, { _ = try store.checkIntegrity() },
                            { try store.vacuum() },
                        ])
                        store.close()
                        return status
                    }
                    expect(status, 0, "call \(status >> 8) of the copy")
                    try joe.save()
                    try person("after").save()
                    try expect(Person.count(), 21)
                }
            }
            try expect(file.sqlite("SELECT count(*), max(age) FROM person; PRAGMA integrity_check"), "21|77\nok")
            #expect(!FileManager.default.fileExists(atPath: file.path + ".copy"))
        }

        @Test func `a copy of a process made inside a transaction cannot end the transaction`() async throws {
            let file = try TemporaryStore()
            try file.fill(3)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                let store = try Store(path, configuration: .quiet)
                try store.withSession { session throws in
                    try session.transaction {
                        try person("inside").save()
                        let status = ForkTests.inCopy {
                            // The transaction's end in the copy rolls back nothing.
                            ForkTests.firstAllowed([{ try person("copy").save() }, { _ = try Person.count() }])
                        }
                        expect(status, 0)
                        try person("still inside").save()
                    }
                }
            }
            try expect(file.sqlite("SELECT count(*) FROM person; PRAGMA integrity_check"), "5\nok")
        }

        @Test func `a copy of a process with closed stores can open the file, and both can write`() async throws {
            let file = try TemporaryStore()
            try file.fill(3)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                try Store(path, configuration: .quiet).withSession { _ in try person("before").save() }
                let status = ForkTests.inCopy {
                    code(of: { try Store(path, configuration: .quiet).withSession { _ in try person("copy").save() } })
                        == nil ? 0 : 1
                }
                expect(status, 0)
                try Store(path, configuration: .quiet).withSession { _ in try person("parent").save() }
            }
            try expect(file.sqlite("SELECT count(*) FROM person; PRAGMA integrity_check"), "6\nok")
        }

        @Test func `a copy of a process does not delete the parent's temporary stores`() async throws {
            await #expect(processExitsWith: .success) {
                let store = Smuggled<Store?>(try Store.temporary(configuration: .quiet))
                let path = try #require(store.value?.path)
                let status = ForkTests.inCopy {
                    store.value = nil
                    return FileManager.default.fileExists(atPath: path) ? 0 : 1
                }
                expect(status, 0)
                try store.value?.withSession { _ in try person("parent").save() }
            }
        }
    }
#endif

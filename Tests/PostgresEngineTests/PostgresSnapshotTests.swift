#if PostgreSQL
    import Testing

    @testable import PostgresEngine

    @Suite struct PostgresSnapshotTests {
        private func hasCommits(_ old: String, _ new: String, but own: UInt64?) throws -> Bool {
            let old = try #require(PostgresSnapshots.Snapshot(old))
            return try #require(PostgresSnapshots.Snapshot(new)).hasCommits(since: old, but: own)
        }

        @Test("the session's own commit is not a commit of another session")
        func own() throws {
            #expect(try !hasCommits("10:11:10", "11:11:", but: 10))
            #expect(try !hasCommits("10:11:", "10:11:", but: nil))
            // Other transactions have begun and are still running.
            #expect(try !hasCommits("10:11:10", "11:13:11,12", but: 10))
        }

        @Test("a commit of another session between two snapshots is detected")
        func others() throws {
            #expect(try hasCommits("10:12:10,11", "12:12:", but: 10))
            #expect(try hasCommits("10:11:10", "12:12:", but: 10))
            #expect(try hasCommits("9:11:9,10", "9:12:9", but: 10))
            #expect(try hasCommits("10:11:10", "11:13:11", but: 10))
        }

        @Test("an invalid snapshot string is rejected", arguments: ["", "1:2", "a:b:c", "1:x:"])
        func wrong(_ text: String) { #expect(PostgresSnapshots.Snapshot(text) == nil) }
    }
#endif

#if PostgreSQL
    import Testing

    @testable import PostgresEngine

    @Suite struct PostgresSnapshotTests {
        private func hasCommits(_ old: String, _ new: String, but own: UInt64?) throws -> Bool {
            let old = try #require(PostgresSnapshots.Snapshot(old))
            return try #require(PostgresSnapshots.Snapshot(new)).hasCommits(since: old, but: own)
        }

        @Test("one's own commit is none of others")
        func own() throws {
            #expect(try !hasCommits("10:11:10", "11:11:", but: 10))
            #expect(try !hasCommits("10:11:", "10:11:", but: nil))
            // Others have begun and are under way.
            #expect(try !hasCommits("10:11:10", "11:13:11,12", but: 10))
        }

        @Test("a commit of others that comes between is told")
        func others() throws {
            #expect(try hasCommits("10:12:10,11", "12:12:", but: 10))
            #expect(try hasCommits("10:11:10", "12:12:", but: 10))
            #expect(try hasCommits("9:11:9,10", "9:12:9", but: 10))
            #expect(try hasCommits("10:11:10", "11:13:11", but: 10))
        }

        @Test("what is no snapshot is none", arguments: ["", "1:2", "a:b:c", "1:x:"])
        func wrong(_ text: String) { #expect(PostgresSnapshots.Snapshot(text) == nil) }
    }
#endif

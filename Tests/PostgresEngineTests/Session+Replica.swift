#if PostgreSQL
    import Foundation
    import PersistentObjects

    // Sessions of stores with a replica.
    extension Session {
        /// Whether the replica answers queries.
        func readsReplica() throws -> Bool {
            try rows("SELECT pg_is_in_recovery() AS r").first?["r"] == .integer(1)
        }

        /// Queries until the replica has what this session has seen and written, which nothing reports.
        func waitForReplica() throws { while try !readsReplica() { usleep(5000) } }
    }
#endif

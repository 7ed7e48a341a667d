internal import StoreEngine

extension Store.Configuration {
    /// A replica of a PostgreSQL server, to which queries outside transactions can go.
    ///
    /// ```swift
    /// let replica = Store.Configuration.Replica("postgres://app@two.example.org/shop", maximumLag: .seconds(1))
    /// ```
    public struct Replica: Sendable, Hashable {
        /// The address of the replica, with the database of the store and the role of the program.
        public var address: String
        /// The maximum age of the state that a query sees.
        ///
        /// If the replica's state may be older, queries go to the server that can be written. Once in this time, a query
        /// goes there in any case, because its answer contains the position that the replica must reach.
        public var maximumLag: Duration

        /// Creates the description of a replica.
        ///
        /// - Parameters:
        ///   - address: The address, which begins with `postgres://`.
        ///   - maximumLag: The maximum age of the state that a query sees.
        public init(_ address: String, maximumLag: Duration = .seconds(1)) {
            self.address = address
            self.maximumLag = maximumLag
        }

        /// The options of connections.
        var options: ReplicaOptions { ReplicaOptions(address: address, maximumLag: maximumLag) }
    }
}

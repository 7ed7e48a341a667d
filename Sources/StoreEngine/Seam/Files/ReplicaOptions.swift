/// The replica of a server, to which queries can go.
package struct ReplicaOptions: Sendable, Equatable {
    /// Its address.
    package let address: String
    /// The maximum age of the state that queries see.
    package let maximumLag: Duration

    /// Creates options.
    package init(address: String, maximumLag: Duration) {
        self.address = address
        self.maximumLag = maximumLag
    }
}

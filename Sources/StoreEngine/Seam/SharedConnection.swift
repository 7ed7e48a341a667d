/// A connection to a server that can work for several stores, one after the other.
///
/// The stores belong to schemas of the same database, and have equal options.
package protocol SharedConnection: Connection {
    /// The options with which it was opened.
    var options: ConnectionOptions { get }
    /// The schema of the store for which it works; nil for the server's default schema.
    var schemaName: String? { get }
    /// Works for the store of another schema from here on; does nothing if it is the same one.
    ///
    /// No statement of a store must be in use. The schema is created if it does not exist. If the call throws, the
    /// connection must not be used.
    func enter(_ schema: String) throws(StoreError)
}

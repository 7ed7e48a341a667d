internal import StoreEngine

extension Store {
    /// The schemas of the server's database that contain a store, sorted by name.
    ///
    /// Use it in a program that migrates all tenants, such as a deployment script. Schemas that the role may not use are
    /// not included.
    ///
    /// ```swift
    /// let server = try Store("postgres://app@db.example.org/shop")
    /// for name in try server.schemas(like: #"tenant\_%"#) {
    ///     let tenant = try Store("postgres://app@db.example.org/shop", schema: name)
    ///     defer { tenant.close() }
    ///     try tenant.prepare(Invoice.self, Customer.self)
    /// }
    /// ```
    ///
    /// - Parameter pattern: A pattern of SQL's LIKE: `%` matches any characters, `_` matches one character, and a
    ///   backslash makes the next character literal.
    /// - Throws: `StoreError`, including the codes `unsupported` for a store in a file or in memory, and `invalidSQL` or
    ///   `sqlite` for a pattern that ends with a backslash.
    public func schemas(like pattern: String = "%") throws -> [String] {
        try engine.capabilities.require(.schemas, of: engine.name)
        let connection = try takeConnection()
        defer { give(back: connection) }
        return try connection.schema.schemas(like: pattern)
    }
}

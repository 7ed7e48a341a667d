internal import CPostgres
internal import StoreEngine

extension PostgresPipe {
    /// Opens a connection.
    convenience init(opening address: String) throws(StoreError) {
        guard let handle = PQconnectdb(address) else { throw StoreError(.outOfMemory, "out of memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            PQfinish(handle)
            throw StoreError(.cannotOpen, "the server cannot be reached: \(PostgresFailure.line(message))")
        }
        self.init(handle)
    }
}

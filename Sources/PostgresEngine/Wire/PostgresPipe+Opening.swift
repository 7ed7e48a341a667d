internal import CPostgres
internal import StoreEngine

extension PostgresPipe {
    /// Opens a connection.
    ///
    /// A server on another machine must present a certificate for its name, unless the address or `PGSSLMODE` specifies
    /// otherwise. By default, libpq would also connect without a certificate, or with any certificate.
    ///
    /// - Parameter isReplaceable: Whether another server can answer, so that waiting for this one has little use.
    convenience init(opening address: String, isReplaceable: Bool = false) throws(StoreError) {
        let parsed = try PostgresAddress(address)
        var settings = parsed.defaults + (isReplaceable ? parsed.shortWaits : [])
        // Later settings override earlier ones.
        settings.append((name: "dbname", value: address))
        let opened = PostgresPipe.withPointers(settings.map(\.name)) { names in
            PostgresPipe.withPointers(settings.map(\.value)) { PQconnectdbParams(names, $0, 1) }
        }
        guard let handle = opened else { throw StoreError(.outOfMemory, "Out of memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            PQfinish(handle)
            var text = "The server cannot be reached: \(PostgresFailure.line(message))"
            let asksForCertificate = settings.contains { $0.name == "sslmode" }
            if asksForCertificate, text.contains("SSL") || text.contains("certificate") {
                text +=
                    ". A server on another machine must present a certificate for its name. Name the trusted "
                    + "authorities with sslrootcert=, or turn the check off with sslmode="
            }
            throw StoreError(.cannotOpen, text)
        }
        self.init(handle)
    }

    /// Calls `body` with strings as a nil-terminated list.
    private static func withPointers<R>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
    ) -> R {
        let arrays = texts.map { Array($0.utf8CString) }
        func add(_ place: Int, _ pointers: [UnsafePointer<CChar>?]) -> R {
            guard place < arrays.count else {
                return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
            }
            return arrays[place].withUnsafeBufferPointer { add(place + 1, pointers + [$0.baseAddress]) }
        }
        return add(0, [])
    }
}

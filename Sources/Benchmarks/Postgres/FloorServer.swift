#if PostgreSQL
    import CPostgres
    import Foundation

    /// The hand-written side on a server, with libpq's blocking calls and binary format in both directions.
    final class FloorServer {
        private let connection: OpaquePointer

        /// An error of libpq.
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        init(_ address: String) throws {
            let pairs = [("dbname", address)]
            let names = pairs.map(\.0).map { strdup($0) } + [nil]
            let values = pairs.map(\.1).map { strdup($0) } + [nil]
            defer { for text in names + values { free(text) } }
            let handle = names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
                values.map { UnsafePointer($0) }.withUnsafeBufferPointer {
                    PQconnectdbParams(names.baseAddress, $0.baseAddress, 1)
                }
            }
            guard let handle else { throw Failure(description: "out of memory") }
            connection = handle
            guard PQstatus(handle) == CONNECTION_OK else { throw failure }
        }

        deinit { PQfinish(connection) }

        private var failure: Failure {
            Failure(description: PQerrorMessage(connection).map { String(cString: $0) } ?? "unknown")
        }

        /// Runs a statement without arguments.
        func execute(_ sql: String) throws {
            guard PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw failure }
            _ = try answer()
        }

        /// Prepares a statement with a name.
        func prepare(_ name: String, _ sql: String) throws {
            guard PQsendPrepare(connection, name, sql, 0, nil) == 1 else { throw failure }
            _ = try answer()
        }

        /// Runs a prepared statement with at most one argument, and calls `body` with its rows.
        func rows<R>(of name: String, _ argument: UnsafeRawBufferPointer?, _ body: (FloorRows) throws -> R) throws -> R
        {
            var value = argument?.baseAddress?.assumingMemoryBound(to: CChar.self)
            var (length, format) = (Int32(argument?.count ?? 0), Int32(1))
            let count: Int32 = argument == nil ? 0 : 1
            guard PQsendQueryPrepared(connection, name, count, &value, &length, &format, 1) == 1 else { throw failure }
            let result = try answer()
            defer { PQclear(result) }
            return try body(FloorRows(result: result))
        }

        /// Sends rows in the binary form of COPY, a buffer at a time.
        func copy(_ sql: String, _ fill: (_ send: ([UInt8]) throws -> Void) throws -> Void) throws {
            guard PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1) == 1,
                let begin = PQgetResult(connection)
            else { throw failure }
            PQclear(begin)
            try fill { bytes in
                let isSent = bytes.withUnsafeBytes {
                    PQputCopyData(connection, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count)) == 1
                }
                guard isSent else { throw failure }
            }
            guard PQputCopyEnd(connection, nil) == 1 else { throw failure }
            _ = try answer()
        }

        /// The last result of the sent commands. If it has rows, the caller must clear it.
        private func answer() throws -> OpaquePointer {
            var last: OpaquePointer?
            while let result = PQgetResult(connection) {
                last.map(PQclear)
                last = result
            }
            guard let last else { throw failure }
            switch PQresultStatus(last) {
            case PGRES_TUPLES_OK: return last
            case PGRES_COMMAND_OK:
                PQclear(last)
                return last
            default:
                PQclear(last)
                throw failure
            }
        }
    }

    /// Rows in the server's binary form.
    struct FloorRows {
        let result: OpaquePointer
        var count: Int32 { PQntuples(result) }

        @inline(__always) private func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawPointer? {
            PQgetvalue(result, row, column).map { UnsafeRawPointer($0) }
        }
        @inline(__always) func isNull(_ row: Int32, _ column: Int32) -> Bool { PQgetisnull(result, row, column) != 0 }
        @inline(__always) func integer(_ row: Int32, _ column: Int32) -> Int64 {
            Int64(bigEndian: bytes(row, column)?.loadUnaligned(as: Int64.self) ?? 0)
        }
        @inline(__always) func real(_ row: Int32, _ column: Int32) -> Double {
            Double(bitPattern: UInt64(bitPattern: integer(row, column)))
        }
        @inline(__always) func text(_ row: Int32, _ column: Int32) -> String {
            String(
                decoding: UnsafeRawBufferPointer(
                    start: bytes(row, column), count: Int(PQgetlength(result, row, column))),
                as: UTF8.self)
        }
    }
#endif

// Wire: commands to the server and their results, over libpq. Only this folder calls libpq's C interface. It knows
// commands, arguments and rows, and must not know the meaning of statements.

internal import CPostgres
internal import Foundation
internal import StoreEngine

/// The server's result of one command.
final class PostgresResult {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var rowCount: Int { Int(PQntuples(pointer)) }
    var columnCount: Int { Int(PQnfields(pointer)) }
    /// The types of a statement's arguments, if they were queried.
    var argumentTypes: [PostgresType] {
        (0..<PQnparams(pointer)).map { PostgresType(PQparamtype(pointer, $0)) }
    }
    func type(_ column: Int) -> PostgresType { PostgresType(PQftype(pointer, Int32(column))) }
    /// Whether a column belongs to a table, rather than being computed.
    func isStored(_ column: Int) -> Bool { PQftable(pointer, Int32(column)) != 0 }
    /// Whether the type of a column declares a limit, for example on digits or characters.
    func isLimited(_ column: Int) -> Bool { PQfmod(pointer, Int32(column)) >= 0 }
    func name(_ column: Int) -> String { PQfname(pointer, Int32(column)).map { String(cString: $0) } ?? "" }

    /// The columns of the result.
    var columns: [PostgresColumn] {
        (0..<columnCount).map {
            PostgresColumn(
                name: name($0), type: type($0), isStored: isStored($0), isLimited: isLimited($0))
        }
    }

    /// The row estimate in an EXPLAIN result: `Sort  (cost=9.84..10.09 rows=100 width=52)`.
    var estimatedRowCount: Int {
        guard let line = text(0, 0), let name = line.range(of: "rows=") else { return 0 }
        return Int(line[name.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    /// The number of rows that the command has changed or returned.
    var affectedRowCount: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }
    /// The server's tag of the command.
    var tag: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

    @inline(__always)
    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(pointer, Int32(row), Int32(column)) != 0 }

    /// The bytes of a value, followed by a NUL, valid as long as the result.
    @inline(__always)
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(pointer, Int32(row), Int32(column)),
            count: Int(PQgetlength(pointer, Int32(row), Int32(column))))
    }

    /// A string value; nil for NULL.
    func text(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : String(decoding: bytes(row, column), as: UTF8.self)
    }

    /// A 64-bit integer value.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        Int64(bigEndian: bytes(row, column).loadUnaligned(as: Int64.self))
    }

    /// A 32-bit integer value without a sign, such as the number of a table.
    func unsignedInteger(_ row: Int, _ column: Int) -> Int64 {
        Int64(UInt32(bigEndian: bytes(row, column).loadUnaligned(as: UInt32.self)))
    }

    /// The failure; nil if the command succeeded.
    var failure: PostgresFailure? {
        switch PQresultStatus(pointer) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_PIPELINE_SYNC,
            PGRES_EMPTY_QUERY:
            return nil
        default:
            return PostgresFailure(
                state: field("C") ?? "",
                message: field("M") ?? (PQresultErrorMessage(pointer).map { String(cString: $0) } ?? ""),
                detail: field("D"), table: field("t"), column: field("c"), constraint: field("n"),
                routine: field("R"))
        }
    }

    /// Whether the command was not run because an earlier command in the same round trip failed.
    var isSkipped: Bool { PQresultStatus(pointer) == PGRES_PIPELINE_ABORTED }
    /// Whether rows follow by COPY.
    var isCopy: Bool { PQresultStatus(pointer) == PGRES_COPY_OUT }
    var isEmpty: Bool { PQresultStatus(pointer) == PGRES_EMPTY_QUERY }
    var isSync: Bool { PQresultStatus(pointer) == PGRES_PIPELINE_SYNC }

    /// A field of an error, by the letter that postgres_ext.h defines as `PG_DIAG_…`.
    private func field(_ letter: Unicode.Scalar) -> String? {
        PQresultErrorField(pointer, Int32(letter.value)).map { String(cString: $0) }
    }
}

/// A column of received rows.
struct PostgresColumn {
    let name: String
    let type: PostgresType
    /// Whether it belongs to a table, rather than being computed.
    let isStored: Bool
    /// Whether its type declares a number of digits, or characters.
    let isLimited: Bool
}

/// The reason that the server has rejected a command.
struct PostgresFailure {
    /// The code of five characters: https://www.postgresql.org/docs/15/errcodes-appendix.html.
    var state: String
    var message: String
    /// The detail, which contains values and must not be displayed.
    var detail: String?
    var table: String?
    var column: String?
    var constraint: String?
    /// The server's function that reports it, whatever the language of the message.
    var routine: String?
}

/// A server type, by its number in `pg_type`.
struct PostgresType: Hashable {
    let number: UInt32
    init(_ number: UInt32) { self.number = number }

    /// A type inferred by the server.
    static let inferred = PostgresType(0)
    static let bool = PostgresType(16), bytea = PostgresType(17), name = PostgresType(19)
    static let int8 = PostgresType(20), int2 = PostgresType(21), int4 = PostgresType(23), oid = PostgresType(26)
    static let text = PostgresType(25), json = PostgresType(114), xml = PostgresType(142), unknown = PostgresType(705)
    static let float4 = PostgresType(700), float8 = PostgresType(701)
    static let bpchar = PostgresType(1042), varchar = PostgresType(1043)
    static let numeric = PostgresType(1700), uuid = PostgresType(2950), jsonb = PostgresType(3802)
    static let date = PostgresType(1082), timestamp = PostgresType(1114), timestamptz = PostgresType(1184)
    static let dateArray = PostgresType(1182), timestampArray = PostgresType(1115)
    static let timestamptzArray = PostgresType(1185), timeArray = PostgresType(1183)
    static let intervalArray = PostgresType(1187), cidrArray = PostgresType(651), inetArray = PostgresType(1041)
    private static let parsedArrays: Set = [
        dateArray, timestampArray, timestamptzArray, timeArray, intervalArray, cidrArray, inetArray,
    ]
    static let boolArray = PostgresType(1000), byteaArray = PostgresType(1001), int2Array = PostgresType(1005)
    static let int4Array = PostgresType(1007), textArray = PostgresType(1009), varcharArray = PostgresType(1015)
    static let int8Array = PostgresType(1016), float4Array = PostgresType(1021), float8Array = PostgresType(1022)
    static let uuidArray = PostgresType(2951), numericArray = PostgresType(1231)

    /// The element type of an array; nil for other types.
    var element: PostgresType? {
        switch self {
        case .boolArray: .bool
        case .byteaArray: .bytea
        case .int2Array: .int2
        case .int4Array: .int4
        case .textArray: .text
        case .varcharArray: .varchar
        case .int8Array: .int8
        case .float4Array: .float4
        case .float8Array: .float8
        case .uuidArray: .uuid
        case .numericArray: .numeric
        default: nil
        }
    }

    /// Whether storing a value of another type in a column of this type would change it.
    func isRounding(_ other: PostgresType) -> Bool {
        [.int2, .int4, .int8, .bytea, .uuid, .date].contains(self) && [.float8, .text].contains(other)
    }

    /// Whether it can be an array whose values the server must parse: of times, of addresses (`cidr`, `inet`), or of a
    /// type that is not built in.
    var isParsedArray: Bool { number >= 16384 || PostgresType.parsedArrays.contains(self) }

    /// Whether its bytes are a string.
    var isText: Bool { [.text, .varchar, .bpchar, .name, .json, .xml, .unknown].contains(self) }
}

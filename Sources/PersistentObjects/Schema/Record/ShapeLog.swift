internal import Foundation
internal import StoreEngine

/// The hashes of the shapes that the classes of a file had. If a class has a former shape, its program is an older
/// version.
struct ShapeLog {
    /// The time at which a program wrote a shape of a class, and the program.
    struct Entry: CustomStringConvertible {
        let app: String
        let time: Date

        var description: String { "\(app), \(time.formatted(.iso8601))" }
    }

    private let connection: any Connection
    private let isThere: Bool

    /// - Parameter isThere: Whether the file has a log.
    init(_ connection: any Connection, isThere: Bool) {
        self.connection = connection
        self.isThere = isThere
    }

    /// The entries of a former shape of a class and of its present shape; nil if the shape is present or unknown.
    ///
    /// - Parameter shape: Not called for a class that has no entry.
    func former(
        _ shape: @autoclosure () throws -> [UInt8], of name: String
    ) throws -> (own: Entry, present: Entry)? {
        let shapes = try shapes(of: name)
        guard let present = shapes.first else { return nil }
        let shape = try shape()
        guard present.bytes != shape else { return nil }
        return shapes.first { $0.bytes == shape }.map { ($0.entry, present.entry) }
    }

    /// Records the new shape of a class.
    ///
    /// - Parameter shape: Empty if the class no longer exists.
    func add(_ shape: [UInt8], of name: String) throws {
        let shapes = try shapes(of: name)
        guard shapes.first?.bytes != shape, !shape.isEmpty || !shapes.isEmpty else { return }
        if shapes.contains(where: { $0.bytes == shape }) {
            let delete: SQL = "DELETE FROM \(name: RecordTables.shapes) WHERE class = ? AND shape = ?"
            try connection.prepare(delete).execute([.text(name), .blob(shape)])
        }
        let insert: SQL =
            "INSERT INTO \(name: RecordTables.shapes) (class, shape, time, app) VALUES (\(placeholders: 4))"
        try connection.prepare(insert).execute([
            .text(name), .blob(shape), .real(Date().timeIntervalSinceReferenceDate),
            .text(ProcessInfo.processInfo.processName),
        ])
    }

    /// The shapes of a class, the latest first.
    private func shapes(of name: String) throws -> [(bytes: [UInt8], entry: Entry)] {
        guard isThere else { return [] }
        let select: SQL =
            "SELECT shape, time, app FROM \(name: RecordTables.shapes) WHERE class = ? ORDER BY number DESC"
        let statement = try connection.statement(select)
        defer { statement.finish() }
        return try statement.rows([.text(name)]).compactMap { row in
            guard case .blob(let bytes) = row[0], case .real(let time) = row[1], case .text(let app) = row[2] else {
                return nil
            }
            return (bytes, Entry(app: app, time: Date(timeIntervalSinceReferenceDate: time)))
        }
    }
}

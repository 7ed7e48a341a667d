internal import Foundation
internal import StoreEngine

/// A step as the program registers it.
struct MigrationStep {
    let name: String
    let classes: [PersistentObject.Type]
    /// A hash of the step's revision, classes and SQL statements; the content of a closure cannot be hashed.
    let checksum: DatabaseValue

    init(_ name: String, _ classes: [PersistentObject.Type], _ revision: Int, _ statements: [String]) {
        self.name = name
        self.classes = classes
        let text = (["\(revision)"] + classes.map { String(describing: $0) } + statements).joined(separator: "\n")
        checksum = .blob(TextHash.bytes(text))
    }
}

/// The steps that a file has recorded.
struct MigrationLog {
    struct Recorded {
        let name: String
        let checksum: DatabaseValue
    }

    static let table = "po_migration"

    private let connection: any Connection
    /// The recorded steps in execution order.
    let steps: [Recorded]

    init(_ connection: any Connection) throws {
        self.connection = connection
        guard try connection.schema.table(MigrationLog.table) != nil else {
            steps = []
            return
        }
        let rows = try connection.prepare("SELECT name, checksum FROM \(name: MigrationLog.table) ORDER BY number")
        var steps: [Recorded] = []
        try rows.forEach { row in
            if case .text(let name) = row[0] { steps.append(Recorded(name: name, checksum: row[1])) }
        }
        self.steps = steps
    }

    /// Whether the file has recorded a step; throws if its records differ from the program's steps.
    ///
    /// - Parameter before: The steps that the program has registered before this step.
    func hasSeen(_ step: MigrationStep, after before: [String]) throws -> Bool {
        func changed(_ name: String, _ reason: String) -> SchemaError { .migrationChanged(name: name, reason: reason) }
        let place = before.count
        guard let seen = steps.firstIndex(where: { $0.name == step.name }) else {
            guard place >= steps.count else {
                throw changed(
                    steps[place].name,
                    "was run on this file, but the program registers \"\(step.name)\" in its place. Nothing was "
                        + "changed. Keep all steps, and append new ones")
            }
            return false
        }
        guard steps[seen].checksum == step.checksum else {
            throw changed(
                step.name,
                "differs from the step that was run on this file under that name. Nothing was changed. "
                    + "Restore the step, and append a new one")
        }
        guard seen == place else {
            let missing = seen > place ? steps[place].name : step.name
            throw changed(
                missing,
                seen > place
                    ? "was run on this file before \"\(step.name)\", but the program does not register it there. "
                        + "Nothing was changed. Register all steps in their order"
                    : "was run on this file earlier than the program registers it. Nothing was changed. "
                        + "Keep the order of the steps")
        }
        return true
    }

    /// Records a step; call it in the step's transaction.
    func record(_ step: MigrationStep) throws {
        let dialect = connection.dialect
        let text = dialect.declaredType(.text)
        try connection.upgradeFormat()
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: MigrationLog.table) (number \(dialect.numberedKey), \
            name \(text) NOT NULL UNIQUE, time \(dialect.declaredType(.real)) NOT NULL, \
            checksum \(dialect.declaredType(.blob)) NOT NULL)\(dialect.tableOptions)
            """)
        let insert = try connection.prepare(
            "INSERT INTO \(name: MigrationLog.table) (name, time, checksum) VALUES (\(placeholders: 3))")
        try insert.execute([.text(step.name), .real(Date().timeIntervalSinceReferenceDate), step.checksum])
    }
}

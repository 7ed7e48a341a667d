import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Encrypted properties, whose values only the program with the keys can read and write.
struct EncryptedValueTests {
    final class Patient: PersistentObject {
        override class var tableName: String { "encrypted_patient" }
        var name = ""
        var code = Data([1, 2])
        var note: Data?
    }

    /// A file whose description states that two properties are encrypted, as the library writes it.
    private func withFile(_ body: (TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ throws in
            let patient = Patient()
            patient.name = "Ann"
            try patient.save()
        }
        store.close()
        _ = try SQLiteTool.run(file.path, "UPDATE po_property SET flags = flags | 32 WHERE name IN ('code', 'note')")
        try body(file)
    }

    @Test func `the description states which properties are encrypted`() throws {
        try withFile { file throws in
            let lines = try Inspection(file.path, "classes", "Patient").lines
            #expect(lines.filter { $0.hasPrefix("  ") && $0.contains("encrypted") }.count == 2, "\(lines)")
            #expect(try Inspection(file.path, "show", "Patient", "1").lines.contains { $0.contains("x'0102'") })
        }
    }

    @Test func `finders compare encrypted values only with nil`() throws {
        try withFile { file throws in
            #expect(try Inspection(file.path, "find", "Patient.countByNote(nil)").lines == ["1"])
            for finder in ["findByCode(\"0102\")", "findByNoteIn([\"0102\"])"] {
                let message = refusal(file.path, "find", "Patient.\(finder)")
                #expect(message.contains("the values are encrypted"), "\(message)")
            }
        }
    }

    @Test func `an encrypted value is not edited, and other values are`() throws {
        try withFile { file throws in
            let message = refusal(file.path, "edit", "Patient", "1", "code=0304", "--yes")
            #expect(message.contains("Patient.code") && message.contains("the values are encrypted"), "\(message)")
            _ = try Inspection(file.path, "edit", "Patient", "1", "name=Bea", "--yes")
            #expect(try SQLiteTool.run(file.path, "SELECT name, hex(code) FROM encrypted_patient") == "Bea|0102")
        }
    }
}

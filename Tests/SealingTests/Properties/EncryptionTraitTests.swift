import PersistentObjects
import TestSupport
import Testing

/// Encrypted properties in programs without the trait, or without a keyring.
@Suite struct EncryptionTraitTests {
    final class Patient: PersistentObject {
        override class var tableName: String { "trait_patient" }
        var name = ""
        @Encrypted var diagnosis = ""
    }

    @Test func `a class with encrypted properties names what is missing`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        do {
            try store.prepare(Patient.self)
            Issue.record("prepared")
        } catch let error as SchemaError {
            #if Encryption
                let missing = "keyring"
            #else
                let missing = "trait Encryption"
            #endif
            expect("\(error)".contains(missing) && "\(error)".contains("Patient.diagnosis"), true, "\(error)")
        }
    }

    @Test func `objects that are not stored work without keys`() {
        let patient = Patient()
        patient.diagnosis = "a"
        expect(patient.diagnosis, "a")
        expect(patient.$diagnosis.isLoaded, true)
        expect("\(patient)".contains("•••"), true)
    }
}

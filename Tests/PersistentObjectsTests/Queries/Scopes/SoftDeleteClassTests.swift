import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Classes with and without soft deletion, and classes that declare it incorrectly.
struct SoftDeleteClassTests {
    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var deletedAt: Date?
    }

    final class Missing: PersistentObject {
        override class var tableName: String { "missing" }
        override class var softDeletes: Bool { true }
        var name = ""
    }

    final class Misfit: PersistentObject {
        override class var tableName: String { "misfit" }
        override class var softDeletes: Bool { true }
        var deletedAt = Date()
    }

    class Base: PersistentObject {
        override class var tableName: String { "base" }
        var deletedAt: Date?
    }

    final class Lower: Base {
        override class var softDeletes: Bool { true }
    }

    class Soft: PersistentObject {
        override class var tableName: String { "soft" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
    }

    final class Softer: Soft {
        var more = 0
    }

    @Test func `without softDeletes, deletedAt is an ordinary property`() throws {
        try withTemporarySession { _, file throws in
            let plain = Plain()
            plain.deletedAt = Date()
            try plain.save()
            #expect(try Plain.all() == [plain] && !plain.isDeleted && Plain.withDeleted.count() == 1)
            #expect(throws: QueryError.self) { try Plain.onlyDeleted.all() }
            expect(#expect(throws: StoreError.self) { try plain.restore() }?.code, .misuse)
            expect(#expect(throws: StoreError.self) { try Plain.query.restore() }?.code, .misuse)
            try plain.delete()
            try expect(file.sqlite("SELECT count(*) FROM plain"), "0")
        }
    }

    @Test func `softDeletes requires deletedAt and applies to the whole hierarchy`() throws {
        try withTemporarySession { _, _ throws in
            let missing = #expect(throws: SchemaError.self) { try Missing().save() }
            expect(missing, .needsDeletedAt(className: "Missing", root: "Missing"))
            expect(missing?.description.contains("Write var deletedAt: Date? in Missing"), true)
            #expect(throws: SchemaError.self) { try Missing.all() }
            #expect(throws: SchemaError.self) { try Missing.where { $0.name == "" }.all() }
            #expect(throws: SchemaError.self) { try Misfit().save() }
            let lower = #expect(throws: SchemaError.self) { try Lower().save() }
            expect(lower, .softDeletesDiffer(className: "Lower", root: "Base"))
            expect(lower?.description.contains("Override it in Base only"), true)
        }
    }

    @Test func `subclasses inherit soft deletion`() throws {
        try withTemporarySession { session, file throws in
            let (soft, softer) = (Soft(), Softer())
            try session.save([soft, softer])
            try softer.delete()
            #expect(softer.isDeleted && softer.deletedAt != nil)
            #expect(try Soft.all() == [soft] && Softer.all() == [] && Softer.onlyDeleted.all() == [softer])
            #expect(try Soft.deleteAll() == 1 && Soft.onlyDeleted.restore() == 2 && Softer.count() == 1)
            try expect(file.sqlite("SELECT count(*), count(deleted_at) FROM soft"), "2|0")
        }
    }
}

import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Link columns that hold no integers. A STRICT table does not accept such values, so another program has removed the
/// types.
@Suite struct UntypedColumnTests {
    final class Dog: PersistentObject { override class var tableName: String { "untyped_dog" } }

    final class Kennel: PersistentObject {
        override class var tableName: String { "untyped_kennel" }
        var tags: [String]? = nil
        var chief: Dog?
        var pack: [Dog] = []
    }

    private func file() throws -> TemporaryStore {
        let file = try TemporaryStore()
        let store = try Store(file.path)
        try store.withSession { _ in
            let kennel = Kennel()
            kennel.pack = [Dog()]
            try kennel.save()
        }
        store.close()
        try file.sqliteUntyped(
            "untyped_kennel", columns: ["tags", "chief_id"], "UPDATE untyped_kennel SET tags = 'x', chief_id = 'y'")
        return file
    }

    @Test func `an integrity check reports each problem with class, property and row`() throws {
        let file = try file()
        let store = try Store(file.path)
        defer { store.close() }
        try store.prepare(Kennel.self)
        let problems = try store.checkIntegrity().problems.filter { $0.className == "Kennel" && $0.rowID == 1 }
        for property in ["tags", "chief"] {
            #expect(
                problems.contains { $0.property == property && $0.message.contains("expected INTEGER") },
                "\(property): \(problems)")
        }
    }

    @Test func `a collection element that is not an integer is reported with class, property and row`() throws {
        let file = try file()
        try file.sqliteNotStrict("untyped_kennel_pack", "UPDATE untyped_kennel_pack SET value_id = 'z'")
        let store = try Store(file.path)
        defer { store.close() }
        try store.prepare(Kennel.self)
        let problems = try store.checkIntegrity().problems.filter { $0.property == "pack" }
        #expect(
            problems.contains {
                $0.className == "Kennel" && $0.rowID == 1 && $0.message.contains("an element: expected INTEGER")
            }, "\(problems)")
    }

    @Test func `a fetch of a row with a non-integer link throws, tracked or untracked`() throws {
        let file = try file()
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { _ throws in
            for find in [{ try Kennel.all() }, { try Kennel.query.untracked().all() }] as [() throws -> [Kennel]] {
                let error = #expect(throws: StoreError.self) { try find() }
                #expect(error?.className == "Kennel" && error?.rowID == 1, "\(String(describing: error))")
            }
        }
    }
}

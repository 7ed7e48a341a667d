import TestSupport
import Testing

@testable import PersistentObjects

/// Detection of the hooks that a class overrides.
struct MethodTableTests {
    final class None: PersistentObject { var name = "" }
    class Validated: PersistentObject { override func validate(_ problems: inout Problems) { problems.add("") } }
    class Saved: Validated { override func willSave() throws { header.freshness = 1 } }
    final class Inserted: Saved { override func willInsert() throws { header.freshness = 2 } }
    final class Updated: Saved { override func willUpdate() throws { header.freshness = 3 } }
    final class Deleted: PersistentObject { override func willDelete() throws { header.freshness = 4 } }
    final class Loaded: PersistentObject { override func didLoad() { header.freshness = 5 } }
    final class AfterInsert: PersistentObject { override func didInsert() { header.freshness = 6 } }
    final class AfterUpdate: PersistentObject { override func didUpdate() { header.freshness = 7 } }
    final class AfterSave: PersistentObject { override func didSave() { header.freshness = 8 } }
    final class AfterDelete: PersistentObject { override func didDelete() { header.freshness = 9 } }
    final class AfterCommit: PersistentObject { override func didCommit() { header.freshness = 11 } }
    final class AfterRollback: PersistentObject { override func didRollback() { header.freshness = 12 } }
    final class Generic<T>: PersistentObject { override func didLoad() { header.freshness = 10 } }
    final class Others: PersistentObject {
        required init() { super.init() }
        override class var tableName: String { "others" }
        func willSave(_ number: Int) {}
    }

    static let classes: [(PersistentObject.Type, HookSet)] = [
        (None.self, []), (Validated.self, .validate), (Saved.self, [.validate, .willSave]),
        (Inserted.self, [.validate, .willSave, .willInsert]), (Updated.self, [.validate, .willSave, .willUpdate]),
        (Deleted.self, .willDelete), (Loaded.self, .didLoad), (AfterInsert.self, .didInsert),
        (AfterUpdate.self, .didUpdate), (AfterSave.self, .didSave), (AfterDelete.self, .didDelete),
        (AfterCommit.self, .didCommit), (AfterRollback.self, .didRollback),
        (Generic<Int>.self, .didLoad), (Others.self, []), (PersistentObject.self, []),
    ]

    @Test(arguments: classes)
    func `the hooks of a class are those that it and its superclasses override`(
        type: PersistentObject.Type, hooks: HookSet
    ) {
        expect(MethodTable.overrides(of: type), hooks)
    }
}

/// Determines which methods of the base class a class overrides, from the addresses in its method table.
///
/// A class's metadata starts with its superclass's part, so `PersistentObject`'s methods are in the same words for all
/// classes. A probe class that overrides one method shows which word belongs to it. If a word cannot be determined, or
/// addresses are signed (arm64e), a method counts as overridden and is called unnecessarily.
enum MethodTable {
    static func overrides(of type: PersistentObject.Type) -> HookSet {
        let own = words(of: type)
        let base = words(of: PersistentObject.self)
        var overridden: HookSet = []
        for (hook, word) in places where word.map({ own[$0] != base[$0] }) ?? true { overridden.insert(hook) }
        return overridden
    }

    /// Whether a class overrides its superclass's `tableName`; nil if that cannot be determined.
    static func overridesTableName(_ type: PersistentObject.Type) -> Bool? {
        guard let word = tableNamePlace, let superclass = _getSuperclass(type) else { return nil }
        return words(of: type)[word] != words(of: superclass)[word]
    }

    private static let tableNamePlace = place(differingIn: TableNameProbe.self)

    private static let probes: [(hook: HookSet, type: PersistentObject.Type)] = [
        (.validate, ValidateProbe.self), (.willSave, WillSaveProbe.self), (.willInsert, WillInsertProbe.self),
        (.willUpdate, WillUpdateProbe.self), (.willDelete, WillDeleteProbe.self), (.didInsert, DidInsertProbe.self),
        (.didUpdate, DidUpdateProbe.self), (.didSave, DidSaveProbe.self), (.didDelete, DidDeleteProbe.self),
        (.didLoad, DidLoadProbe.self), (.didCommit, DidCommitProbe.self), (.didRollback, DidRollbackProbe.self),
    ]

    /// The word of each method; nil if it cannot be determined.
    private static let places: [(HookSet, Int?)] = probes.map { hook, type in (hook, place(differingIn: type)) }

    /// The only word in which a probe differs from the base class; nil if there is not exactly one.
    private static func place(differingIn probe: PersistentObject.Type) -> Int? {
        let base = words(of: PersistentObject.self)
        // Each class has its own initializer.
        let others = words(of: PlainProbe.self)
        let own = words(of: probe)
        let differing = base.indices.filter { own[$0] != base[$0] && others[$0] == base[$0] }
        return differing.count == 1 ? differing[0] : nil
    }

    /// The words of the base class's part of a class's metadata, after the words that every class has.
    private static func words(of type: AnyClass) -> UnsafeBufferPointer<UInt> {
        #if canImport(ObjectiveC)
            let first = 9
        #else
            let first = 6
        #endif
        let count = ClassDescriptor(PersistentObject.self).metadataSize
        let start = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
        return UnsafeBufferPointer(start: start + first, count: Swift.max(0, count - first))
    }
}

// The bodies are never run. They differ from the base class's bodies and from each other, so that a linker does not
// fold them.
private final class PlainProbe: PersistentObject {}
private final class TableNameProbe: PersistentObject { override class var tableName: String { "probe" } }
private final class ValidateProbe: PersistentObject {
    override func validate(_ problems: inout Problems) { problems.add("probe") }
}
private final class WillSaveProbe: PersistentObject { override func willSave() throws { rowID = 1 } }
private final class WillInsertProbe: PersistentObject { override func willInsert() throws { rowID = 2 } }
private final class WillUpdateProbe: PersistentObject { override func willUpdate() throws { rowID = 3 } }
private final class WillDeleteProbe: PersistentObject { override func willDelete() throws { rowID = 4 } }
private final class DidInsertProbe: PersistentObject { override func didInsert() { rowID = 5 } }
private final class DidUpdateProbe: PersistentObject { override func didUpdate() { rowID = 6 } }
private final class DidSaveProbe: PersistentObject { override func didSave() { rowID = 7 } }
private final class DidDeleteProbe: PersistentObject { override func didDelete() { rowID = 8 } }
private final class DidLoadProbe: PersistentObject { override func didLoad() { rowID = 9 } }
private final class DidCommitProbe: PersistentObject { override func didCommit() { rowID = 10 } }
private final class DidRollbackProbe: PersistentObject { override func didRollback() { rowID = 11 } }

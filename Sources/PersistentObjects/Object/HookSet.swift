/// The overridable methods of `PersistentObject` that a class overrides.
///
/// It is checked before each call, so that classes without hooks cost nothing.
struct HookSet: OptionSet, Sendable {
    let rawValue: UInt16

    static let validate = HookSet(rawValue: 1)
    static let willSave = HookSet(rawValue: 1 << 1)
    static let willInsert = HookSet(rawValue: 1 << 2)
    static let willUpdate = HookSet(rawValue: 1 << 3)
    static let willDelete = HookSet(rawValue: 1 << 4)
    static let didInsert = HookSet(rawValue: 1 << 5)
    static let didUpdate = HookSet(rawValue: 1 << 6)
    static let didSave = HookSet(rawValue: 1 << 7)
    static let didDelete = HookSet(rawValue: 1 << 8)
    static let didLoad = HookSet(rawValue: 1 << 9)
    static let didCommit = HookSet(rawValue: 1 << 10)
    static let didRollback = HookSet(rawValue: 1 << 11)

    /// The hooks called before a save writes.
    static let beforeSave: HookSet = [.validate, .willSave, .willInsert, .willUpdate]
    /// The hooks called after the commit, or after a rollback.
    static let afterCommit: HookSet = [.didInsert, .didUpdate, .didSave, .didDelete, .didCommit, .didRollback]
}

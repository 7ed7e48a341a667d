/// Which of `PersistentObject`'s methods that are there to be overridden a class overrides.
///
/// Asked before a call, so that classes without hooks cost nothing.
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

    /// What is called before a save writes.
    static let beforeSave: HookSet = [.validate, .willSave, .willInsert, .willUpdate]
    /// What is called after the commit, or when it has not come to it.
    static let afterCommit: HookSet = [.didInsert, .didUpdate, .didSave, .didDelete, .didCommit, .didRollback]
}

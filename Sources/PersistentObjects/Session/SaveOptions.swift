/// Options that change how a save works.
///
/// ```swift
/// try joe.save(.withoutValidation)
/// try session.save(people, [.withoutHooks, .shallow])
/// try session.saveChanges(.ignoring(Draft.self))
/// ```
public struct SaveOptions: Sendable, ExpressibleByArrayLiteral {
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let withoutHooks = Flags(rawValue: 1)
        static let withoutValidation = Flags(rawValue: 2)
        static let withoutTimestamps = Flags(rawValue: 4)
        static let shallow = Flags(rawValue: 8)
        static let silently = Flags(rawValue: 16)
    }

    private(set) var flags: Flags = []
    private(set) var ignored: [PersistentObject.Type] = []
    /// The conflict policy; nil for the session's policy.
    private(set) var conflictPolicy: ConflictPolicy?

    /// Creates options that change nothing.
    public init() {}

    /// Creates the union of several options.
    public init(arrayLiteral options: SaveOptions...) {
        for option in options {
            flags.formUnion(option.flags)
            ignored += option.ignored
            conflictPolicy = option.conflictPolicy ?? conflictPolicy
        }
    }

    private init(_ flags: Flags) { self.flags = flags }

    /// Skips the objects' `will…` and `did…` methods; the objects are still validated.
    public static let withoutHooks = SaveOptions(.withoutHooks)

    /// Skips `validate`.
    ///
    /// Constraints of the table still apply: `@Unique`, and references must refer to existing rows.
    public static let withoutValidation = SaveOptions(.withoutValidation)

    /// Writes `createdAt` and `updatedAt` as they are, for rows that come from elsewhere.
    public static let withoutTimestamps = SaveOptions(.withoutTimestamps)

    /// Sends no events for the save or for changes that follow from it.
    ///
    /// Watched queries still show the changes.
    public static let silently = SaveOptions(.silently)

    /// Saves only the given objects, not the objects that they refer to.
    ///
    /// The edits of the other objects wait for a later save. If an object refers to a new object that is left out, or
    /// if the other side of a changed inverse is left out, the save throws `misuse`.
    public static let shallow = SaveOptions(.shallow)

    /// Leaves out objects of some classes and of their subclasses; their edits wait for a later save.
    ///
    /// This applies whether the objects are given or reached through other objects. If it is impossible, the save
    /// throws `misuse`; see `shallow`.
    public static func ignoring(_ classes: PersistentObject.Type...) -> SaveOptions {
        var options = SaveOptions()
        options.ignored = classes
        return options
    }

    /// Selects the conflict policy for changes made elsewhere that the save would overwrite.
    ///
    /// ```swift
    /// try joe.save(.onConflict(.mine))
    /// ```
    public static func onConflict(_ policy: ConflictPolicy) -> SaveOptions {
        var options = SaveOptions()
        options.conflictPolicy = policy
        return options
    }

    /// Whether all objects that are reached are saved.
    var reachesAll: Bool { !flags.contains(.shallow) && ignored.isEmpty }

    func ignores(_ object: PersistentObject) -> Bool {
        !ignored.isEmpty && ignored.contains { ClassMap.isClass(type(of: object), $0) }
    }
}

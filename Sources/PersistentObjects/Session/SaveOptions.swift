/// What a save does differently from usual.
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
    /// What is done about conflicts; nil for what the session does.
    private(set) var conflictPolicy: ConflictPolicy?

    /// A save as usual.
    public init() {}

    /// All of some options.
    public init(arrayLiteral options: SaveOptions...) {
        for option in options {
            flags.formUnion(option.flags)
            ignored += option.ignored
            conflictPolicy = option.conflictPolicy ?? conflictPolicy
        }
    }

    private init(_ flags: Flags) { self.flags = flags }

    /// None of the objects' methods `will…` and `did…` is called; the objects are validated.
    public static let withoutHooks = SaveOptions(.withoutHooks)

    /// `validate` is not called. What the table demands, `@Unique` and references that lead somewhere, holds all the same.
    public static let withoutValidation = SaveOptions(.withoutValidation)

    /// `createdAt` and `updatedAt` are written as they are, for rows that come from elsewhere.
    public static let withoutTimestamps = SaveOptions(.withoutTimestamps)

    /// Nobody who subscribes to events hears of the save, nor of what follows from it; queries that are watched show it.
    public static let silently = SaveOptions(.silently)

    /// Only the given objects are saved, none that they lead to; their edits wait for a later save.
    ///
    /// If an object refers to a new one that is left out, or the other side
    /// of a changed inverse is, the save throws `misuse`.
    public static let shallow = SaveOptions(.shallow)

    /// Objects of some classes, and of their subclasses, are not saved, whether they are given or led to; their edits
    /// wait for a later save. If that is impossible the save throws `misuse`; see `shallow`.
    public static func ignoring(_ classes: PersistentObject.Type...) -> SaveOptions {
        var options = SaveOptions()
        options.ignored = classes
        return options
    }

    /// What to do if others have changed what the save would overwrite.
    ///
    /// ```swift
    /// try joe.save(.onConflict(.mine))
    /// ```
    public static func onConflict(_ policy: ConflictPolicy) -> SaveOptions {
        var options = SaveOptions()
        options.conflictPolicy = policy
        return options
    }

    /// Whether all that is reached is saved.
    var reachesAll: Bool { !flags.contains(.shallow) && ignored.isEmpty }

    func ignores(_ object: PersistentObject) -> Bool {
        !ignored.isEmpty && ignored.contains { ClassMap.isClass(type(of: object), $0) }
    }
}

public import PersistentObjects

/// A class whose name another module's class has too.
public final class Twin: PersistentObject {
    /// What this one has.
    public var here = 1
}

/// The same with a table of its own.
public final class NamedTwin: PersistentObject {
    override public class var tableName: String { "support_twin" }
    /// What this one has.
    public var here = 1
    /// Another.
    public var other: NamedTwin?
}

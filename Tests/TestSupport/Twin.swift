public import PersistentObjects

/// A class with the same name as a class of another module.
public final class Twin: PersistentObject {
    /// A property of this class.
    public var here = 1
}

/// A class with the same name as a class of another module, but with a separate table.
public final class NamedTwin: PersistentObject {
    override public class var tableName: String { "support_twin" }
    /// A property of this class.
    public var here = 1
    /// A reference to another object.
    public var other: NamedTwin?
}

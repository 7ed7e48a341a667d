internal import StoreEngine

/// Provides the classes that an expression refers to. The session implements it, so that writing SQL does not depend on
/// sessions.
protocol ClassDirectory: AnyObject {
    var dialect: Dialect { get }
    func map(of type: PersistentObject.Type) throws -> ClassMap
    /// The rows of a class as a table named `alias`.
    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL
    /// The values that the class column can have in rows of a class and its subclasses.
    func names(of map: ClassMap) -> [String]
}

internal import StoreEngine

/// Where what writes SQL finds the classes that it meets on its way: the session, of which it knows nothing else.
protocol ClassDirectory: AnyObject {
    var dialect: Dialect { get }
    func map(of type: PersistentObject.Type) throws -> ClassMap
    /// The rows of a class as a table of that name.
    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL
    /// The names that rows of a class can have in the column that tells the class, those of its subclasses too.
    func names(of map: ClassMap) -> [String]
}

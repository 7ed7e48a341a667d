public import Foundation
internal import PersistentObjects

/// Names in another program's file that differ from those of your classes.
///
/// ```swift
/// let mapping = ForeignMapping(
///     entities: ["Person": "CDPerson"], columns: ["Person.firstName": "ZVORNAME"])
/// try store.importCoreData(from: path, Person.self, mapping: mapping)
/// ```
public struct ForeignMapping: Sendable {
    /// The names of classes in the file, by their names in Swift.
    public var entities: [String: String]
    /// The columns of properties, by `Class.property`.
    ///
    /// If the file stores a list of objects as a column of the other side, it is that column of the elements' table.
    public var columns: [String: String]
    /// Properties, as `Class.property`, whose bytes are never references to external files of Core Data.
    public var inlineData: Set<String>
    /// The time zone of dates that are stored as strings without one, as SQLitePersistentObject wrote them.
    public var timeZone: TimeZone

    /// Creates a mapping; names that are not listed are matched by the rules.
    public init(
        entities: [String: String] = [:], columns: [String: String] = [:], inlineData: Set<String> = [],
        timeZone: TimeZone = .current
    ) {
        self.entities = entities
        self.columns = columns
        self.inlineData = inlineData
        self.timeZone = timeZone
    }

    func entity(of map: ClassMap) -> String { entities[map.name] ?? map.name }

    /// The column that the mapping names with the property's class or one of its superclasses.
    func column(of property: Property, in map: ClassMap) -> String? {
        named(property, map).lazy.compactMap { columns[$0] }.first
    }

    func isInline(_ property: Property, in map: ClassMap) -> Bool {
        named(property, map).contains { inlineData.contains($0) }
    }

    private func named(_ property: Property, _ map: ClassMap) -> [String] {
        var names: [String] = []
        var next: AnyClass? = map.type
        while let aClass: AnyClass = next, aClass != PersistentObject.self {
            names.append("\(aClass).\(property.name)")
            next = _getSuperclass(aClass)
        }
        return names
    }
}

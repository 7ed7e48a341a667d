public import Foundation
internal import PersistentObjects

/// How the names in a file of another program become those of your classes, where the rules do not find them.
///
/// ```swift
/// let mapping = ForeignMapping(
///     entities: ["Person": "CDPerson"], columns: ["Person.firstName": "ZVORNAME"])
/// try store.importCoreData(from: path, Person.self, mapping: mapping)
/// ```
public struct ForeignMapping: Sendable {
    /// The name that a class has in the file, by its name here.
    public var entities: [String: String]
    /// The column of a property, by `Class.property`.
    ///
    /// Of a list of objects that the file has as a column of the other side, it is that column of their table.
    public var columns: [String: String]
    /// Properties, as `Class.property`, whose bytes are never taken for records in files beside a Core Data file.
    public var inlineData: Set<String>
    /// The time zone of dates that are texts without one, which is how SQLitePersistentObject wrote them.
    public var timeZone: TimeZone

    /// Makes a mapping; what is left out is found by its name.
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

    /// Properties can be named with the class that declares them or a subclass.
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

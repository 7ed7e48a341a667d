internal import StoreEngine

/// All that is known of a class: its table, its properties, where they are in memory, and how they are stored.
///
/// Made once per class, immutable, shared by all sessions. This layer knows
/// memory and types; it runs no SQL and knows no session.
final class ClassMap: @unchecked Sendable {  // immutable
    let type: PersistentObject.Type
    /// The class's name, for messages.
    let name: String
    let table: String
    let formerTables: [String]
    /// The stored properties, superclasses' first.
    let properties: [Property]
    /// The same for hot loops.
    let fields: UnsafeBufferPointer<FieldPlan>
    let indexes: [IndexDefinition]
    let baseline: BaselineLayout
    let releasePlan: ReleasePlan
    let scratch: ScratchObject
    /// What a new column of each property is filled with; nil where the initial value cannot be stored.
    let defaults: [DefaultValue?]
    private let places: [String: Int]

    /// The value of a property in a new object.
    struct DefaultValue: Sendable {
        let value: DatabaseValue
        /// Whether it is the same in every new object (`Date()` and `UUID()` are not).
        let isConstant: Bool
    }

    init(
        type: PersistentObject.Type, table: String, properties: [Property], indexes: [IndexDefinition],
        scratch: ScratchObject, defaults: [DefaultValue?]
    ) {
        self.type = type
        name = String(describing: type)
        self.table = table
        formerTables = type.formerTableNames
        self.properties = properties
        fields = FieldPlan.buffer(properties)
        self.indexes = indexes
        self.scratch = scratch
        self.defaults = defaults
        baseline = BaselineLayout(properties.map { ($0.offset, $0.codec) })
        releasePlan = ReleasePlan.plan(of: type)
        places = Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
    }

    deinit { fields.deallocate() }

    /// The place of a property in `properties`.
    func place(of property: String) -> Int? { places[property] }

    private static let maps = Locked<[ObjectIdentifier: ClassMap]>([:])

    /// The map of a class.
    static func map(of type: PersistentObject.Type) throws -> ClassMap {
        let key = ObjectIdentifier(type)
        if let map = maps.withLock({ $0[key] }) { return map }
        // Its own init() asking for the map would come here again without end.
        guard !Examination.isUnderWay else { throw SchemaError.usedWhileMapped(className: String(describing: type)) }
        let map = try Examination.run { try ClassMapBuilder(type).build() }
        return maps.withLock { maps in
            if let first = maps[key] { return first }
            maps[key] = map
            return map
        }
    }
}

// What changed, in words.
extension ClassMap {
    /// The named properties with what the baseline has and what the object has.
    func propertyChanges(
        _ changed: ColumnSet, of object: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer
    ) -> [PropertyChange] {
        properties.indices.filter { changed.contains($0) }.map { place in
            let property = properties[place]
            return PropertyChange(
                name: property.name, old: baseline.baselineValue(place, in: block),
                new: property.codec.sendableValue(object + property.offset))
        }
    }
}

// Mapping: what a class says: its properties, columns, links, keys and rules. It knows classes at run time, and must
// know neither stores nor SQL.

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
    /// The class whose table this is: a hierarchy shares its root's.
    let root: PersistentObject.Type
    /// The stored properties: first those that are selected with a row, then other columns, then those without; each
    /// part superclasses' first.
    let properties: [Property]
    /// How many of them are selected with a row.
    let selectedCount: Int
    /// How many of them have columns.
    let columnCount: Int
    /// Those with columns, for hot loops.
    let fields: FixedBuffer<FieldPlan>
    /// Where the class has links and boxes.
    let links: LinkPlan
    let indexes: [IndexDefinition]
    /// Those of some rows only, and those over what is made of properties.
    let declaredIndexes: [DeclaredIndex]
    /// The columns that are searched for words.
    let searchColumns: [String]
    /// The places of properties in unique indexes.
    let uniquePlaces: Set<Int>
    /// The place of the key, in classes with keys.
    let keyPlace: Int?
    /// The place of `deletedAt`, in classes that delete softly.
    let softDeletePlace: Int?
    /// The level of the root: the columns of classes below may be NULL in its table.
    let rootLevel: Int
    let baseline: BaselineLayout
    let releasePlan: ReleasePlan
    let scratch: ScratchObject
    /// What a new column of each property is filled with; nil where the initial value cannot be stored.
    let defaults: [DefaultValue?]
    /// The hooks that the class has.
    let hooks: HookSet
    /// Whether subscribers hear of what is done to the objects.
    let sendsEvents: Bool
    /// The dates that the store keeps; nil where there are none.
    let timestamps: TimestampPlan?
    /// What is special of a class whose table others have made; nil for all others.
    let foreign: ForeignTable?
    /// Whether its objects cannot be saved.
    let isReadOnly: Bool
    /// Whether triggers write down what its rows were.
    let keepsHistory: Bool
    /// Whether new objects may have ids of the user's.
    let takesGivenIDs: Bool
    /// Whether the save of one object needs no plan of it. (Stored, as those below.)
    let isSavedAlone: Bool
    /// Whether a save of a changed object is nothing but an update of its row. (Stored: it is asked for each object.)
    let isUpdatedAlone: Bool
    /// The properties that a save rounds to what their columns have room for.
    let roundedPlaces: [Int]
    /// The properties whose values a save keeps while it writes, since it runs code of the user's that may edit them;
    /// empty if it runs none.
    let editableInSave: ColumnSet
    /// Whether a row is read without a look at what follows from it.
    let isReadAlone: Bool
    /// How observers of the objects are told; nil for a class that is not `Observable`.
    let observed: ObservedClass?
    /// Properties that are not stored and can be observed.
    let observedOnly: [Property]
    /// Those whose fields are properties of their own.
    let embedded: [EmbeddedValue]
    private let places: [String: Int]

    /// The value of a property in a new object.
    struct DefaultValue: Sendable {
        let value: DatabaseValue
        /// Whether it is the same in every new object (`Date()` and `UUID()` are not).
        let isConstant: Bool
    }

    init(
        type: PersistentObject.Type, root: PersistentObject.Type, table: String, properties: [Property],
        indexes: [IndexDefinition], declaredIndexes: [DeclaredIndex] = [], searchColumns: [String] = [],
        scratch: ScratchObject, defaults: [DefaultValue?],
        foreign: ForeignTable? = nil, observed: ObservedClass? = nil, observedOnly: [Property] = []
    ) {
        self.type = type
        self.root = root
        // The file tells classes by their names, and a class of the user's can have the same as the library's.
        name = HistoryNames.contains(table) ? String(reflecting: type) : String(describing: type)
        self.table = table
        formerTables = root.formerTableNames
        self.properties = properties
        selectedCount = properties.count(where: \.isSelected)
        columnCount = properties.count(where: \.hasColumn)
        fields = FixedBuffer(properties.filter(\.hasColumn).map { FieldPlan($0) })
        baseline = BaselineLayout(properties, isObserved: observed != nil)
        links = LinkPlan(properties, baseline)
        self.indexes = indexes
        self.declaredIndexes = declaredIndexes
        self.searchColumns = searchColumns
        let unique = Set(
            indexes.filter(\.isUnique).flatMap(\.columns) + declaredIndexes.filter(\.isUnique).flatMap(\.columns))
        keyPlace = properties.firstIndex(where: \.isKey)
        softDeletePlace = type.softDeletes ? properties.firstIndex { $0.name == SoftDeletes.property } : nil
        uniquePlaces = Set(
            properties.indices.filter { properties[$0].hasColumn && unique.contains(properties[$0].column) })
        var level = -1
        var next: AnyClass? = root
        while let aClass: AnyClass = next, aClass != PersistentObject.self {
            level += 1
            next = _getSuperclass(aClass)
        }
        rootLevel = level
        self.scratch = scratch
        self.defaults = defaults
        hooks = MethodTable.overrides(of: type)
        sendsEvents = type.sendsEvents
        timestamps = TimestampPlan(type, properties, defaults)
        self.foreign = foreign
        isReadOnly = root.isReadOnly
        keepsHistory = root.keepsHistory
        takesGivenIDs = type.identity == .given
        roundedPlaces = properties.indices.filter { properties[$0].hasColumn && properties[$0].codec.isRounded }
        isSavedAlone =
            keyPlace == nil && foreign == nil && !isReadOnly && !takesGivenIDs && roundedPlaces.isEmpty
        isUpdatedAlone =
            foreign == nil && !isReadOnly && links.isEmpty && hooks.isDisjoint(with: .beforeSave)
            && timestamps?.updated == nil && roundedPlaces.isEmpty
            && type.versionProperty == nil
        editableInSave = ClassMap.editableInSave(properties)
        isReadAlone = links.isEmpty && !hooks.contains(.didLoad)
        self.observed = observed
        self.observedOnly = observedOnly
        releasePlan = ReleasePlan.plan(of: type)
        embedded = EmbeddedValue.all(of: properties)
        places = Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
    }

    deinit {
        fields.deallocate()
        links.steps.deallocate()
    }

    /// Whether the class is the root of its hierarchy.
    var isRoot: Bool { root == type }

    /// Whether it is another class or a subclass of it.
    func derives(from other: ClassMap) -> Bool { ClassMap.isClass(type, other.type) }

    /// Whether `type` is `other` or a subclass of it.
    static func isClass(_ type: AnyClass, _ other: AnyClass) -> Bool {
        var next: AnyClass? = type
        while let aClass: AnyClass = next {
            if aClass == other { return true }
            next = _getSuperclass(aClass)
        }
        return false
    }

    /// The properties in the order in which the classes declare them.
    var declaredProperties: [Property] { properties.sorted { $0.order < $1.order } }

    /// The classes that its references and collections refer to, and inverses read from.
    var linkedClasses: [PersistentObject.Type] {
        var seen: Set<ObjectIdentifier> = []
        return properties.compactMap { ($0.codec as? any LinkCodec)?.target }.filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }

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
    /// The places of the properties as the class declares them; those with columns come first elsewhere.
    var inDeclaredOrder: [Int] { properties.indices.sorted { properties[$0].order < properties[$1].order } }

    /// The named properties with what the baseline has and what the object has.
    func propertyChanges(
        _ changed: ColumnSet, of object: Address, _ block: Address
    ) -> [PropertyChange] {
        inDeclaredOrder.filter { changed.contains($0) }.map { place in
            let property = properties[place]
            return PropertyChange(
                name: property.name, old: baseline.baselineValue(place, in: block),
                new: property.codec.sendableValue(property.address(in: object)))
        }
    }
}

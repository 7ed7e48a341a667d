internal import PersistentObjects
internal import StoreEngine

/// States what the table of a new version of a class shows: values that the library has converted, or moved between
/// columns and tables of elements.
///
/// Such a value is not an edit. It has the clock of the value from which it was made, and the next number, so it wins
/// against that value, and against no later one. Devices that convert the same value state the same.
struct Restatement<Rules: SyncRules> {
    let objects: FileObjects
    var replica: Replica<Rules>

    /// States the rows of the classes that are declared in another way than before.
    mutating func run(_ declarations: [String: String], recorded: [String: String]) throws {
        let number = replica.number
        for shape in objects.shapes {
            guard let earlier = recorded[shape.name], earlier != declarations[shape.name],
                let type = objects.types[Text(shape.name)],
                let properties = DeclaredProperties(in: earlier, renamedBy: replica.classes[type.type])
            else { continue }
            try run(type, properties)
        }
        if replica.number != number { replica.rememberClock() }
    }

    /// States the rows of a class.
    ///
    /// - Parameter earlier: The properties of the version that the device had before.
    private mutating func run(_ type: RowShape, _ earlier: DeclaredProperties) throws {
        guard let shape = replica.classes[type.type] else { return }
        var ids: [Int64] = []
        try objects.connection.forEachRow(of: "SELECT \"id\" FROM \(name: type.shape.table)") { row in
            if let id = row[0].integer { ids.append(id) }
        }
        for id in ids {
            guard let key = try objects.key(of: id, in: type.shape.table), key.type == type.type,
                var object = replica.objects[key], object.isAlive
            else { continue }
            let before = object
            if let select = type.select, let row = try objects.connection.rows(select, [.integer(id)]).first {
                try restate(row, of: &object, type, shape, earlier)
            }
            for collection in type.shape.collections where !earlier.contains(collection) {
                let rows = try elements(of: id, in: collection)
                if earlier.containsKind(of: collection) {
                    try convertElements(of: collection, rows, &object)
                }
                try join(
                    rows, of: collection, &object, formerly: before, isOtherKind: !earlier.containsKind(of: collection))
            }
            if object != before { replica.store(object, key) }
        }
    }

    private func restate(
        _ row: [DatabaseValue], of object: inout ObjectState, _ type: RowShape, _ shape: ClassShape,
        _ earlier: DeclaredProperties
    ) throws {
        let former = object.properties.unpacked.keys.filter { shape.properties[$0] == nil }
            .map { (name: $0, clock: object.clock(of: $0)) }
        for (place, name) in type.names.enumerated() {
            let field = type.shape.fields[place]
            guard let property = shape.properties[name] else { continue }
            let value = try objects.value(row[place], of: field)
            if let written = object.properties[name] {
                // An embedded value and its fields are written under different names.
                let whole = former.filter { !earlier.contains(field) && $0.name.isPart(of: name) }.map(\.clock).max()
                if let whole, whole > written.clock, written.value != value {
                    object.properties[name] = Register(value, whole.next)
                }
                guard try !isStorable(written.value, of: field), written.value != value else { continue }
                let parts = property.kind == .counter ? object.counters[name]?.total : nil
                object.properties[name] = Register(parts.map { value.adding($0.negated) } ?? value, written.clock.next)
            } else if !object.has(name, property.kind), value != property.initial {
                let clock = former.map(\.clock).max() ?? .none
                object.properties[name] = Register(value, max(clock, object.group.clock).next)
            }
        }
    }

    /// Whether a column can show a value, now or when its object is shown.
    private func isStorable(_ value: SyncValue, of field: SyncedShape.Field) throws -> Bool {
        if case .object = value { return field.target != nil }
        return try objects.stored(value, of: field) != nil
    }

    /// The rows of a collection: position, key or value, and value.
    private func elements(
        of owner: Int64, in collection: SyncedShape.Collection
    ) throws -> [(place: SyncValue, value: SyncValue)] {
        try objects.connection.rows(
            """
            SELECT \(names: [collection.placeColumn, collection.valueColumn]) FROM \(name: collection.table) \
            WHERE "owner_id" = ? ORDER BY 1
            """, [.integer(owner)]
        ).map { (objects.value($0[0]), try objects.value($0[1], in: collection)) }
    }

    /// Replaces elements that cannot be stored any more, because their type has changed.
    private func convertElements(
        of collection: SyncedShape.Collection, _ rows: [(place: SyncValue, value: SyncValue)],
        _ object: inout ObjectState
    ) throws {
        let name = Text(collection.name)
        func converted(_ register: Register<SyncValue>, _ value: SyncValue) throws -> Register<SyncValue>? {
            if case .object = register.value { return nil }
            let isStorable = try objects.stored(register.value, as: collection.valueType) != nil
            return isStorable ? nil : Register(value, register.clock.next)
        }
        switch collection.style {
        case .set: break
        case .dictionary:
            for (place, value) in rows {
                guard let entry = object.dictionaries[name]?[place], let new = try converted(entry.value, value)
                else { continue }
                object.dictionaries[name]?[place]?.value = new
            }
        case .array:
            let order = object.order(of: name)
            guard order.count == rows.count else { return }
            for (id, row) in zip(order, rows) {
                guard let element = object.arrays[name]?[id], let new = try converted(element.value, row.value)
                else { continue }
                object.arrays[name]?[id]?.value = new
            }
        }
    }

    /// Joins the elements of a collection with what devices know of it. It was a value, a collection of another kind, or
    /// one with elements of another type.
    private func join(
        _ rows: [(place: SyncValue, value: SyncValue)], of collection: SyncedShape.Collection,
        _ object: inout ObjectState, formerly before: ObjectState, isOtherKind: Bool
    ) throws {
        let name = Text(collection.name)
        let clocks = FormerClocks(of: name, in: before)
        var sets: [SyncValue: Int64] = [:]
        for (index, row) in rows.enumerated() {
            let clock = clocks.clock(at: index).next
            switch collection.style {
            case .set: sets[row.value] = 1
            case .dictionary:
                let entry = DictionaryEntry(length: 1, value: Register(row.value, clock))
                let known = object.dictionaries[name]?[row.place]
                if !isOtherKind, known != nil { continue }
                object.dictionaries[name, default: [:]][row.place] = known?.joined(entry, by: Rules.self) ?? entry
            case .array:
                guard isOtherKind else { continue }
                let element = ArrayElement(
                    length: 1, place: Register(.converted(index), clock), value: Register(row.value, clock))
                let known = object.arrays[name]?[.converted(index)]
                object.arrays[name, default: [:]][.converted(index)] =
                    known?.joined(element, by: Rules.self) ?? element
            }
        }
        guard collection.style == .set else { return }
        for value in sets.keys where object.sets[name]?[value] == nil { object.sets[name, default: [:]][value] = 1 }
        // A device with the earlier version removed an element that another device had stated.
        for value in object.sets[name] ?? [:] where value.value == 1 && sets[value.key] == nil {
            if let text = value.key.plainText, clocks.removed.contains(text) { object.sets[name]?[value.key] = 2 }
        }
    }
}

/// The clocks of a value, or of elements, that became the elements of a collection of another kind.
private struct FormerClocks {
    private let whole: Clock
    private var elements: [Clock] = []
    /// The values that were elements of an array or a set and are no more, in the form of text.
    private(set) var removed: Set<String> = []

    init(of name: Text, in object: ObjectState) {
        whole = max(object.group.clock, object.clock(of: name))
        if let array = object.arrays[name] {
            let order = object.order(of: name)
            elements = order.map { array[$0]?.value.clock ?? whole }
            removed = Set(array.values.compactMap(\.value.value.plainText))
                .subtracting(order.compactMap { array[$0]?.value.value.plainText })
        } else if let entries = object.dictionaries[name] {
            elements = entries.filter { Life.isAlive($0.value.length) }.sorted { $0.key < $1.key }
                .map(\.value.value.clock)
        } else if let set = object.sets[name] {
            let gone = set.filter { !Life.isAlive($0.value) }
            removed = Set(gone.keys.compactMap(\.plainText))
        }
    }

    func clock(at index: Int) -> Clock { index < elements.count ? elements[index] : whole }
}

extension SyncValue {
    /// A number or a string as the library converts it to a string, or the key of an object; nil for other values.
    fileprivate var plainText: String? {
        switch self {
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text), .decimal(let text): text.string
        case .object(let key): "\(key)"
        default: nil
        }
    }
}

extension Text {
    /// Whether the name is that of an embedded value with a field, or the reverse.
    fileprivate func isPart(of other: Text) -> Bool {
        other.string.hasPrefix(string + ".") || string.hasPrefix(other.string + ".")
    }
}

extension ElementID {
    /// The identity of an element that was made of a value, or of the element of another collection: the same on all
    /// devices. The numbers are greater than those of inserted elements.
    fileprivate static func converted(_ index: Int) -> ElementID { ElementID(DeviceID(0), (1 << 40) + Int64(index)) }
}

extension Place {
    /// The place of such an element.
    fileprivate static func converted(_ index: Int) -> Place {
        let digits = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: index >> $0) }
        return Place([128] + digits + [1])
    }
}

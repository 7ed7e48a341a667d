/// What a property's column, or the table of its elements, contains.
package enum ShownValue: Hashable, Sendable {
    case value(SyncValue)
    case set(Set<SyncValue>)
    case dictionary([SyncValue: SyncValue])
    case array([SyncValue])
}

/// The content of the tables: a function of the states, of the classes as this version of the program declares them, and
/// of the groups that the device is in.
package struct Presentation: Hashable, Sendable {
    /// Why an object, or a value, is not shown although it is known.
    package enum Reason: Hashable, Sendable {
        /// The program has no such class.
        case unknownClass
        /// The program has no such property.
        case unknownProperty
        /// The owner of the object, or the target of a required reference, is not shown.
        case missing(ObjectKey)
        /// A required property has no value.
        case incomplete
        /// Another object shows the value, which must be unique, because its clock is older.
        case held(by: ObjectKey)
    }

    package private(set) var rows: [ObjectKey: NamedValues<ShownValue>] = [:]
    private let visibility: Visibility

    /// Determines what is shown of objects.
    package init(_ visibility: Visibility, of objects: ObjectMap, classes: [Text: ClassShape]) {
        self.visibility = visibility
        for key in visibility.shown {
            guard let object = objects[key], let shape = classes[key.type] else { continue }
            rows[key] = visibility.row(of: key, object, shape).values
        }
    }

    package init(of objects: ObjectMap, classes: [Text: ClassShape]) {
        self.init(Visibility(of: objects, classes: classes), of: objects, classes: classes)
    }

    /// The objects that are alive but not shown.
    package var waiting: [ObjectKey: Reason] { visibility.waiting }
    /// The values that are not shown in objects that are shown.
    package var waitingValues: [ObjectKey: [Text: Reason]] { visibility.waitingValues }

    package static func == (one: Presentation, other: Presentation) -> Bool {
        one.rows == other.rows && one.waiting == other.waiting && one.waitingValues == other.waitingValues
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rows) }
}

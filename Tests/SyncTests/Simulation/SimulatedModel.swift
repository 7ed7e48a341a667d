#if Sync
    import PersistentSync

    /// The classes of the simulated program, in three versions. Version 1 lacks `c`, and the others disagree about its
    /// initial value.
    enum SimulatedModel {
        static let types: [Text] = ["parent", "child", "kept", "keptchild"]
        static let owners: [Text: Text] = ["child": "parent", "keptchild": "kept"]

        static func classes(version: Int) -> [Text: ClassShape] {
            var classes: [Text: ClassShape] = [:]
            for type in types {
                var properties: [Text: PropertyShape] = [
                    "a": PropertyShape(.value, isRequired: true), "b": PropertyShape(.value, isRequired: true),
                    "u": PropertyShape(.value), "friend": PropertyShape(.reference),
                    "count": PropertyShape(.counter, initial: .integer(0)), "list": PropertyShape(.array),
                    "tags": PropertyShape(.set), "map": PropertyShape(.dictionary),
                    "top": PropertyShape(.maximum, initial: .integer(0)),
                ]
                if version > 1 { properties["c"] = PropertyShape(.value, initial: initialC(version)) }
                if owners[type] != nil { properties["parent"] = PropertyShape(.owner) }
                classes[type] = ClassShape(properties, unique: [["u"]], keepsEdited: keepsEdited(type))
            }
            return classes
        }

        static func initialC(_ version: Int) -> SyncValue { .text(version == 2 ? "d2" : "d3") }
        static func keepsEdited(_ type: Text) -> Bool { type == "kept" || type == "keptchild" }
    }

    /// What the simulated program, not the library, does wrong.
    enum SimulatedMistake {
        /// The columns' initial values are taken for edits.
        case sendsInitialValues
        /// Properties that the program does not have are dropped.
        case dropsUnknown
        /// The elements that a foreign key deletes are taken for removals.
        case removesElements
        /// An old copy of the file continues with its identity.
        case keepsIdentity
        /// A device that joins a group takes no snapshot.
        case joinsEmpty
    }

    extension Presentation {
        func value(_ key: ObjectKey, _ name: Text) -> SyncValue? {
            guard case .value(let value)? = rows[key]?[name] else { return nil }
            return value
        }

        func target(_ key: ObjectKey, _ name: Text) -> ObjectKey? {
            guard case .object(let target)? = value(key, name) else { return nil }
            return target
        }
    }
#endif

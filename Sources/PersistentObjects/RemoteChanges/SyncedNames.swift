// The names of synced classes. Devices with different versions of a program exchange objects under one name.

extension PersistentObject {
    /// The name by which devices exchange objects of the class: the first name that it had.
    ///
    /// Earlier versions of the program know only this name, so a class keeps it when it is renamed.
    package class var syncedName: String { ownFormerNames.first ?? String(describing: self) }

    /// The former names of the class, without those that it inherits from its superclass.
    class var ownFormerNames: [String] {
        let inherited = (_getSuperclass(self) as? PersistentObject.Type)?.formerNames ?? []
        return formerNames.filter { !inherited.contains($0) }
    }
}

extension SyncedShape {
    /// Throws if devices would exchange objects of two classes under one name.
    static func checkNames(_ maps: [ClassMap]) throws {
        var classes: [String: String] = [:]
        for map in maps where map.isSynced {
            let name = map.type.syncedName
            if let other = classes[name] {
                throw SchemaError.notSyncable(
                    className: map.name, property: nil,
                    reason:
                        "other devices know its objects by the name \(name), as those of \(other). Rename one of the "
                        + "classes, because the first former name of a synced class cannot be used again")
            }
            classes[name] = map.name
        }
    }

    /// The present name of the class whose objects devices exchange under a name, which is returned if the program does
    /// not have such a class.
    package static func className(of syncedName: String, in store: Store) -> String {
        store.classes.preparedMaps.first { $0.isSynced && $0.type.syncedName == syncedName }?.name ?? syncedName
    }
}

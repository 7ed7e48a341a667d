internal import Foundation
@_spi(Locks) internal import StoreEngine

/// Finds the class that a row's class column names.
package enum ClassResolver {
    /// The class with the name: the root itself, a class in the root's module, or the only subclass with that name in
    /// the program.
    ///
    /// Generic classes cannot be found by name; they are found after they were used or prepared.
    package static func subclass(named name: String, of root: PersistentObject.Type) -> PersistentObject.Type? {
        if name == String(describing: root) { return root }
        if let found = type(named: name, inModuleOf: root), ClassMap.isClass(found, root) { return found }
        return recorded(below: root) { String(describing: $0) == name }
    }

    /// Whether a class in the module of `type` can be found by this name.
    static func isThere(_ name: String, inModuleOf type: PersistentObject.Type) -> Bool {
        self.type(named: name, inModuleOf: type) != nil
    }

    private static func type(named name: String, inModuleOf other: PersistentObject.Type) -> PersistentObject.Type? {
        let path = String(reflecting: other)
        // Foundation writes to standard error if it is given a name with a dot.
        guard let dot = path.firstIndex(of: "."), name.utf8.count <= 1000,
            !name.unicodeScalars.contains(where: { $0 == "." || $0.properties.generalCategory == .control })
        else { return nil }
        return NSClassFromString("\(path[..<dot]).\(name)") as? PersistentObject.Type
    }

    /// The class that has a former name; nil if no class or several classes have it.
    static func renamedSubclass(from name: String, of root: PersistentObject.Type) -> PersistentObject.Type? {
        recorded(below: root) { type in
            // A subclass inherits the names of a renamed class.
            let superclass = _getSuperclass(type) as? PersistentObject.Type
            return type.formerNames.contains(name) && superclass?.formerNames.contains(name) != true
        }
    }

    /// The only subclass that meets a condition, according to the program's type records.
    private static func recorded(
        below root: PersistentObject.Type, where isWanted: (PersistentObject.Type) -> Bool
    ) -> PersistentObject.Type? {
        let known = records.withLock { $0[ObjectIdentifier(root)] }
        if let known, let found = only(known, isWanted) { return found }
        // A class that is not in the cache may have been loaded since the cache was filled.
        let read = ClassRecords.subclasses(of: root).compactMap { $0 as? PersistentObject.Type }
        records.withLock { $0[ObjectIdentifier(root)] = read }
        return only(read, isWanted)
    }

    private static func only(
        _ types: [PersistentObject.Type], _ isWanted: (PersistentObject.Type) -> Bool
    ) -> PersistentObject.Type? {
        let found = types.filter(isWanted)
        return found.count == 1 ? found[0] : nil
    }

    /// The subclasses of each requested root, cached because finding them searches all types of the program.
    private static let records = Locked([ObjectIdentifier: [PersistentObject.Type]]())
}

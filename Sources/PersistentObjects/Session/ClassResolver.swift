internal import Foundation

/// Finds the class that a row's class column names.
enum ClassResolver {
    /// The class where this process has one: the class itself, or one beside the root in its module.
    ///
    /// Private and nested classes cannot be found by name; they are known once they have been used or prepared.
    static func subclass(named name: String, of root: PersistentObject.Type) -> PersistentObject.Type? {
        if name == String(describing: root) { return root }
        let path = String(reflecting: root)
        // Foundation writes to standard error where it is asked for a name with a dot.
        guard let dot = path.firstIndex(of: "."), name.utf8.count <= 1000,
            !name.unicodeScalars.contains(where: { $0 == "." || $0.properties.generalCategory == .control })
        else { return nil }
        let found = NSClassFromString("\(path[..<dot]).\(name)") as? PersistentObject.Type
        guard let found, ClassMap.isClass(found, root) else { return nil }
        return found
    }
}

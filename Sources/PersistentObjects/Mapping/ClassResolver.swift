internal import Foundation

/// Finds the class that a row's class column names.
enum ClassResolver {
    /// The class where this process has one: the class itself, or one beside the root in its module.
    ///
    /// Private and nested classes cannot be found by name; they are known once they have been used or prepared.
    static func subclass(named name: String, of root: PersistentObject.Type) -> PersistentObject.Type? {
        if name == String(describing: root) { return root }
        return type(named: name, beside: root).flatMap { ClassMap.isClass($0, root) ? $0 : nil }
    }

    /// Whether the module of a class has a class of this name, as far as it can be found by name.
    static func isThere(_ name: String, beside type: PersistentObject.Type) -> Bool {
        self.type(named: name, beside: type) != nil
    }

    private static func type(named name: String, beside other: PersistentObject.Type) -> PersistentObject.Type? {
        let path = String(reflecting: other)
        // Foundation writes to standard error where it is asked for a name with a dot.
        guard let dot = path.firstIndex(of: "."), name.utf8.count <= 1000,
            !name.unicodeScalars.contains(where: { $0 == "." || $0.properties.generalCategory == .control })
        else { return nil }
        return NSClassFromString("\(path[..<dot]).\(name)") as? PersistentObject.Type
    }
}

/// Checks finder names of one class without running them.
package struct FinderCheck {
    /// The class.
    package let type: PersistentObject.Type
    private let map: Result<ClassMap, any Error>

    /// Looks at the class only.
    package init(_ type: PersistentObject.Type) {
        self.type = type
        map = Result {
            let map = try ClassMap.map(of: type)
            if let problem = ParsedFinders.problem(of: map) { throw problem }
            return map
        }
    }

    /// The check of a class that is only known to conform.
    package init<T: Persistent>(of type: T.Type) { self.init(ObjectMemory.objectClass(type)) }

    /// Why no name of the class can be checked: it cannot be stored, or has operators that cannot be.
    package var problemOfClass: (any Error)? { if case .failure(let error) = map { error } else { nil } }

    /// What is wrong with some names; of a class that is at fault itself that alone.
    func problems(_ names: [String]) -> [any Error] {
        if let problemOfClass { return [problemOfClass] }
        return names.compactMap(problem)
    }

    /// What is wrong with a name; nil where nothing is, or where the class is at fault.
    package func problem(_ name: String) -> (any Error)? {
        guard let map = try? map.get() else { return nil }
        do {
            _ = try FinderMeaning(name, of: map)
            return nil
        } catch { return error }
    }

    /// The prefixes of finder names that are static members of all classes.
    package static var staticNames: [String] { FinderGrammar.staticNames }
}

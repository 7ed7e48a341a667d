/// Checks finder names of one class without running them.
package struct FinderCheck {
    package let type: PersistentObject.Type
    private let map: Result<ClassMap, any Error>

    /// Examines only the class.
    package init(_ type: PersistentObject.Type) {
        self.type = type
        map = Result {
            let map = try ClassMap.map(of: type)
            if let problem = ParsedFinders.problem(of: map) { throw problem }
            return map
        }
    }

    /// Creates the check for a class that is known only as a conforming type.
    package init<T: Persistent>(of type: T.Type) { self.init(ObjectMemory.objectClass(type)) }

    /// The reason why no name of the class can be checked: it cannot be stored, or its custom operators are invalid.
    package var problemOfClass: (any Error)? { if case .failure(let error) = map { error } else { nil } }

    /// The problems of the names. If the class is invalid, its problem is the only result.
    func problems(_ names: [String]) -> [any Error] {
        if let problemOfClass { return [problemOfClass] }
        return names.compactMap(problem)
    }

    /// The problem of a name; nil if there is none, or if the class is invalid.
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

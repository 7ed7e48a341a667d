internal import PersistentObjects

extension ObjectState {
    /// The state with the current names of renamed properties. If both names have values, they are joined.
    package func renamed<Rules: SyncRules>(by shape: ClassShape?, _ rules: Rules.Type) -> ObjectState {
        guard let shape, shape.hasRenames else { return self }
        var result = ObjectState(in: group.value, since: group.clock)
        var earlier = result
        // A join of the properties under their own names with the renamed ones, kind by kind.
        func current(_ name: Text) -> Text { shape.currentName(of: name) ?? name }
        func isRenamed(_ name: Text) -> Bool { shape.currentName(of: name) != nil }
        func split<Value>(_ path: WritableKeyPath<ObjectState, [Text: Value]>) {
            for (name, value) in self[keyPath: path] {
                if isRenamed(name) {
                    earlier[keyPath: path][current(name)] = value
                } else {
                    result[keyPath: path][name] = value
                }
            }
        }
        var former: NamedValues<Register<SyncValue>> = [:]
        for (name, value) in properties where isRenamed(name) { former[current(name)] = value }
        earlier.properties = Registers(former)
        result.properties = properties.only { !isRenamed($0) }
        split(\.seen)
        split(\.counters)
        split(\.maxima)
        split(\.minima)
        split(\.sets)
        split(\.dictionaries)
        split(\.arrays)
        (result.life, result.deletedWith, result.formerGroups) = (life, deletedWith, formerGroups)
        (earlier.life, earlier.deletedWith) = (life, deletedWith)
        result.join(earlier, by: rules)
        return result
    }
}

extension ClassShape {
    /// Whether an earlier version had other names of properties.
    var hasRenames: Bool { !renamed.isEmpty || !formerColumns.isEmpty }

    /// The current name of a property that was renamed; nil for all other names.
    ///
    /// A declaration has the former column, and states have the former property: `last_name` and `lastName`, or
    /// `owner_id` and `owner`.
    func currentName(of name: Text) -> Text? {
        guard hasRenames, properties[name] == nil else { return nil }
        if let current = renamed[name] { return current }
        let column = Naming.snakeCase(name.string).replacing(".", with: "_")
        return formerColumns[column] ?? formerColumns[column + "_id"] ?? formerColumns[name.string.lowercased()]
    }
}

extension ObjectState {
    /// The state with the current names of renamed properties. If both names have values, they are joined.
    package func renamed<Rules: SyncRules>(by shape: ClassShape?, _ rules: Rules.Type) -> ObjectState {
        guard let renamed = shape?.renamed, !renamed.isEmpty else { return self }
        var result = ObjectState(in: group.value, since: group.clock)
        var earlier = result
        // A join of the properties under their own names with the renamed ones, kind by kind.
        func current(_ name: Text) -> Text { renamed[name] ?? name }
        func isRenamed(_ name: Text) -> Bool { renamed[name] != nil }
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

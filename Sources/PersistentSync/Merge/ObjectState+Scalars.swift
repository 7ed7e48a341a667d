// Versions of a class can merge a property in different ways, so a state can have parts of several kinds under one name.

extension ObjectState {
    /// The value of a property without elements, whichever version of its class wrote it; nil if no device wrote it.
    ///
    /// A value that was written before the property became a counter is the one to which the counter adds, and one that
    /// was written before it became a maximum or a minimum counts as every other one.
    func scalar(_ name: Text, _ kind: PropertyShape.Kind) -> SyncValue? {
        let written = properties[name]?.value
        guard hasRareParts else { return kind == .counter ? written.flatMap(\.number) : written }
        let (sum, greatest, least) = (counters[name]?.total, maxima[name], minima[name])
        switch kind {
        case .counter:
            guard let base = written.flatMap(\.number) ?? greatest ?? least else { return sum }
            return sum.map { base.adding($0) } ?? base
        case .maximum:
            guard let written, let greatest else { return greatest ?? written ?? sum ?? least }
            return max(written, greatest)
        case .minimum:
            guard let written, let least else { return least ?? written ?? sum ?? greatest }
            return SyncValue.lesser(written, least)
        default: return written ?? sum ?? greatest ?? least
        }
    }

    /// Whether any device wrote a property without elements.
    func has(_ name: Text, _ kind: PropertyShape.Kind) -> Bool { scalar(name, kind) != nil }
}

extension SyncValue {
    /// The value itself if it is a number.
    fileprivate var number: SyncValue? {
        switch self {
        case .integer, .real, .decimal: self
        default: nil
        }
    }
}

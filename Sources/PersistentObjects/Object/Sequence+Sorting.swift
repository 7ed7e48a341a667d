extension Sequence {
    /// The same as `sorted(by:)`, with code that is compiled once for all types.
    ///
    /// The optimizer specializes `sorted(by:)` for each type and closure. If a program sorts a few elements, once for a
    /// class or a file, that costs build time and program size without benefit. A comparison is several times slower.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func sortedUnspecialized(
        by isBefore: (Element, Element) throws -> Bool
    ) rethrows -> [Element] { try sorted(by: isBefore) }
}

extension Sequence where Element: Comparable {
    /// The same as `sorted()`, with code that is compiled once for all types.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func sortedUnspecialized() -> [Element] { sorted() }
}

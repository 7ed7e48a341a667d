extension Sequence {
    /// The same as `sorted(by:)`, by code that is compiled once for all types.
    ///
    /// The optimizer compiles `sorted(by:)` in full for each type and closure. Where a program sorts a few elements, once
    /// for a class or a file, that is build time and program size for nothing. A comparison takes some times as long.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func sortedUnspecialized(
        by isBefore: (Element, Element) throws -> Bool
    ) rethrows -> [Element] { try sorted(by: isBefore) }
}

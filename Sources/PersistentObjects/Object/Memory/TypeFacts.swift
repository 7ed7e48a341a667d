/// The runtime's facts about a type's values: size, alignment, and whether a copy is independent of the original.
///
/// This folder contains every unsafe access to the memory of objects, and nothing else. The rules R, M, T, K and D in
/// its comments come from the project's study of failures in such code. In short: touch only strong `var`s of known
/// type (R1), through a pointer of exactly the field's type or as raw bytes (R2), never while the user is accessing the
/// field (R4), with the object retained (R5).
struct TypeFacts {
    let size: Int
    let alignment: Int
    /// The value consists only of its bits: copying them copies the value.
    let isPlainData: Bool
    /// Equal bits mean an equal value, and a copy does not change with the original.
    let isPlainValue: Bool

    init(_ type: Any.Type) {
        func facts<T>(_: T.Type) -> (Int, Int) { (MemoryLayout<T>.size, MemoryLayout<T>.alignment) }
        (size, alignment) = _openExistential(type, do: facts)
        isPlainData = TypeFacts.isPlainData(type)
        isPlainValue = isPlainData || ValueWalk.isValueAllTheWayDown(type)
    }

    static func isPlainData(_ type: Any.Type) -> Bool {
        func isPlain<T>(_: T.Type) -> Bool { _isPOD(T.self) }
        return _openExistential(type, do: isPlain)
    }

    static func size(of type: Any.Type) -> Int {
        func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
        return _openExistential(type, do: size)
    }

    /// Fresh memory for one value; the caller frees it.
    func allocate() -> Address { .allocate(byteCount: max(size, 1), alignment: max(alignment, 1)) }
}

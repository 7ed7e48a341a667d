@_spi(Locks) internal import StoreEngine

/// A type that represents one class of one description, because class maps refer to each other by types. Its only
/// object is the scratch object of its map.
final class DescribedObject<Number>: PersistentObject {}

/// The types that represent described classes. There is no limit on their number.
enum DescribedTypes {
    private enum End {}
    private enum Even<Higher> {}
    private enum Odd<Higher> {}

    private static let count = Locked(0)

    /// A type that no other class has.
    static func next() -> PersistentObject.Type {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return type(of: number, End.self)
    }

    /// The type whose parameter spells the remaining bits of a number and the bits before them.
    @inline(never)
    private static func type<Higher>(of bits: Int, _: Higher.Type) -> PersistentObject.Type {
        if bits == 0 { return DescribedObject<Higher>.self }
        return bits & 1 == 0 ? type(of: bits >> 1, Even<Higher>.self) : type(of: bits >> 1, Odd<Higher>.self)
    }
}

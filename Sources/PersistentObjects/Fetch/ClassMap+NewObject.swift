internal import StoreEngine

extension ClassMap {
    /// An object for a row, created by the class's own `init()`.
    @inline(__always)
    package func newObject() throws -> PersistentObject {
        let object = type.init()
        // The user's init() can do anything, even save the object.
        guard object.keeper == nil, object.lifecycle == .new else { throw savedByItsInit }
        return object
    }

    private var savedByItsInit: StoreError {
        StoreError(
            .misuse, "The class's init() saves the object, so no row can be read into it. Do not save in init()",
            className: name)
    }
}

internal import StoreEngine

extension ObjectState {
    func reload() throws {
        if object.lifecycle == .untracked { throw StoreError.untracked(object, "so it cannot be reloaded") }
        guard object.lifecycle == .saved else {
            let what = object.lifecycle == .new ? "was never saved" : "was deleted"
            throw StoreError(
                .misuse, "The object \(what), so there is no row to read", className: "\(type(of: object))",
                rowID: object.id)
        }
        let session = try session()
        try session.enter(of: type(of: object)) { try Fetch(session).reload(object) }
    }
}

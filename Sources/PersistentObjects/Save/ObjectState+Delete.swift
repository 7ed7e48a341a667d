extension ObjectState {
    func delete(forever: Bool = false) throws {
        let session = try session()
        try session.enter(forever ? "deleteForever()" : "delete()", of: type(of: object)) {
            try session.deleteAll([object], forever: forever)
        }
    }

    func restore() throws {
        let session = try session()
        try session.enter(of: type(of: object)) { try session.restoreAll([object]) }
    }
}
